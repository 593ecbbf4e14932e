import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const migrations = fileURLToPath(new URL('./migrations', import.meta.url))
const pglite = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), '../package.json')
const folder = fileURLToPath(new URL('../../../dist/embedded-template', import.meta.url))

/**
 * The folder of a migrated database without rows, which scripts/embedded-template.ts writes and new sites copy. Its
 * name depends on the migrations and on the version of PGlite, so an outdated template is never found.
 */
export function templateFolder({ migrationsFolder = migrations, pgliteManifest = pglite } = {}): string {
  const digest = createHash('sha256').update(JSON.parse(readFileSync(pgliteManifest, 'utf8')).version)
  const statements = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'))
  for (const file of [...statements.sort(), 'meta/_journal.json'])
    digest.update(file).update(readFileSync(join(migrationsFolder, file)))
  return join(folder, digest.digest('hex').slice(0, 16))
}
