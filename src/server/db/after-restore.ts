// After a restore: repeats the removals and unsubscribes since the backup, and keeps queued e-mails from being sent.
import type { ClientBase } from 'pg'
import { adminMessages } from '#contract/admin/messages.ts'
import type { JournaledRefusal, JournaledRemovals } from '#server/core/removal-journal.ts'
import { hmacSql } from '#server/db/bind-address-key.ts'
import { mailboxDigestSql } from '#server/db/mailbox.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { allTables, formTables, unionOf } from '#server/db/people-descriptors.ts'
import { removeWantedSignatures } from '#server/db/signature-removal.ts'
import { forgetSuppressedEmails } from '#server/db/suppressed-emails.ts'

const isInJournal = 'sha256($1::bytea || uuid_send(id)) = any($2::bytea[])'

const removeSignatures = `
with wanted as (select id from peticoes where ${isInJournal}), ${removeWantedSignatures}
select count(*)::int as n from gone`

const removeForms = ({ table, sheetTab }: (typeof formTables)[number]) => `
with gone as (delete from ${table} where ${isInJournal} returning id, "canonicalEmail"),
${forgetSuppressedEmails('gone')},
queued as (
  ${enqueueSql('planilha-remover', `jsonb_build_object('aba', '${sheetTab}', 'id', id)`, { clauses: 'from gone' })})
select count(*)::int as n from gone`

const removals = [removeSignatures, ...formTables.map(removeForms)]

const unsubscribe = (refusals: string) => `
  insert into enderecos ("addressHmac", "unsubscribedAt", "doNotContactAt")
  select "addressHmac", now(), case when "fromEverything" then now() end from ${refusals}
  on conflict ("addressHmac") do update set "unsubscribedAt" = coalesce(enderecos."unsubscribedAt", now()),
    "doNotContactAt" = coalesce(enderecos."doNotContactAt", excluded."doNotContactAt")`

const unsubscribeAgain = `
with given as (
  select "addressHmac", bool_or("fromEverything") as "fromEverything"
  from unnest($1::bytea[], $2::boolean[]) as refusals("addressHmac", "fromEverything") group by 1),
unsubscribed as (${unsubscribe('given')})
select count(*)::int as n from given`

const optOutAgain = `
with given as (
  select distinct "addressHmac", campaigns.id from unnest($1::bytea[], $2::bigint[]) as refusals("addressHmac", "campaignId")
  join campaigns on campaigns.id = "campaignId"),
stored as (
  insert into news_opt_outs ("addressHmac", "campaignId") select "addressHmac", id from given on conflict do nothing)
select count(distinct "addressHmac")::int as n from given`

/** Versions before the key of addresses have written digests of digests, which only records can match. */
const mailboxes = `mailboxes as materialized (
  select ${hmacSql('digest')} as "addressHmac", digest from (
    select distinct ${mailboxDigestSql('"canonicalEmail"')} as digest from (
      ${unionOf(allTables, (table) => `select "canonicalEmail" from ${table}`)}) people) digests)`

const unsubscribeByDigest = `
with ${mailboxes},
in_journal as (
  select "addressHmac", sha256($1::bytea || digest) = any($3::bytea[]) as "fromEverything" from mailboxes
  where sha256($1::bytea || digest) = any($2::bytea[] || $3::bytea[])),
unsubscribed as (${unsubscribe('in_journal')})
select count(*)::int as n from in_journal`

const optOutByDigest = `
with ${mailboxes},
opted_out as (
  select "addressHmac", campaigns.id from mailboxes cross join campaigns where campaigns.id = any($2)
  and sha256($1::bytea || digest || convert_to(campaigns.id::text, 'UTF8')) = any($3::bytea[])),
stored as (
  insert into news_opt_outs ("addressHmac", "campaignId") select "addressHmac", id from opted_out on conflict do nothing)
select count(distinct "addressHmac")::int as n from opted_out`

