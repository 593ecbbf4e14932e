// npm run verify-audit: verifies the hash chain of the audit log. The site may be running.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Config, readConfig } from '#server/core/config.ts'
import { AppError } from '#server/core/errors.ts'
import { createLog } from '#server/core/log.ts'
import { type ChainEnd, type ChainReport, verifyAuditChain } from '#server/db/audit-chain.ts'
import { codeOf } from '#server/db/database.ts'
import { FolderInUse } from '#server/db/embedded.ts'
import { openCopy } from '#server/db/embedded-copy.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { describeDatabase, exitWithError, printLine } from '#server/terminal.ts'

const missingNames = ['42P01', '42703']

async function main(): Promise<void> {
  const kept = readKeptEnd(process.argv.slice(2))
  const config = readConfig()
  printLine(`… lendo ${describeDatabase(config)}`)
  const { end, problem } = await verify(config, kept)
  const count = end.position.toLocaleString('pt-BR')
  if (problem) {
    process.stderr.write(`\nO registro NÃO confere. ${describeProblem(problem)}\nConfere até a posição ${count}.\n`)
    process.exitCode = 1
    return
  }
  if (end.position === 0) return printLine('\nO registro está vazio.')
  printLine(`\nO registro confere: ${count} ${end.position === 1 ? 'ação' : 'ações'}, da primeira à última.`)
  if (kept) printLine(`A posição ${kept.position.toLocaleString('pt-BR')} é a mesma que você guardou.`)
  printLine(`Última posição: ${end.position}\nHash: ${end.hash}`)
  printLine('\nGuarde as duas fora deste servidor. Para conferir depois que nada anterior mudou nem sumiu:')
  printLine(`npm run verify-audit -- ${end.position} ${end.hash}`)
}

/** Reads POSITION and HASH, both or none. Otherwise prints the usage and ends the process. */
function readKeptEnd([position, hash, ...rest]: string[]): ChainEnd | undefined {
  if (position === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(position) && /^[0-9a-f]{64}$/i.test(hash ?? '') && rest.length === 0)
    return { position: Number(position), hash: (hash as string).toLowerCase() }
  process.stderr.write('Uso: npm run verify-audit -- [POSIÇÃO HASH]\n')
  process.exit(2)
}

function describeProblem({ position, kind }: NonNullable<ChainReport['problem']>): string {
  const at = `posição ${position}`
  if (kind === 'changed') return `A ação da ${at} foi mudada, ou posta no lugar de outra.`
  if (kind === 'missing') return `Falta a ação da ${at}: foi apagada.`
  if (kind === 'unchained') return `Há ações sem posição, postas sem passar pelo registro (a próxima seria a ${at}).`
  return `O hash da ${at} não é o que você guardou: o registro foi reescrito até ali.`
}

async function verify(config: Config, kept: ChainEnd | undefined): Promise<ChainReport> {
  const engine = await openSource(config)
  const client = new pg.Client({ ...engine.direct, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection lost between two queries would end the process. The next query reports the loss.
  client.on('error', () => {})
  try {
    await client.connect()
    return await verifyAuditChain(client, kept)
  } catch (error) {
    if (!missingNames.includes(codeOf(error) ?? '')) throw error
    throw new AppError('not-found', 'este banco não tem os dados desta versão do Mobiliza. Inicie o site uma vez antes')
  } finally {
    await client.end()
    await engine.stop()
  }
}

/** The database itself, or a copy of the embedded database while a server is using it. */
async function openSource(config: Config): Promise<Engine> {
  // Opening the engine would create an empty database.
  if (!config.databaseUrl && !existsSync(join(config.dataDir, 'banco')))
    throw new AppError('not-found', `não há banco em ${config.dataDir}. Confira DATA_DIR, ou DATABASE_URL`)
  const log = createLog(config.logLevel)
  try {
    return await openEngine(config, log)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  const { connection, ...copy } = await openCopy(config.dataDir, { log }).catch((error) => {
    if (error instanceof FolderInUse) throw new AppError('conflict', 'uma cópia de segurança está sendo feita')
    throw error
  })
  return { kind: 'embedded', pool: connection, direct: connection, namedStatements: false, ...copy }
}

await main().catch(exitWithError)
