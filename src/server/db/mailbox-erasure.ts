// Finds and deletes everything about a mailbox in the database. Used by the site and by a restore, which repeats it.
import { type SQL, sql } from 'drizzle-orm'
import type { Orm } from '#server/db/database.ts'
import { mailboxSql, typedMailboxSql } from '#server/db/mailbox.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { allTables, formTables, type PersonTable, peopleDescriptors } from '#server/db/people-descriptors.ts'
import { removeWantedSignatures } from '#server/db/signature-removal.ts'
import { forgetSuppressedEmails } from '#server/db/suppressed-emails.ts'

type Tx = Pick<Orm, 'execute' | 'addressHmac'>

export interface RecordKey {
  source: PersonTable
  id: string
  canonicalEmail: string
}

/** Signatures and form records. */
export interface MailboxRecord extends RecordKey, Record<string, unknown> {
  email: string
  whatsapp: string
  createdAt: string
}

export async function findMailboxRecords(tx: Tx, mailbox: string): Promise<MailboxRecord[]> {
  const { rows } = await tx.execute<MailboxRecord>(sql`
    with ${mailboxRecords(mailbox)}
    select source, id, email, "canonicalEmail", whatsapp,
      to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt" from mailbox_records`)
  return rows
}

export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)
const idList = (ids: (string | number)[], type: string) => sql`${sql.param(ids)}::${sql.raw(type)}[]`

/** News items have many recipients, and no index by mailbox: the keys of the index are skipped from item to item. */
const newsItems = sql`
  (select "newsId" from news_recipients order by "newsId" limit 1)
  union all
  select (select "newsId" from news_recipients r where r."newsId" > items."newsId" order by "newsId" limit 1) from items
  where items."newsId" is not null`

/** The numbers of what refers to a mailbox besides its records. */
export async function countMailboxTraces(tx: Tx, mailbox: string, ids: string[]) {
  const hmac = tx.addressHmac(mailbox)
  const { rows } = await tx.execute<{ notas: number; links: number; novidades: number }>(sql`
    with recursive items as (${newsItems})
    select (select count(*)::int from people_notes where "recordId" = any(${idList(ids, 'uuid')})
        and kind = any(${sql.param(Object.keys(peopleDescriptors))}::text[])) as notas,
      (select count(*)::int from email_tokens where "addressHmac" = ${hmac}) as links,
      (select count(*)::int from items join news_recipients r on r."newsId" = items."newsId" and r."addressHmac" = ${hmac})
        as novidades`)
  return rows[0] ?? { notas: 0, links: 0, novidades: 0 }
}

/** What is queued for the person, except for what changes the spreadsheet. */
export async function eraseFromOutbox(tx: Tx, mailbox: string, ids: string[]): Promise<void> {
  const repeats = sql`(select coalesce(jsonb_agg(request), '[]') from jsonb_array_elements(payload) as requests(request)
    where ${sql.raw(mailboxSql(`request->>'emailCanonico'`))} is distinct from ${mailbox})`
  const isDelivery = sql`case kind when 'email' then payload->>'id' = any(${idList(ids, 'text')})
    when 'novidade' then payload->>'destinatario' = ${tx.addressHmac(mailbox).toString('base64')}
    else ${sql.raw(typedMailboxSql(`payload->>'email'`))} = ${mailbox} end`
  // A locked row is being processed: a deleted record gets no e-mail.
  await tx.execute(sql`
    delete from outbox where id = any(array(
      select id from outbox where kind in ('email', 'novidade', 'meus-dados', 'meus-dados-email') and ${isDelivery} for update skip locked))`)
  await tx.execute(sql`
    with repeated as (
      select id from outbox where kind = 'pedidos-repetidos' and jsonb_typeof(payload) = 'array' for update skip locked)
    update outbox set payload = ${repeats} from repeated where outbox.id = repeated.id and payload <> ${repeats}`)
}

/** E-mails that could not be sent: the reason may contain the address. A waiting e-mail to a deleted record is not sent. */
export async function eraseDeadLetters(tx: Tx, mailboxes: string[], ids: string[]): Promise<void> {
  const recipients = mailboxes.map((mailbox) => tx.addressHmac(mailbox).toString('base64'))
  await tx.execute(sql`
    delete from outbox where dead and case kind when 'email' then payload->>'id' = any(${idList(ids, 'text')})
      when 'novidade' then payload->>'destinatario' = any(${idList(recipients, 'text')}) end`)
}

/** Must be committed before the records are deleted: a request that arrives in between still finds its record. */
export async function recordRemovedRequests(tx: Tx, records: MailboxRecord[]): Promise<void> {
  for (const { table } of allTables) {
    const ids = idsOf(records.filter(({ source }) => source === table))
    if (ids.length === 0) continue
    await tx.execute(sql`
      insert into removed_requests (digest)
      select sha256(uuid_send("requestId") || convert_to("canonicalEmail", 'UTF8')) from ${sql.identifier(table)}
      where id = any(${idList(ids, 'uuid')}) on conflict (digest) do nothing`)
  }
}

