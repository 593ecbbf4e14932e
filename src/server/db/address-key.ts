// Opens the key of the HMACs of mailboxes. All nodes use the one in the database.
import { randomBytes } from 'node:crypto'
import { addressKeyBytes, fingerprintOf, keepAddressKey, readAddressKeys } from '#server/core/address-key.ts'
import type { Config } from '#server/core/config.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import type { Log } from '#server/core/log.ts'

type KeyConfig = Pick<Config, 'dataDir'> & EncryptionKeys

interface StoredKey {
  key: Buffer
  isEncrypted: boolean
  fingerprint: Buffer
}

/** Anything that runs SQL: the pool of a server, or the connection of a restore. */
export type RunSql = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>

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

const readRow = async (query: RunSql) =>
  (await query<StoredKey>('select key, "isEncrypted", fingerprint from address_keys where id = $1', [keyRow]))[0]

/** The key of a database, if it has one that can be read. The copy in the data folder survives a change of DATA_KEY. */
export async function readAddressKey(query: RunSql, config: KeyConfig): Promise<Buffer | undefined> {
  const row = await readRow(query)
  if (!row) return undefined
  const isSame = (key: Buffer) => fingerprintOf(key).equals(row.fingerprint)
  return [unwrap(row, config), ...readAddressKeys(config)].find((key) => key !== undefined && isSame(key))
}

/**
 * Creates the key at the first start. At a later start it encrypts the key again if DATA_KEY was set or changed. If
 * neither DATA_KEY nor the data folder can open it, it is replaced: the erasure list then no longer matches anybody.
 */
export async function openAddressKey(query: RunSql, config: KeyConfig, log: Log): Promise<Buffer> {
  const key = await ensureStored(query, config, log)
  try {
    keepAddressKey(config, key)
  } catch (error) {
    log.warn({ err: error }, 'copy of the address key not written')
  }
  return key
}

async function ensureStored(query: RunSql, config: KeyConfig, log: Log): Promise<Buffer> {
  const stored = await readRow(query)
  const known = stored && (await readAddressKey(query, config))
  const isCurrent = stored && (config.dataKey ? stored.isEncrypted && unwrap(stored, config) : true)
  if (known && isCurrent) return known
  if (stored && !known) log.warn({}, 'address key cannot be read with this DATA_KEY; a new one replaces it')
  const key = known ?? readAddressKeys(config).at(-1) ?? randomBytes(addressKeyBytes)
  const { key: wrapped, isEncrypted, fingerprint } = wrap(key, config)
  // Only if the row is still as it was read: several nodes may start at the same time.
  await query(
    `insert into address_keys (id, key, "isEncrypted", fingerprint) values ($1, $2, $3, $4)
    on conflict (id) do update set key = excluded.key, "isEncrypted" = excluded."isEncrypted", fingerprint = excluded.fingerprint
    where address_keys.key = $5`,
    [keyRow, wrapped, isEncrypted, fingerprint, stored?.key ?? null],
  )
  return (await readAddressKey(query, config)) ?? key
}
