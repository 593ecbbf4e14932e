// The chatbot conversations of a person: by phone number or e-mail address, as the person typed them there.
import { and, or, type SQL, sql } from 'drizzle-orm'
import { phoneKey } from '#contract/phone.ts'
import { allWordsQuery, conversationSearchVector } from '#server/db/conversation-search.ts'
import type { Orm } from '#server/db/database.ts'
import { botConversas } from '#server/db/schema.ts'

/** More would mean a phone number that many people share. */
export const maxConversationsPerPerson = 20

/** A number without area code matches every area code. */
export function withPhone(phone: string): SQL {
  const exact = phone.length > 8 ? sql` and ${botConversas.telefone} = ${phone}` : sql``
  return sql`(right(telefone, 8) = ${phone.slice(-8)}${exact})`
}

export const withEmail = (email: string) =>
  and(
    sql`${conversationSearchVector} @@ ${allWordsQuery(email)}`,
    sql`lower(${botConversas.email}) = ${email.toLowerCase()}`,
  )

interface ContactPoints {
  emails: string[]
  /** As typed in forms. */
  phones: string[]
}

/** Conversations to erase with a person. Those of a phone number that many people share stay. */
export async function conversationsOf(tx: Pick<Orm, 'select'>, { emails, phones }: ContactPoints): Promise<number[]> {
  const ids = (where: SQL | undefined, limit: number) =>
    tx.select({ id: botConversas.id }).from(botConversas).where(where).limit(limit)
  const found = new Set<number>()
  if (emails.length > 0) for (const { id } of await ids(or(...emails.map(withEmail)), 1_000)) found.add(id)
  for (const key of new Set(phones.flatMap((phone) => phoneKey(phone) ?? []))) {
    const rows = await ids(withPhone(key), maxConversationsPerPerson + 1)
    if (rows.length <= maxConversationsPerPerson) for (const { id } of rows) found.add(id)
  }
  return [...found]
}
