import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { workerData } from 'node:worker_threads'
import { fsyncPath } from '#server/core/fsync.ts'

export interface CreateWorkerData {
  folder: string
  template: string
}

const { folder, template } = workerData as CreateWorkerData
if (existsSync(template)) copyTemplate()
else await createEmpty()
// Neither the copy nor PGlite, which copies the files of initdb, has called fsync.
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) fsyncPath(join(folder, name))
fsyncPath(folder)

function copyTemplate(): void {
  mkdirSync(folder)
  // A folder comes before its entries.
  for (const entry of readdirSync(template, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name)
    const target = join(folder, relative(template, source))
    if (entry.isDirectory()) mkdirSync(target)
    else writeFileSync(target, readFileSync(source))
  }
}

async function createEmpty(): Promise<void> {
  const { openPGlite } = await import('#server/db/durable-pglite.ts')
  const db = await openPGlite(folder)
  await db.close()
}
