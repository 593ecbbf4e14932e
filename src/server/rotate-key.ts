// npm run rotate-key: encrypts all stored values with the current key. The site may be running. With --enderecos-perdidos it
// replaces the lost key of the HMACs of addresses instead.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Config, ConfigError, readConfig } from '#server/core/config.ts'
import { createEncryption, type Encryption, keyIdOf } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import { createLog } from '#server/core/log.ts'
import { beginKeyReplacement, endKeyReplacement, readDataKeys, secretsFile } from '#server/core/secrets.ts'
import { openAddressKey, readAddressKey } from '#server/db/address-key.ts'
import { isMigrated } from '#server/db/catalog.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { FolderInUse, lockFolder, runningConnection } from '#server/db/embedded.ts'
import { type Engine, openEngine } from '#server/db/engine.ts'
import { type RotationReport, rotateKey } from '#server/db/key-rotation.ts'
import { inTransaction } from '#server/db/migrate.ts'
import { refuseWhileServersRun } from '#server/db/restore.ts'
import { runSql } from '#server/db/run-sql.ts'
import { describeDatabase, exitWithError, newsConsentWithdrawn, printLine } from '#server/terminal.ts'

/**
 * A running server of an embedded database follows the secrets file. A record that it encrypted just before the file
 * changed is stored within this time, because every query has a shorter timeout.
 */
const lastRecordsMs = 20_000
const progressStep = 2_000

const lostAddresses = '--enderecos-perdidos'

interface Keys {
  current: string
  previous: string[]
}

async function main(): Promise<void> {
  const config = readConfig()
  const [option, ...others] = process.argv.slice(2)
  if ((option && option !== lostAddresses) || others.length > 0) {
    process.stderr.write(`Uso: npm run rotate-key [-- ${lostAddresses}]\n`)
    process.exitCode = 2
    return
  }
  printLine(`… lendo ${describeDatabase(config)}`)
  if (option) return replaceLostKey(config)
  const { remaining } = await (config.dataKey ? rotateToConfiguredKey(config, config.dataKey) : rotateToNewKey(config))
  if (remaining === 0) return
  process.stderr.write(
    `\n${format(remaining)} ${remaining === 1 ? 'valor foi cifrado' : 'valores foram cifrados'} com uma chave que não está aqui, e continuam como estavam. Se você tem essa chave, ponha-a em DATA_KEY_PREVIOUS e repita o comando.\n`,
  )
  process.exitCode = 1
}

/** The operator has set the new key as DATA_KEY and the old one as DATA_KEY_PREVIOUS. */
async function rotateToConfiguredKey(config: Config, dataKey: string): Promise<RotationReport> {
  const { engine } = await openAny(config)
  const report = await rotateIn(config, engine, { current: dataKey, previous: config.previousDataKeys })
  if (report.remaining === 0)
    printLine(
      'Se todos os servidores já usam esta chave, tire DATA_KEY_PREVIOUS das configurações e reinicie-os. As cópias de segurança feitas antes precisam da chave antiga: guarde-a com elas.',
    )
  return report
}

/** The key is in the secrets file: the command creates a new one, and removes the old one at the end. */
async function rotateToNewKey(config: Config): Promise<RotationReport> {
  if (config.databaseUrl)
    throw new ConfigError([
      'defina DATA_KEY, a chave nova (openssl rand -base64 32), e DATA_KEY_PREVIOUS, a antiga, em todos os servidores, reinicie-os e repita este comando',
    ])
  const file = secretsFile(config)
  const lock = lockRotation(config.dataDir)
  try {
    const { engine, isShared } = await openAny(config)
    const begin = () => {
      beginKeyReplacement(file)
      const { dataKey, previous } = readDataKeys(file) ?? { dataKey: '', previous: [] }
      if (!dataKey) throw new ConfigError([`não foi possível ler ${file}`])
      return { current: dataKey, previous: [...previous, ...config.previousDataKeys] }
    }
    const report = await rotateIn(config, engine, begin, isShared)
    const [oldKey] = readDataKeys(file)?.previous ?? []
    if (oldKey) keepOldKey(config.dataDir, oldKey)
    endKeyReplacement(file)
    return report
  } finally {
    lock.close()
  }
}

