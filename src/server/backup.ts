// npm run backup: writes all data of the site into one file. The site may be running.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { readDatabase } from '#server/db/backup.ts'
import { BackupRefused, type Counts, type Part, writeBackup } from '#server/db/backup-file.ts'
import { FolderInUse } from '#server/db/embedded.ts'
import { openCopy } from '#server/db/embedded-copy.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import {
  dataKeyReminder,
  describeDatabase,
  exitWithError,
  interruptSignal,
  printLine,
  readArguments,
  summarizeCounts,
} from '#server/terminal.ts'

async function main(): Promise<void> {
  const { argument: file } = readArguments('npm run backup -- ARQUIVO')
  const config = readConfig()
  const counts: Counts = {}
  printLine(`… lendo ${describeDatabase(config)}`)
  const parts = readAll(config, (table, rows) => {
    counts[table] = rows
    printLine(`✓ ${table} ${rows.toLocaleString('pt-BR')}`)
  })
  const bytes = await writeBackup(file, parts, { signal: interruptSignal(), key: config.backupKey })
  const megabytes = (bytes / 2 ** 20).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
  printLine(`\nCópia pronta: ${file} (${megabytes} MB) com ${summarizeCounts(counts)}.\n${dataKeyReminder(config)}`)
  printLine(
    config.backupKey
      ? 'A cópia está cifrada com BACKUP_KEY: sem essa chave ela não pode ser restaurada. Guarde-a em outro lugar.'
      : 'A cópia não está cifrada: quem tem o arquivo lê os dados das pessoas. Para cifrar, defina BACKUP_KEY.',
  )
}

/** A generator, so that the database is opened only after `writeBackup` has created the file. */
async function* readAll(config: Config, onTableRead: (table: string, rows: number) => void): AsyncGenerator<Part> {
  const engine = await openSource(config)
  try {
    yield* readDatabase(engine, onTableRead)
  } finally {
    await engine.stop()
  }
}

/** The database itself, or a copy of the embedded database while a server is using it. */
async function openSource(config: Config): Promise<Engine> {
  // Opening the engine would create an empty database.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'banco')))
    throw new BackupRefused(`não há banco em ${config.dataDir}. Confira DATA_DIR, ou DATABASE_URL`)
  const log = createLog(config.logLevel)
  try {
    return await openEngine(config, log)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  printLine('… o site está no ar: quem assina agora espera um instante, enquanto os arquivos do banco são duplicados')
  const { connection, waitedMs, ...copy } = await openCopy(config.dataDir, { log }).catch((error) => {
    if (error instanceof FolderInUse) throw new BackupRefused('outra cópia de segurança já está sendo feita')
    throw error
  })
  printLine(`✓ banco duplicado em ${(waitedMs / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s`)
  return { kind: 'embedded', pool: connection, direct: connection, namedStatements: false, ...copy }
}

await main().catch(exitWithError)