interface Replayed {
  removed: number
  unsubscribed: number
}

export async function replayRemovals(client: ClientBase, journal: JournaledRemovals): Promise<Replayed> {
  const { key, digests, optOuts, refusals } = journal
  const count = async (text: string, ...values: unknown[]) => Number((await client.query(text, values)).rows[0]?.n)
  const replayed: Replayed = { removed: 0, unsubscribed: 0 }
  if (digests.removed.length > 0)
    for (const text of removals) replayed.removed += await count(text, key, digests.removed)
  const ofCampaigns = refusals.filter(({ campaignId }) => campaignId !== undefined)
  const ofAll = refusals.filter(({ campaignId }) => campaignId === undefined)
  const hmacsOf = (some: JournaledRefusal[]) => some.map(({ addressHmac }) => addressHmac)
  replayed.unsubscribed += await count(
    unsubscribeAgain,
    hmacsOf(ofAll),
    ofAll.map(({ choice }) => choice === 'everything'),
  )
  replayed.unsubscribed += await count(
    optOutAgain,
    hmacsOf(ofCampaigns),
    ofCampaigns.map(({ campaignId }) => campaignId),
  )
  if (digests.news.length + digests.everything.length > 0)
    replayed.unsubscribed += await count(unsubscribeByDigest, key, digests.news, digests.everything)
  if (optOuts.length > 0)
    replayed.unsubscribed += await count(
      optOutByDigest,
      key,
      [...new Set(optOuts.map(({ campaignId }) => campaignId))],
      optOuts.map(({ digest }) => digest),
    )
  return replayed
}

/** People who were erased since the backup may be in the files. */
export async function cancelImports(client: ClientBase): Promise<number> {
  const { rowCount } = await client.query(
    `update imports set status = 'cancelled', reason = $1, "leasedBy" = null, "leasedUntil" = null
    where status in ('staged', 'running')`,
    [adminMessages.imports.restored],
  )
  await client.query('update imports set file = null where file is not null')
  return rowCount ?? 0
}

/**
 * News that were being sent at the time of the backup wait for an administrator, because some of the recipients have
 * probably got the e-mail since. News whose time to be published has passed become drafts again.
 */
export async function pauseNews(client: ClientBase): Promise<number> {
  // Queued again from the recipients when the sending is resumed. Dead letters of sendings that have ended stay.
  await client.query(
    `delete from outbox where kind = 'novidade' and (payload->>'novidade')::bigint in (
      select "newsId" from news_sends where status <> 'done')`,
  )
  const { rowCount } = await client.query(
    `update news_sends set status = case status when 'preparing' then 'cancelled' else 'paused' end,
      "queuedUpTo" = null, "isQueued" = false, "leasedBy" = null, "leasedUntil" = null
    where status in ('preparing', 'sending', 'paused') and "sendsWhenPrepared"`,
  )
  const { rowCount: drafts } = await client.query(
    `update news set status = 'draft', "publishAt" = null where status = 'scheduled' and "publishAt" <= now()`,
  )
  return (rowCount ?? 0) + (drafts ?? 0)
}

const deadLetterReason = 'Estava na fila quando a cópia foi feita. Reenvie só o que ainda não tiver sido enviado.'

/**
 * E-mails that were queued at the time of the backup have probably been sent since. They become dead letters: an
 * administrator sees them and decides whether to send them. Reminders and notices of repeated signatures are deleted,
 * because they are not worth a decision.
 */
export async function deadLetterEmails(client: ClientBase): Promise<number> {
  await client.query(
    `delete from outbox where kind in ('lembretes', 'pedidos-repetidos', 'meus-dados', 'meus-dados-email')`,
  )
  const { rowCount } = await client.query(
    `update outbox set dead = true, reason = $1 where kind not like 'planilha%' and not dead`,
    [deadLetterReason],
  )
  return rowCount ?? 0
}
