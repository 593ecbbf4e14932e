// npm run migrate: migrates the database as its owner, for a site whose own role may not change tables. The site may be
// running.
import { ConfigError, readConfig } from '#server/core/config.ts'
import { openEngine } from '#server/db/engine.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { explainDatabaseError } from '#server/server-process.ts'
import { exitWithError, printLine } from '#server/terminal.ts'

async function main(): Promise<void> {
  const config = readConfig()
  if (!config.databaseUrl || !config.databaseOwnerUrl)
    throw new ConfigError(['defina DATABASE_URL e DATABASE_OWNER_URL; sem a segunda, o site migra o banco ao iniciar'])
  const engine = await openEngine(config)
  try {
    // The site fills an empty database when it starts: that depends on its settings.
    await migrateDatabase(engine, async () => {})
  } catch (error) {
    throw explainDatabaseError(engine, error)
  } finally {
    await engine.stop()
  }
  printLine(`✓ o banco está atualizado, e o usuário ${engine.owner?.siteRole} tem os direitos do site`)
}

await main().catch(exitWithError)
