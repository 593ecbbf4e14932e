// What is left of the HMACs of addresses if their key is lost: nobody can tell any more whose they are.
import type { RunSql } from '#server/db/address-key.ts'
import { addressHmacSql, mailboxHmacSql } from '#server/db/mailbox.ts'
import { allTables, unionOf } from '#server/db/people-descriptors.ts'

const choices = `
  select from enderecos where "unsubscribedAt" is not null or "doNotContactAt" is not null
  union all select from news_opt_outs`

/** Whether people have unsubscribed: with another key they would get news again. */
export async function hasUnsubscribed(query: RunSql): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(`select exists (${choices}) as found`, [])
  return row?.found === true
}

const people = unionOf(allTables, (table) => `select id, "canonicalEmail" from ${table}`)

/**
 * If anybody has unsubscribed, everybody counts as somebody who accepts no news. What can be found again without the lost
 * key gets HMACs of the key of the connection: suppressed addresses, and the links of existing records.
 */
export const withdrawNewsConsent = `
with lost as materialized (select where exists (${choices})),
${allTables.map(({ table }) => `"${table}Withdrawn" as (update ${table} set "aceitaNovidades" = false from lost where "aceitaNovidades")`).join(',\n')},
states as (delete from enderecos where "suppressedEmail" is null),
suppressed as (
  update enderecos set "addressHmac" = ${addressHmacSql('"suppressedEmail"')}, "unsubscribedAt" = null, "doNotContactAt" = null
  where "suppressedEmail" is not null),
linked as materialized (
  select digest, ${mailboxHmacSql('"canonicalEmail"')} as hmac from email_tokens join (${people}) people on id = "recordId"),
links as (update email_tokens set "addressHmac" = hmac from linked where linked.digest = email_tokens.digest),
"otherLinks" as (delete from email_tokens where digest not in (select digest from linked)),
numbers as (delete from emails_por_endereco)
delete from news_opt_outs`
