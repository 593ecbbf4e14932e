// The thread that runs PGlite, so that a long query never stops the server.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const { folder, socketFile } = workerData as { folder: string; socketFile: string }

const db = await PGlite.create(folder)
const server = new PGLiteSocketServer({ db, path: socketFile, maxConnections: 8 })
await server.start()

parentPort?.on('message', async () => {
  await server.stop()
  await db.close()
  parentPort?.close()
})
parentPort?.postMessage('ready')
