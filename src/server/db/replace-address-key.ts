// Replaces the key of the HMACs of addresses after it was lost. Nobody can tell any more who has unsubscribed, so that
// everybody counts as unsubscribed.
import type { ClientBase } from 'pg'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { type KeyConfig, openAddressKey, readAddressKey, runSql } from '#server/db/address-key.ts'
import { addressHmacSql, mailboxHmacSql } from '#server/db/mailbox.ts'
import { allTables, unionOf } from '#server/db/people-descriptors.ts'

const people = unionOf(allTables, (table) => `select id, "canonicalEmail" from ${table}`)

/** What can be found again without the old key stays: suppressed addresses, and the links of existing records. */
const rewrite = [
  ...allTables.map(({ table }) => `update ${table} set "aceitaNovidades" = false where "aceitaNovidades"`),
  'delete from enderecos where "suppressedEmail" is null',
  `update enderecos set "addressHmac" = ${addressHmacSql('"suppressedEmail"')}, "unsubscribedAt" = null, "doNotContactAt" = null`,
  `with linked as (
    select digest, ${mailboxHmacSql('"canonicalEmail"')} as hmac from email_tokens join (${people}) people on id = "recordId")
  update email_tokens set "addressHmac" = hmac from linked where linked.digest = email_tokens.digest`,
  `delete from email_tokens where not exists (select from (${people}) people where id = "recordId")`,
  'delete from emails_por_endereco',
  'delete from news_opt_outs',
]

/** Returns the number of people who no longer get news. No server may be running. */
export async function replaceAddressKey(client: ClientBase, config: KeyConfig, log: Log): Promise<number> {
  if (await readAddressKey(runSql(client), config))
    throw new AppError('conflict', 'a chave dos endereços deste banco pode ser lida, e não precisa ser trocada')
  await client.query('begin')
  try {
    await client.query('delete from address_keys')
    await openAddressKey(client, config, log)
    const counts: number[] = []
    for (const statement of rewrite) counts.push((await client.query(statement)).rowCount ?? 0)
    await client.query('commit')
    return counts.slice(0, allTables.length).reduce((sum, n) => sum + n, 0)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
