// Writes dist/embedded-template: the migrated database without rows that a new site copies instead of creating it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readConfig } from '#server/core/config.ts'
import { templateFolder } from '#server/db/embedded-template.ts'
import { openEngine } from '#server/db/engine.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

const template = templateFolder()
if (!existsSync(template)) {
  const parent = dirname(template)
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent))
    if (!name.startsWith(basename(template))) rmSync(join(parent, name), { recursive: true, force: true })
  await writeTemplate(mkdtempSync(`${template}-`))
}

async function writeTemplate(dataDir: string): Promise<void> {
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir }))
  await migrateDatabase(engine, async () => {}).finally(engine.stop)
  try {
    renameSync(join(dataDir, 'banco'), template)
  } catch (error) {
    // Another process may have written it first.
    if (!existsSync(template)) throw error
  }
  rmSync(dataDir, { recursive: true, force: true })
}
