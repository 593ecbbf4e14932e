// Data as the first start of a site leaves it: migrated, with its campaigns and posters. Made once for the sources as they are, and
// copied by every test that needs a site.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PreparedData {
  /** A data folder with an embedded database. */
  folder: string
  /** The same as a backup, for PostgreSQL. */
  backup: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/mobiliza-tests')

export async function prepareData(): Promise<PreparedData> {
  // Mutated sources start from the data of the others: tests/mutants/run.ts.
  if (process.env.PREPARED_DATA) return filesIn(process.env.PREPARED_DATA)
  const digest = digestOfSources()
  const place = join(cache, digest)
  if (!existsSync(place)) {
    mkdirSync(cache, { recursive: true })
    for (const name of readdirSync(cache))
      if (!name.startsWith(digest)) rmSync(join(cache, name), { recursive: true, force: true })
    // The whole server, which nobody has to load when the data is there.
    const { makeData } = await import('#tests/helpers/make-data.ts')
    const unfinished = mkdtempSync(`${place}-`)
    await makeData(filesIn(unfinished))
    try {
      renameSync(unfinished, place)
    } catch (error) {
      // Another process may have been faster.
      if (!existsSync(place)) throw error
      rmSync(unfinished, { recursive: true, force: true })
    }
  }
  return filesIn(place)
}

const filesIn = (place: string): PreparedData => ({
  folder: join(place, 'data'),
  backup: join(place, 'backup.mobiliza'),
})

/** Of all that a first start runs or stores. */
function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const folder of ['src/server', 'src/contract'])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) digest.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
  for (const file of ['package-lock.json', 'tests/helpers/template.ts']) digest.update(readFileSync(join(root, file)))
  return digest.digest('hex').slice(0, 16)
}
