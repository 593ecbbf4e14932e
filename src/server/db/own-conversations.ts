// The chatbot conversations of a person: by phone number or e-mail address, as the person typed them there.
import { and, lte, type SQL, sql } from 'drizzle-orm'
import { phoneKey } from '#contract/phone.ts'
import type { Orm } from '#server/db/database.ts'
import { typedMailboxSql } from '#server/db/mailbox.ts'
import { botConversas } from '#server/db/schema.ts'

/** More would mean a phone number that many people share. */
export const maxConversationsPerPerson = 20
export const maxConversationsByEmail = 1_000

/** A number without area code matches every area code. */
export function withPhone(phone: string): SQL {
  const exact = phone.length > 8 ? sql` and ${botConversas.telefone} = ${phone}` : sql``
  return sql`(right(telefone, 8) = ${phone.slice(-8)}${exact})`
}

/** Addresses of the mailbox in any spelling: a conversation has the address as it was typed. */
export const withMailbox = (mailbox: string) => sql`${sql.raw(typedMailboxSql('email'))} = ${mailbox}`

interface ContactPoints {
  mailbox: string
  /** As typed in forms. */
  phones: string[]
  /** Without conversations that began later. */
  until?: Date
}

/** Conversations to erase with a person. Those of a phone number that many people share stay. */
export async function conversationsOf(
  tx: Pick<Orm, 'select'>,
  { mailbox, phones, until }: ContactPoints,
): Promise<number[]> {
  const isOldEnough = until && lte(botConversas.createdAt, until)
  const ids = (where: SQL | undefined, limit: number) =>
    tx.select({ id: botConversas.id }).from(botConversas).where(and(where, isOldEnough)).limit(limit)
  const found = new Set<number>()
  for (const { id } of await ids(withMailbox(mailbox), maxConversationsByEmail)) found.add(id)
  for (const key of new Set(phones.flatMap((phone) => phoneKey(phone) ?? []))) {
    const rows = await ids(withPhone(key), maxConversationsPerPerson + 1)
    if (rows.length <= maxConversationsPerPerson) for (const { id } of rows) found.add(id)
  }
  return [...found]
}
