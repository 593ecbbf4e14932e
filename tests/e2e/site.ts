// The site that the browser visits: the real server in a process of its own, on a fresh embedded database.
import { rmSync } from 'node:fs'
import { startServer } from '#tests/helpers/server-process.ts'

export default async function setup() {
  const server = await startServer({
    env: { ADMIN_PASSWORD: 'senha-de-teste-123', DELIVERIES: 'on', EMAILS_PER_MINUTE: '60000' },
  })
  process.env.SITE_URL = server.url
  process.env.SITE_DATA = server.dataDir
  return async () => {
    await server.stop()
    rmSync(server.dataDir, { recursive: true, force: true })
  }
}
