// Finds what is stored about an e-mail address: records of the forms and conversations with the chatbot.
import { eq, sql } from 'drizzle-orm'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { Orm } from '#server/db/database.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { maxConversationsByEmail, withMailbox } from '#server/db/own-conversations.ts'
import { allTables, type PersonColumn, type PersonTable } from '#server/db/people-descriptors.ts'
import { botConversas } from '#server/db/schema.ts'

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
 * Conversations in which the address was given, in any spelling. Not those of the same phone number: nobody has shown that
 * the number of a form belongs to the owner of the mailbox.
 */
export async function findConversations(tx: Pick<Orm, 'select'>, email: string): Promise<number[]> {
  const canonicalEmail = canonicalizeEmail(email)
  const rows = await tx
    .select({ id: botConversas.id, email: botConversas.email })
    .from(botConversas)
    .where(withMailbox(mailboxOf(canonicalEmail)))
    .orderBy(botConversas.id)
    .limit(maxConversationsByEmail)
  // The link proves only this address, not those with another tag.
  return rows.flatMap(({ id, email: typed }) => (canonicalizeEmail(typed ?? '') === canonicalEmail ? [id] : []))
}

export interface Owner {
  /** As stored: the e-mail is sent to the address that was given, not to the one that a stranger types. */
  email: string
  name: string
  /** Null if there are only conversations. */
  recordId: string | null
}

export async function findOwner(tx: Tx & Pick<Orm, 'select'>, email: string): Promise<Owner | undefined> {
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
  if (conversation === undefined) return undefined
  const [row] = await tx
    .select({ email: botConversas.email, name: botConversas.nome })
    .from(botConversas)
    .where(eq(botConversas.id, conversation))
  return row?.email ? { email: row.email, name: row.name ?? '', recordId: null } : undefined
}
