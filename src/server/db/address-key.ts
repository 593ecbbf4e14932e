// Opens the key of the HMACs of addresses. All nodes use the one in the database.
import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { addressKeyBytes, fingerprintOf, keepAddressKey, readAddressKeys } from '#server/core/address-key.ts'
import { type Config, ConfigError } from '#server/core/config.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import type { Log } from '#server/core/log.ts'
import { bindAddressKey, hmacSql } from '#server/db/bind-address-key.ts'
import { hasUnsubscribed, withdrawNewsConsent } from '#server/db/lost-address-key.ts'
import { type RunSql, runSql } from '#server/db/run-sql.ts'
import { updateInParts } from '#server/db/update-in-parts.ts'

type KeyConfig = Pick<Config, 'dataDir'> & EncryptionKeys

interface StoredKey {
  key: Buffer
  isEncrypted: boolean
  fingerprint: Buffer
}

interface KeyRow extends StoredKey {
  /** Tables have HMACs of this key. Until the first start after an upgrade they have digests without a key. */
  isInUse: boolean
}

/** Its owner in the sense of `encrypt`. */
export const addressKeyOwner = 'address-key'
const keyRow = 1

function wrap(key: Buffer, config: KeyConfig): StoredKey {
  const fingerprint = fingerprintOf(key)
  const encryption = encryptionOf(config)
  if (!encryption) return { key, isEncrypted: false, fingerprint }
  return { key: encryption.encrypt(key.toString('base64'), addressKeyOwner), isEncrypted: true, fingerprint }
}

function unwrap({ key, isEncrypted }: StoredKey, config: KeyConfig): Buffer | undefined {
  if (!isEncrypted) return key
  const encryption = encryptionOf(config)
  if (!encryption) return undefined
  try {
    return Buffer.from(encryption.decrypt(key, addressKeyOwner), 'base64')
  } catch {
    // Encrypted with another key.
    return undefined
  }
}

const readRow = async (query: RunSql) => (await query<KeyRow>('select * from address_keys where id = $1', [keyRow]))[0]

/** The key of the stored HMACs cannot be read: people who have unsubscribed would get news. */
export class AddressKeyLost extends ConfigError {
  constructor() {
    super([keyLost])
  }
}

const keyLost =
  'a chave dos endereços (de quem saiu das novidades, por exemplo) está cifrada com outra DATA_KEY. Use a DATA_KEY deste banco, ou copie enderecos.chave da pasta de dados do servidor anterior. Se as duas se perderam, rode npm run rotate-key -- --enderecos-perdidos'

/** The key of a database, if it has one that can be read. The copy in the data folder survives a change of DATA_KEY. */
export async function readAddressKey(query: RunSql, config: KeyConfig): Promise<Buffer | undefined> {
  const row = await readRow(query)
  if (!row) return undefined
  const isSame = (key: Buffer) => fingerprintOf(key).equals(row.fingerprint)
  return [unwrap(row, config), ...readAddressKeys(config)].find((key) => key !== undefined && isSame(key))
}

interface OpenOptions {
  /** Replaces a lost key although people have unsubscribed. Otherwise this throws `AddressKeyLost`. */
  replacesLost?: boolean
}

interface OpenedKey {
  key: Buffer
  /** Another key was in use, and could not be read. */
  wasLost: boolean
}

/**
 * Creates the key at the first start. At a later start it encrypts the key again if DATA_KEY was set or changed. At the
 * first start after an upgrade it replaces the digests of earlier versions, which had no key. Must run in a transaction,
 * and not twice at the same time: servers hold the lock of the start, and a restore is alone.
 */
export async function openAddressKey(
  client: ClientBase,
  config: KeyConfig,
  log: Log,
  { replacesLost = false }: OpenOptions = {},
): Promise<OpenedKey> {
  const query = runSql(client)
  const stored = await readRow(query)
  const known = stored && (await readAddressKey(query, config))
  const wasLost = stored?.isInUse === true && !known
  if (wasLost && !replacesLost && (await hasUnsubscribed(query))) throw new AddressKeyLost()
  if (stored && !known) log.warn({}, 'address key cannot be read with this DATA_KEY; a new one replaces it')
  const key = known ?? readAddressKeys(config).at(-1) ?? randomBytes(addressKeyBytes)
  bindAddressKey(client, key)
  if (wasLost) await withdrawNewsConsent(query)
  const isCurrent = known && (config.dataKey ? stored.isEncrypted && unwrap(stored, config) : true)
  if (!isCurrent) await store(query, wrap(key, config))
  try {
    keepAddressKey(config, key)
  } catch (error) {
    log.warn({ err: error }, 'copy of the address key not written')
  }
  if (!stored?.isInUse) await replaceDigests(query, log)
  return { key, wasLost }
}

async function store(query: RunSql, { key, isEncrypted, fingerprint }: StoredKey): Promise<void> {
  await query(
    `insert into address_keys (id, key, "isEncrypted", fingerprint) values ($1, $2, $3, $4)
    on conflict (id) do update set key = excluded.key, "isEncrypted" = excluded."isEncrypted", fingerprint = excluded.fingerprint`,
    [keyRow, key, isEncrypted, fingerprint],
  )
}

/**
 * Recipients are queued in the order of their HMACs: a sending that has queued a part of them begins again, without those
 * that have an outcome.
 */
async function replaceDigests(query: RunSql, log: Log): Promise<void> {
  const [rows] = await query<{ some: boolean }>('select exists (select from emails_por_endereco) as some', [])
  if (rows?.some) log.info({}, 'digests of addresses are being replaced by HMACs')
  for (const table of keyedTables)
    await updateInParts(query, { table, set: `"addressHmac" = ${hmacSql('"addressHmac"')}` })
  await query(restartSends, [])
  await updateInParts(query, {
    table: 'outbox',
    set: `payload = jsonb_set(payload, '{destinatario}', to_jsonb(encode(${hmacSql(`decode(payload->>'destinatario', 'base64')`)}, 'base64')))`,
    where: `kind = 'novidade' and payload->>'destinatario' ~ '^[A-Za-z0-9+/]{43}=$'`,
  })
  await query('update address_keys set "isInUse" = true', [])
}

const keyedTables = ['enderecos', 'emails_por_endereco', 'email_tokens', 'news_recipients', 'news_opt_outs']

const restartSends = `
with positions as (
  update news_sends set "queuedUpTo" = null where "queuedUpTo" is not null
  returning "newsId", status in ('sending', 'paused') and not "isQueued" as "isRestarted")
delete from outbox using positions where "isRestarted" and kind = 'novidade' and (payload->>'novidade')::bigint = "newsId"`
