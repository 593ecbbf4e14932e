// Decides whether an address may get one more e-mail, and stores the links of that e-mail, in one statement.
import { sql } from 'drizzle-orm'
import type { SuppressionKind } from '#contract/admin/suppressions.ts'
import type { EmailLinkAction } from '#contract/email-links.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { firstEmailsName, releaseMs } from '#server/outbox/email/first-emails.ts'

const maxEmails = 5
const hourMs = 60 * 60_000
/** Replaces the campaign of erased records: the number of e-mails to the address stays, but not their subject. */
export const noCampaign = ''
const daysOf: Record<EmailLinkAction, number> = { confirmar: 30, remover: 30, descadastrar: 180 }

/** What one first e-mail takes of the hour: $10 in milliseconds. */
const step = `$10 * interval '1 millisecond'`

// A delivery is counted once, also if it is retried: the statement that counts it also marks it.
// Limits are checked in the update, under the row lock, because several e-mails to one address may be sent at once.
// For a statement that waited for that lock, `now()` is earlier than the time that the one before it stored.
const permit = `
with delivery as (select not payload ? 'contado' as fresh from outbox where id = $1),
address as (
  select coalesce(bool_or(case when "addressHmac" = $2 then "doNotContactAt" is not null or ($8 and "unsubscribedAt" is not null) end), false)
    or coalesce(bool_or("addressHmac" = $7 and "rejectedAt" is not null), false) as closed
  from enderecos where "addressHmac" in ($2, $7)),
noticed as (
  insert into enderecos ("addressHmac", "notifiedAt") select $2, now() from delivery, address where $4 and fresh and not closed
  on conflict ("addressHmac") do update set "notifiedAt" = now()
    where enderecos."notifiedAt" is null or enderecos."notifiedAt" < now() - interval '1 day'
  returning "addressHmac"),
slot as (
  insert into destinos (name, "freeAt") select '${firstEmailsName}', now() + ${step} from delivery, address
  where $10::float8 is not null and fresh and not closed
  on conflict (name) do update set "freeAt" = greatest(destinos."freeAt", now()) + ${step}
    where destinos."freeAt" <= clock_timestamp() + interval '1 hour' - ${step}
  returning name),
earlier as (
  select coalesce(sum(n), 0)::int as n from emails_por_endereco where "addressHmac" = $2 and campanha = '${noCampaign}'),
counted as (
  insert into emails_por_endereco ("addressHmac", campanha, n)
  select $2, $3, n + 1 from delivery, address, earlier
  where fresh and not closed and (not $4 or exists (select from noticed))
    and ($10::float8 is null or exists (select from slot)) and n < ${maxEmails}
  on conflict ("addressHmac", campanha) do update set n = emails_por_endereco.n + 1, "changedAt" = now()
    where emails_por_endereco.n < ${maxEmails}
  returning n),
marked as (update outbox set payload = payload || '{"contado": true}' where id = $1 and exists (select from counted)),
verdict as (
  select case when fresh then exists (select from counted) else not closed end as permitted,
    fresh and not closed and $10::float8 is not null and not exists (select from slot) as held from delivery, address),
links as (
  insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt", "newsAskedAt")
  select decode(digest, 'base64'), action, $2, $6, now() + dias * interval '1 day', case when $9 and action = 'confirmar' then now() end
  from verdict, json_to_recordset($5) as given(digest text, action text, dias int) where permitted)
select permitted, case when held then greatest(now(), (
    select "freeAt" - interval '1 hour' + ${step} from destinos where name = '${firstEmailsName}'))
  + interval '${releaseMs} milliseconds' end as "heldUntil" from verdict`

interface EmailRequest {
  deliveryId: number
  canonicalEmail: string
  campanha: string
  recordId: string
  /** A notice that the person had already signed. Sent at most once a day, for all campaigns together. */
  isNotice: boolean
  /** Not sent to people who have unsubscribed. Confirmations of a new record are sent to them. */
  isReminder: boolean
  /** The confirmation link also subscribes to the news. */
  asksForNews: boolean
  /** The hourly ceiling, for a first e-mail. */
  firstPerHour?: number | undefined
}

type LinkSecrets = Record<EmailLinkAction, string>

/**
 * Returns the secrets of the links, undefined if the address may get no more e-mails, or how long the hourly ceiling
 * of first e-mails holds this one back.
 */
