// npm run password: a new password for an administrator who lost theirs, from the server's own terminal.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { createLog } from '#server/core/log.ts'
import { codeOf, openDatabase } from '#server/db/database.ts'
import { FolderInUse } from '#server/db/embedded.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { activeNames, type Recovered, recoverAccount } from '#server/features/admin/renewal.ts'
import { endWith, readArguments, say } from '#server/terminal.ts'

const undefinedTable = '42P01'

async function main(): Promise<void> {
  const { subject } = readArguments('npm run password -- USUÁRIO')
  const config = readConfig()
  const { username, password, wasActive } = await recover(config, subject)
  say(`\nSenha nova de ${username}: ${password}\n`)
  say('Anote agora: ela não será mostrada de novo. A senha antiga não vale mais, e as sessões abertas terminaram.')
  if (!wasActive) say('A conta estava desativada e está ativa de novo.')
  say('Depois de entrar em /admin, troque-a em Equipe.')
}

/** Answers once the database is closed: what is told is kept. */
async function recover(config: Config, username: string): Promise<Recovered> {
  const engine = await openStopped(config)
  const database = openDatabase(engine, createLog(config.logLevel))
  try {
    const recovered = await recoverAccount(database, username)
    if (!recovered) throw new AppError('not-found', noAccount(await activeNames(database)))
    return recovered
  } catch (error) {
    if (codeOf(error) !== undefinedTable) throw error
    throw new AppError('not-found', 'este banco não tem os dados desta versão do Mobiliza. Inicie o site uma vez antes')
  } finally {
    await database.close()
    await engine.stop()
  }
}

async function openStopped(config: Config): Promise<Engine> {
  // Opening would make an empty one.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'banco')))
    throw new AppError('not-found', `não há banco em ${config.dataDir}. Confira DATA_DIR, ou DATABASE_URL`)
  try {
    return await openEngine(config)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new AppError(
      'conflict',
      `o banco embutido em ${config.dataDir} está em uso. Pare o site (Ctrl+C onde ele roda), repita este comando e inicie o site de novo`,
    )
  }
}

function noAccount(active: string[]): string {
  const names = active.length > 0 ? `Administradores ativos: ${active.join(', ')}` : 'Nenhum administrador está ativo'
  return `não há administrador com esse usuário. ${names}`
}

await main().catch(endWith)
