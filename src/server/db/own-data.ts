// Finds what is stored about an e-mail address: records of the forms and conversations with the chatbot.
import { sql } from 'drizzle-orm'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { allWordsQuery, conversationSearchVector } from '#server/db/conversation-search.ts'
import type { Orm } from '#server/db/database.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { allTables, type PersonColumn, type PersonTable } from '#server/db/people-descriptors.ts'

type Tx = Pick<Orm, 'execute'>

interface FoundRecord {
  table: PersonTable
  id: string
}

/**
 * The records of an address, the oldest first. Only those with the same canonical address: `name+tag@` of a domain that
 * does not know tags may belong to another person than `name@`.
 */
export async function findRecords(tx: Tx, email: string): Promise<FoundRecord[]> {
  const canonicalEmail = canonicalizeEmail(email)
  const { rows } = await tx.execute<FoundRecord & Record<string, unknown>>(sql`
    with ${mailboxRecords(mailboxOf(canonicalEmail))}
    select source as "table", id from mailbox_records where "canonicalEmail" = ${canonicalEmail} order by id`)
  return rows
}

/**
 * Conversations in which this address was given. Not those of the same phone number: nobody has shown that the number
 * of a form belongs to the owner of the mailbox.
 */
export async function findConversations(tx: Tx, email: string): Promise<{ id: number; email: string; nome: string }[]> {
  const addresses = [...new Set([email.toLowerCase(), canonicalizeEmail(email)])]
  const { rows } = await tx.execute<{ id: string; email: string; nome: string | null }>(sql`
    select distinct bot_conversas.id, email, nome from bot_conversas, unnest(${sql.param(addresses)}::text[]) as given(address)
    where lower(email) = given.address and (${sql.join(
      addresses.map((address) => sql`${conversationSearchVector} @@ ${allWordsQuery(address)}`),
      sql` or `,
    )})
    order by bot_conversas.id`)
  return rows.map(({ id, email: stored, nome }) => ({ id: Number(id), email: stored, nome: nome ?? '' }))
}

export interface Owner {
  /** As stored: the e-mail is sent to the address that was given, not to the one that a stranger types. */
  email: string
  name: string
  /** Null if there are only conversations. */
  recordId: string | null
}

export async function findOwner(tx: Tx, email: string): Promise<Owner | undefined> {
  const newest = (await findRecords(tx, email)).at(-1)
  if (newest) {
    const { table, id } = newest
    const columns: PersonColumn[] = allTables.find((one) => one.table === table)?.columns ?? []
    const name = columns.find(({ key }) => key === 'nome')?.sql ?? `''`
    const { rows } = await tx.execute<{ email: string; name: string }>(
      sql`select email, ${sql.raw(name)} as name from ${sql.identifier(table)} p where id = ${id}`,
    )
    const [row] = rows
    if (row) return { ...row, recordId: id }
  }
  const [conversation] = await findConversations(tx, email)
  return conversation && { email: conversation.email, name: conversation.nome, recordId: null }
}
