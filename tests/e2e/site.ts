// The site that the browser visits: the real server in a process of its own, on a fresh copy of an embedded database.
import { cpSync, rmSync } from 'node:fs'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { startServer } from '#tests/helpers/server-process.ts'

export default async function setup() {
  const dataDir = memoryFolder()
  cpSync((await prepareData()).folder, dataDir, { recursive: true })
  const server = await startServer({ dataDir, env: { DELIVERIES: 'on', EMAILS_PER_MINUTE: '60000' } })
  process.env.SITE_URL = server.url
  process.env.SITE_DATA = server.dataDir
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
