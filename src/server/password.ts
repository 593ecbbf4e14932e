// npm run password: sets a new password for an administrator, from the terminal of the server.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { createLog } from '#server/core/log.ts'
import { codeOf, openDatabase } from '#server/db/database.ts'
import { FolderInUse } from '#server/db/embedded.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { activeUsernames, type RecoveredAccount, recoverAccount } from '#server/features/admin/password-reset.ts'
import { exitWithError, printLine, readArguments } from '#server/terminal.ts'

/** Also removes the second factor, for a person who has lost the device and the recovery codes. */
const withoutFactor = '--sem-segundo-fator'
const undefinedTable = '42P01'

async function main(): Promise<void> {
  const usage = `npm run password -- USUÁRIO [${withoutFactor}]`
  const { argument, flags } = readArguments(usage, [withoutFactor])
  const config = readConfig()
  const removesSecondFactor = flags.has(withoutFactor)
  const { username, password, wasActive, secondFactor } = await recover(config, argument, { removesSecondFactor })
  printLine(`\nSenha nova de ${username}: ${password}\n`)
  printLine(
    'Anote agora: ela não será mostrada de novo. A senha antiga não vale mais, e as sessões abertas terminaram.',
  )
  if (!wasActive) printLine('A conta estava desativada e está ativa de novo.')
  if (secondFactor === 'removed') printLine('A verificação em duas etapas foi retirada: a entrada pede só a senha.')
  if (secondFactor === 'kept')
    printLine(
      `A entrada continua pedindo a segunda etapa (aplicativo ou chave de acesso). Se ela se perdeu: npm run password -- ${username} ${withoutFactor}`,
    )
  printLine('Ao entrar em /admin, o site pede uma senha nova, escolhida pela pessoa.')
}

/** Resolves after the database is closed, so that the password is stored for certain when it is printed. */
async function recover(
  config: Config,
  username: string,
  options: { removesSecondFactor: boolean },
): Promise<RecoveredAccount> {
  const engine = await openUnusedEngine(config)
  const database = openDatabase(engine, createLog(config.logLevel))
  try {
    const recovered = await recoverAccount(database, username, options)
    if (!recovered) throw new AppError('not-found', unknownAccountMessage(await activeUsernames(database)))
    return recovered
  } catch (error) {
    if (codeOf(error) !== undefinedTable) throw error
    throw new AppError('not-found', 'este banco não tem os dados desta versão do Mobiliza. Inicie o site uma vez antes')
  } finally {
    await database.close()
    await engine.stop()
  }
}

async function openUnusedEngine(config: Config): Promise<Engine> {
  // Opening the engine would create an empty database.
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

function unknownAccountMessage(active: string[]): string {
  const names = active.length > 0 ? `Administradores ativos: ${active.join(', ')}` : 'Nenhum administrador está ativo'
  return `não há administrador com esse usuário. ${names}`
}

await main().catch(exitWithError)
