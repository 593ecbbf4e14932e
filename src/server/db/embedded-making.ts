// The thread that makes a new embedded database, and ends.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { syncPath } from '#server/core/sync-path.ts'
import { openPGlite } from '#server/db/durable-pglite.ts'

const folder = workerData as string
const db = await openPGlite(folder)
await db.close()
// PGlite copies the files of initdb into the folder without fsync.
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) syncPath(join(folder, name))
syncPath(folder)