export async function takeEmailQuota(
  database: Database,
  request: EmailRequest,
): Promise<LinkSecrets | { heldUntil: Date } | undefined> {
  const { deliveryId, canonicalEmail, campanha, recordId, isNotice, isReminder, asksForNews, firstPerHour } = request
  const secrets: LinkSecrets = { confirmar: linkSecret(), remover: linkSecret(), descadastrar: linkSecret() }
  const links = Object.entries(secrets).map(([action, secret]) => ({
    action,
    digest: digestOf(secret).toString('base64'),
    dias: daysOf[action as EmailLinkAction],
  }))
  const [row] = await database.query<{ permitted: boolean; heldUntil: Date | null }>('permit-email', permit, [
    deliveryId,
    database.orm.addressHmac(mailboxOf(canonicalEmail)),
    campanha,
    isNotice,
    JSON.stringify(links),
    recordId,
    database.orm.addressHmac(canonicalEmail),
    isReminder,
    asksForNews,
    firstPerHour === undefined ? null : hourMs / firstPerHour,
  ])
  if (row?.heldUntil) return { heldUntil: row.heldUntil }
  return row?.permitted ? secrets : undefined
}

/**
 * To be called in the transaction that erases a record. Removes the subject of the e-mails to its address, and the
 * campaigns that its mailbox does not want news of, if it has no other record.
 */
export async function anonymizeQuota(
  tx: Pick<Orm, 'execute' | 'addressHmac'>,
  canonicalEmail: string,
  campanha: string,
): Promise<void> {
  await anonymizeQuotas(tx, [{ canonicalEmail, campanha }])
  const mailbox = mailboxOf(canonicalEmail)
  await tx.execute(sql`
    with ${mailboxRecords(mailbox)}
    delete from news_opt_outs where "addressHmac" = ${tx.addressHmac(mailbox)} and not exists (select from mailbox_records)`)
}

/** Removes the subjects of the e-mails to these addresses. */
export async function anonymizeQuotas(
  tx: Pick<Orm, 'execute' | 'addressHmac'>,
  subjects: { canonicalEmail: string; campanha: string }[],
): Promise<void> {
  const hmacs = subjects.map(({ canonicalEmail }) => tx.addressHmac(mailboxOf(canonicalEmail)))
  const campaigns = subjects.map(({ campanha }) => campanha)
  await tx.execute(sql`
    with forgotten as (
      delete from emails_por_endereco sent
      using (select distinct * from unnest(${sql.param(hmacs)}::bytea[], ${sql.param(campaigns)}::text[]) as pairs(hmac, campanha)) given
      where sent."addressHmac" = given.hmac and sent.campanha = given.campanha returning sent."addressHmac", n)
    insert into emails_por_endereco ("addressHmac", campanha, n)
    select "addressHmac", ${noCampaign}, max(n) from forgotten group by 1
    on conflict ("addressHmac", campanha) do update set n = greatest(emails_por_endereco.n, excluded.n)`)
}

interface Suppression {
  kind: SuppressionKind
  /** The reply of the mail server, without addresses. */
  detail: string | null
}

/**
 * No more e-mails are sent to the address. The mailbox may still accept mail without the +tag. The address itself is
 * stored only while there is a record of it, and the reply of the server, which may contain a part of it: they must not
 * come back after the person was erased. A complaint replaces an earlier reason.
 */
export async function suppressAddress({ orm }: Database, canonicalEmail: string, suppression: Suppression) {
  const { kind, detail } = suppression
  const replaces = sql`enderecos."suppressionKind" is null or excluded."suppressionKind" = 'reclamacao'`
  await orm.execute(sql`
    with ${mailboxRecords(mailboxOf(canonicalEmail))},
    reported as (
      select ${orm.addressHmac(canonicalEmail)}::bytea as hmac,
        case when exists (select from mailbox_records where "canonicalEmail" = ${canonicalEmail}) then ${canonicalEmail} end as email)
    insert into enderecos ("addressHmac", "rejectedAt", "suppressionKind", "suppressionDetail", "suppressedEmail")
    select hmac, now(), ${kind}, case when email is not null then ${detail} end, email from reported
    on conflict ("addressHmac") do update set
      "rejectedAt" = coalesce(enderecos."rejectedAt", excluded."rejectedAt"),
      "suppressedEmail" = excluded."suppressedEmail",
      "suppressionKind" = case when ${replaces} then excluded."suppressionKind" else enderecos."suppressionKind" end,
      "suppressionDetail" = case when ${replaces} then excluded."suppressionDetail" else enderecos."suppressionDetail" end`)
}