async function rotateIn(
  config: Config,
  engine: Engine,
  keys: Keys | (() => Keys),
  isShared = false,
): Promise<RotationReport> {
  const database = openDatabase(engine, createLog(config.logLevel))
  try {
    await requireThisVersion(engine)
    const { current, previous } = typeof keys === 'function' ? keys() : keys
    printLine(`… cifrando com a chave ${keyIdOf(current)}`)
    const encryption = createEncryption(current, previous)
    let report = await rotateUntilStable(database, encryption)
    if (isShared) {
      printLine('… o site está no ar: esperando os cadastros que estavam a caminho')
      await delay(lastRecordsMs)
      const late = await rotateUntilStable(database, encryption)
      report = { rotated: report.rotated + late.rotated, remaining: late.remaining }
    }
    printLine(`✓ valores cifrados de novo: ${format(report.rotated)}. Com outra chave: ${format(report.remaining)}`)
    return report
  } finally {
    await database.close()
    await engine.stop()
  }
}

/** Repeated, because the site may have stored values since. Values that remain are readable with none of the keys. */
async function rotateUntilStable(database: Database, encryption: Encryption): Promise<RotationReport> {
  let total = 0
  let printed = 0
  for (;;) {
    const onProgress = (rotated: number) => {
      if (total + rotated < printed + progressStep) return
      printed = total + rotated
      printLine(`… ${format(printed)}`)
    }
    const { rotated, remaining } = await rotateKey(database, { encryption, onProgress })
    total += rotated
    if (rotated === 0 || remaining === 0) return { rotated: total, remaining }
  }
}

/** The engine of the database, or that of the running server. */
async function openAny(config: Config): Promise<{ engine: Engine; isShared: boolean }> {
  requireDatabase(config)
  try {
    return { engine: await openEngine(config), isShared: false }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
  }
  const connection = runningConnection(config.dataDir)
  const nothing = { shortenTimeouts: () => {}, stop: async () => {} }
  const pool = { ...connection, max: 1 }
  return {
    engine: { kind: 'embedded', pool, direct: connection, namedStatements: false, ...nothing },
    isShared: true,
  }
}

async function replaceLostKey(config: Config): Promise<void> {
  requireDatabase(config)
  const log = createLog(config.logLevel)
  const engine = await openEngine(config, log)
  try {
    await withClient(engine, async (client) => {
      if (!(await isMigrated(client))) throw notOfThisVersion()
      await refuseWhileServersRun(client)
      if (await readAddressKey(runSql(client), config))
        throw new AppError('conflict', 'a chave dos endereços deste banco pode ser lida, e não precisa ser trocada')
      await inTransaction(client, () => openAddressKey(client, config, log, { replacesLost: true }))
    })
    printLine(`✓ a chave dos endereços é nova. ${newsConsentWithdrawn}`)
  } finally {
    await engine.stop()
  }
}

/** A server of an earlier version does not follow the keys, and its tables lack encrypted columns. */
async function requireThisVersion(engine: Engine): Promise<void> {
  if (!(await withClient(engine, isMigrated))) throw notOfThisVersion()
}

const notOfThisVersion = () =>
  new AppError('not-found', 'este banco não tem os dados desta versão do Mobiliza. Inicie o site uma vez antes')

async function withClient<Result>({ direct }: Engine, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...direct, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection lost between two queries would end the process. The next query reports the loss.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Opening the engine would create an empty database. */
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !existsSync(join(dataDir, 'banco')))
    throw new AppError('not-found', `não há banco em ${dataDir}. Confira DATA_DIR, ou DATABASE_URL`)
}

function lockRotation(dataDir: string) {
  try {
    return lockFolder(dataDir, 'troca-de-chave.sqlite')
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new AppError('conflict', 'outra troca de chave está em andamento')
  }
}

function keepOldKey(dataDir: string, key: string): void {
  const file = join(dataDir, `chave-anterior-${keyIdOf(key)}.txt`)
  writeFileSync(file, `DATA_KEY_PREVIOUS=${key}\n`, { mode: 0o600, flush: true })
  printLine(
    `A chave antiga está em ${file}. As cópias de segurança feitas até agora precisam dela: guarde-a com elas, fora deste servidor, e apague o arquivo. Guarde também a nova, que está em segredos.json.`,
  )
}

const format = (n: number) => n.toLocaleString('pt-BR')

await main().catch(exitWithError)
