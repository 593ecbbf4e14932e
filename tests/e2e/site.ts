import { cpSync, rmSync } from 'node:fs'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'

export interface Site extends ServerProcess {
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

/** Starts the real server as a process, with a fresh copy of the embedded database. */
export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const dataDir = memoryFolder()
  cpSync((await prepareData()).folder, dataDir, { recursive: true })
  const server = await startServer({ dataDir, env })
  return {
    ...server,
    async remove() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Global setup: the site that most tests share. */
export default async function setup() {
  const site = await startSite({ DELIVERIES: 'on', EMAILS_PER_MINUTE: '60000' })
  process.env.SITE_URL = site.url
  process.env.SITE_DATA = site.dataDir
  return () => site.remove()
}
