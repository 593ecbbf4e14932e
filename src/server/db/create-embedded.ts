import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { fsyncPath } from '#server/core/fsync.ts'
import { openPGlite } from '#server/db/durable-pglite.ts'

const folder = workerData as string
const db = await openPGlite(folder)
await db.close()
// PGlite copies the files of initdb into the folder without fsync.
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) fsyncPath(join(folder, name))
fsyncPath(folder)
