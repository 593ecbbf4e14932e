// Data as after the first start of a site: migrated, with campaigns and posters. It is created once per state of the
// sources, and every test that needs a site copies it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PreparedData {
  /** A data folder with an embedded database. */
  folder: string
  /** The same data as a backup, for PostgreSQL. */
  backup: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/mobiliza-tests')

export async function prepareData(): Promise<PreparedData> {
  // Mutation tests use the data of the original sources: tests/mutants/run.ts.
  if (process.env.PREPARED_DATA) return filesIn(process.env.PREPARED_DATA)
  const digest = digestOfSources()
  const dataPath = join(cache, digest)
  if (!existsSync(dataPath)) {
    mkdirSync(cache, { recursive: true })
    for (const name of readdirSync(cache))
      if (!name.startsWith(digest)) rmSync(join(cache, name), { recursive: true, force: true })
    // Imported only here: it loads the whole server.
    const { makeData } = await import('#tests/helpers/make-data.ts')
    const unfinished = mkdtempSync(`${dataPath}-`)
    await makeData(filesIn(unfinished))
    try {
      renameSync(unfinished, dataPath)
    } catch (error) {
      // Another process may have created it first.
      if (!existsSync(dataPath)) throw error
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return filesIn(dataPath)
}

const filesIn = (dataPath: string): PreparedData => ({
  folder: join(dataPath, 'data'),
  backup: join(dataPath, 'backup.mobiliza'),
})

/** Covers everything that a first start runs or stores. */
function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const folder of ['src/server', 'src/contract'])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
  for (const file of ['package-lock.json', 'tests/helpers/template.ts']) digest.update(readFileSync(join(root, file)))
  return digest.digest('hex').slice(0, 16)
}
