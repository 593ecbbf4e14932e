// npm run backup: everything the site keeps, in one file, also while the site is running.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { readDatabase } from '#server/db/backup.ts'
import { BackupRefused, type Counts, type Part, writeBackup } from '#server/db/backup-file.ts'
import { FolderInUse } from '#server/db/embedded.ts'
import { openCopy } from '#server/db/embedded-copy.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { aboutSecrets, endWith, interrupted, placeOf, readArguments, say, sumUp } from '#server/terminal.ts'

async function main(): Promise<void> {
  const { subject: file } = readArguments('npm run backup -- ARQUIVO')
  const config = readConfig()
  const counts: Counts = {}
  say(`… lendo ${placeOf(config)}`)
  const parts = readAll(config, (table, rows) => {
    counts[table] = rows
    say(`✓ ${table} ${rows.toLocaleString('pt-BR')}`)
  })
  const bytes = await writeBackup(file, parts, interrupted())
  const megabytes = (bytes / 2 ** 20).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
  say(`\nCópia pronta: ${file} (${megabytes} MB) com ${sumUp(counts)}.\n${aboutSecrets(config)}`)
}

/** Opens nothing before the first part is asked for: by then the file is known to be ours. */
async function* readAll(config: Config, tell: (table: string, rows: number) => void): AsyncGenerator<Part> {
  const engine = await openSource(config)
  try {
    yield* readDatabase(engine, tell)
  } finally {
    await engine.stop()
  }
}

/** The database itself, or a copy of the embedded one if a server holds it. */
async function openSource(config: Config): Promise<Engine> {
  // Opening would make an empty one.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'banco')))
    throw new BackupRefused(`não há banco em ${config.dataDir}. Confira DATA_DIR, ou DATABASE_URL`)
  const log = createLog(config.logLevel)
  try {
    return await openEngine(config, log)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  say('… o site está no ar: quem assina agora espera um instante, enquanto os arquivos do banco são duplicados')
  const { connection, waitedMs, ...copy } = await openCopy(config.dataDir, { log }).catch((error) => {
    if (error instanceof FolderInUse) throw new BackupRefused('outra cópia de segurança já está sendo feita')
    throw error
  })
  say(`✓ banco duplicado em ${(waitedMs / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`)
  return { kind: 'embedded', pool: connection, direct: connection, namedStatements: false, ...copy }
}

await main().catch(endWith)