interface MailboxErasure {
  mailbox: string
  records: MailboxRecord[]
  conversations: number[]
  /** The mailbox has later records: what is known about the mailbox is theirs too. */
  hasComeBack?: boolean
}

/**
 * Deletes the given records and conversations, and everything else about the mailbox, in the caller's transaction, which
 * has locked the mailbox if servers are running. What the mailbox must not get stays, without the address. Records take
 * their workflow, notes and search terms with them.
 */
export async function eraseMailbox(tx: Tx, erasure: MailboxErasure): Promise<void> {
  const { mailbox, records, conversations, hasComeBack = false } = erasure
  // In the order of the signing path, so that two transactions cannot deadlock.
  await tx.execute(sql`
    select from peticoes where id = any(${idList(idsOf(records), 'uuid')}) order by campanha, "canonicalEmail" for update`)
  await deleteRecords(tx, records, removeWantedSignatures)
  await tx.execute(sql`delete from bot_conversas where id = any(${idList(conversations, 'bigint')})`)
  if (!hasComeBack) await deleteMailboxStates(tx, [mailbox], records)
}

/** `wantedSignatures`: the CTEs that delete the signatures in the CTE `wanted`. */
export async function deleteRecords(tx: Tx, records: RecordKey[], wantedSignatures: string): Promise<void> {
  const ofTable = (table: PersonTable): SQL | undefined => {
    const ids = idsOf(records.filter(({ source }) => source === table))
    return ids.length > 0 ? idList(ids, 'uuid') : undefined
  }
  const signatures = ofTable('peticoes')
  if (signatures)
    await tx.execute(sql`
      with wanted as (select unnest(${signatures}) as id), ${sql.raw(wantedSignatures)} select count(*) from gone`)
  for (const { table, sheetTab } of formTables) {
    const ids = ofTable(table)
    if (!ids) continue
    const payload = `jsonb_build_object('aba', '${sheetTab}', 'ids', jsonb_agg(id))`
    await tx.execute(sql`
      with gone as (delete from ${sql.identifier(table)} where id = any(${ids}) returning id, "canonicalEmail"),
      ${sql.raw(forgetSuppressedEmails('gone'))},
      queued as (${sql.raw(enqueueSql('planilha-remover', payload, { clauses: 'from gone having count(*) > 0' }))})
      select count(*) from gone`)
  }
}

/** Everything about mailboxes without records, of which these were the last. */
export async function deleteMailboxStates(tx: Tx, mailboxes: string[], records: RecordKey[]): Promise<void> {
  const hmacsOf = (addresses: string[]) => sql`${sql.param(addresses.map(tx.addressHmac))}::bytea[]`
  const hmacs = hmacsOf(mailboxes)
  await tx.execute(sql`delete from email_tokens where "addressHmac" = any(${hmacs})`)
  // The number of e-mails stays, but not their subjects: erasing must not be a way to get more of them.
  await tx.execute(sql`
    with forgotten as (
      delete from emails_por_endereco where "addressHmac" = any(${hmacs}) and campanha <> '' returning "addressHmac", n)
    insert into emails_por_endereco ("addressHmac", campanha, n) select "addressHmac", '', max(n) from forgotten group by 1
    on conflict ("addressHmac", campanha) do update set n = greatest(emails_por_endereco.n, excluded.n)`)
  await tx.execute(sql`delete from news_opt_outs where "addressHmac" = any(${hmacs})`)
  // A recipient whose turn has not come gets nothing, and the results of the sending still add up.
  await tx.execute(sql`
    with recursive items as (${newsItems}),
    gone as (
      delete from news_recipients r using items where r."newsId" = items."newsId" and r."addressHmac" = any(${hmacs})
      returning r."newsId", r.outcome),
    waiting as (select "newsId", count(*)::int as n from gone where outcome is null group by 1)
    update news_sends s set
      skipped = skipped + case when status in ('sending', 'paused', 'done', 'cancelled') then n else 0 end,
      recipients = recipients - case when status in ('preparing', 'prepared') then n else 0 end
    from waiting where s."newsId" = waiting."newsId"`)
  const all = hmacsOf([...mailboxes, ...records.map(({ canonicalEmail }) => canonicalEmail)])
  await tx.execute(sql`
    update enderecos set "suppressedEmail" = null, "suppressionDetail" = null, "notifiedAt" = null, "newsSentOn" = null,
      "newsSentCount" = null where "addressHmac" = any(${all})`)
  // Reports about an address of which there is no record.
  await tx.execute(sql`
    update enderecos set "suppressedEmail" = null, "suppressionDetail" = null
    where "rejectedAt" is not null and ${sql.raw(mailboxSql('"suppressedEmail"'))} = any(${sql.param(mailboxes)}::text[])`)
  await tx.execute(sql`
    delete from enderecos where "addressHmac" = any(${all})
      and "unsubscribedAt" is null and "doNotContactAt" is null and "rejectedAt" is null`)
}
