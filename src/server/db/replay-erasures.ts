// After a restore: erases again the people who were erased after the backup was made.
import type { ClientBase } from 'pg'
import { hmacPads, keepAddressKey, mailboxHmac, readAddressKeys } from '#server/core/address-key.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { Config } from '#server/core/config.ts'
import type { EncryptionKeys } from '#server/core/encryption.ts'
import { type ErasedPerson, readErasedPeople } from '#server/core/removal-journal.ts'
import { readAddressKey } from '#server/db/address-key.ts'
import { hmacSql } from '#server/db/bind-address-key.ts'
import { createOrm, type Orm } from '#server/db/database.ts'
import { insertErasedPerson, readErasedSince } from '#server/db/erased-people.ts'
import { mailboxDigestSql, mailboxSql } from '#server/db/mailbox.ts'
import {
  eraseFromOutbox,
  eraseMailbox,
  findMailboxRecords,
  idsOf,
  recordRemovedRequests,
} from '#server/db/mailbox-erasure.ts'
import { conversationsOf } from '#server/db/own-conversations.ts'
import { allTables, unionOf } from '#server/db/people-descriptors.ts'
import { runSql } from '#server/db/run-sql.ts'

type ListConfig = Pick<Config, 'dataDir'> & EncryptionKeys

export interface ErasureList {
  people: ErasedPerson[]
  /** The keys with which they may have been written. */
  keys: Buffer[]
}

/** The list of the data folder, and that of the database that is about to be replaced. */
export async function readErasureList(client: ClientBase, config: ListConfig): Promise<ErasureList> {
  const query = runSql(client)
  const list: ErasureList = { people: readErasedPeople(config), keys: readAddressKeys(config) }
  const [tables] = await query<{ exists: boolean }>(
    `select to_regclass('erased_people') is not null and to_regclass('address_keys') is not null as exists`,
    [],
  )
  if (!tables?.exists) return list
  const key = await readAddressKey(query, config)
  return {
    people: [...list.people, ...(await readErasedSince(query, new Date(0)))],
    keys: key ? [...list.keys, key] : list.keys,
  }
}

/** The same list with the key of the restored database, if it can be read. Refuses a list without keys. */
export async function withRestoredKey(client: ClientBase, list: ErasureList, config: ListConfig): Promise<ErasureList> {
  const restored = await readAddressKey(runSql(client), config)
  const keys = distinct(restored ? [...list.keys, restored] : list.keys)
  if (list.people.length > 0 && keys.length === 0) throw new Error(listWithoutKey)
  return { ...list, keys }
}

/**
 * Erases what is older than the erasure. A record since then is of the person who came back. Returns the number of
 * people of whom something was erased. The list is kept in the restored database, with its keys in the data folder.
 * `restoredKey`: that of the connection.
 */
export async function replayErasures(
  client: ClientBase,
  { people, keys }: ErasureList,
  { config, restoredKey }: { config: ListConfig; restoredKey: Buffer },
): Promise<number> {
  if (people.length === 0) return 0
  const orm = createOrm(client, restoredKey)
  const erased = new Set<string>()
  for (const key of keys) {
    for (const { mailbox, ...person } of await findMailboxes(client, people, key))
      if (await eraseAgain(orm, mailbox, person)) erased.add(mailbox)
    keepAddressKey(config, key)
  }
  for (const person of people) await insertErasedPerson(orm, person)
  return erased.size
}

const listWithoutKey =
  'Há pessoas apagadas por completo, e nenhuma chave com que reconhecê-las: copie enderecos.chave da pasta de dados do servidor anterior e repita. Se a chave se perdeu, inicie o site uma vez antes de repetir: essas pessoas voltam com a cópia.'

const distinct = (keys: Buffer[]) => keys.filter((key, index) => keys.findIndex((other) => other.equals(key)) === index)

type ErasedMailbox = Omit<ErasedPerson, 'mailboxHmac'> & { mailbox: string }

/** The mailboxes of erased people that the backup has brought back, each with every erasure, the earliest first. */
async function findMailboxes(client: ClientBase, people: ErasedPerson[], key: Buffer): Promise<ErasedMailbox[]> {
  const erasures = Map.groupBy(people, ({ mailboxHmac: hmac }) => hmac.toString('hex'))
  const { inner, outer } = hmacPads(key)
  const { rows: records } = await client.query<{ mailbox: string }>(
    `select distinct ${mailboxSql('"canonicalEmail"')} as mailbox from (
      ${unionOf(allTables, (table) => `select "canonicalEmail" from ${table}`)}) people
    where ${hmacSql(mailboxDigestSql('"canonicalEmail"'), { inner: '$1', outer: '$2' })} = any($3::bytea[])`,
    [inner, outer, [...erasures.keys()].map((hex) => Buffer.from(hex, 'hex'))],
  )
  // Addresses of conversations are not canonical.
  const { rows: conversations } = await client.query<{ email: string }>(
    'select distinct email from bot_conversas where email is not null',
  )
  const mailboxes = new Set(
    [...records.map(({ mailbox }) => mailbox), ...conversations.map(({ email }) => email)].map((address) =>
      mailboxOf(canonicalizeEmail(address)),
    ),
  )
  return [...mailboxes].flatMap((mailbox) =>
    (erasures.get(mailboxHmac(key, mailbox).toString('hex')) ?? [])
      .toSorted((one, other) => one.erasedAt.getTime() - other.erasedAt.getTime())
      .map(({ erasedAt, byOwner }) => ({ mailbox, erasedAt, byOwner })),
  )
}

/** In the transaction of the restore. Returns whether there was anything. */
async function eraseAgain(
  tx: Orm,
  mailbox: string,
  { erasedAt, byOwner }: Omit<ErasedPerson, 'mailboxHmac'>,
): Promise<boolean> {
  const all = await findMailboxRecords(tx, mailbox)
  const records = all.filter(({ createdAt }) => Date.parse(createdAt) <= erasedAt.getTime())
  const conversations = await conversationsOf(tx, {
    mailbox,
    phones: byOwner ? [] : records.map(({ whatsapp }) => whatsapp),
    until: erasedAt,
  })
  if (records.length + conversations.length === 0) return false
  await recordRemovedRequests(tx, records)
  await eraseFromOutbox(tx, mailbox, idsOf(records))
  await eraseMailbox(tx, { mailbox, records, conversations, hasComeBack: records.length < all.length })
  return true
}
