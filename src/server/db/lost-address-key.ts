// What is left of the HMACs of addresses if their key is lost: nobody can tell any more whose they are.

import { addressHmacSql, mailboxHmacSql } from '#server/db/mailbox.ts'
import { allTables, unionOf } from '#server/db/people-descriptors.ts'
import type { RunSql } from '#server/db/run-sql.ts'
import { updateInParts } from '#server/db/update-in-parts.ts'

/** Whether people have unsubscribed: with another key they would get news again. */
export async function hasUnsubscribed(query: RunSql): Promise<boolean> {
  const [row] = await query<{ found: boolean }>(
    `select exists (
      select from enderecos where "unsubscribedAt" is not null or "doNotContactAt" is not null
      union all select from news_opt_outs) as found`,
    [],
  )
  return row?.found === true
}

const people = unionOf(allTables, (table) => `select id, "canonicalEmail" from ${table}`)

const rewrite = [
  'delete from enderecos where "suppressedEmail" is null',
  `update enderecos set "addressHmac" = ${addressHmacSql('"suppressedEmail"')}, "unsubscribedAt" = null, "doNotContactAt" = null`,
  `delete from email_tokens where not exists (select from (${people}) people where id = "recordId")`,
  `update email_tokens set "addressHmac" = ${mailboxHmacSql('"canonicalEmail"')} from (${people}) people where id = "recordId"`,
  'delete from emails_por_endereco',
  'delete from news_opt_outs',
]

/**
 * If anybody has unsubscribed, everybody counts as somebody who accepts no news. What can be found again without the lost
 * key gets HMACs of the key of the connection: suppressed addresses, and the links of existing records. Must run in a
 * transaction.
 */
export async function withdrawNewsConsent(query: RunSql): Promise<void> {
  if (await hasUnsubscribed(query))
    for (const { table } of allTables)
      await updateInParts(query, { table, set: '"aceitaNovidades" = false', where: '"aceitaNovidades"' })
  for (const statement of rewrite) await query(statement, [])
}
