// Decides whether an address may get one more e-mail, and stores the links of that e-mail, in one statement.
import { sql } from 'drizzle-orm'
import type { EmailLinkAction } from '#contract/email-links.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import type { Database, Orm } from '#server/db/database.ts'

const maxEmails = 5
/** Replaces the campaign of erased records: the number of e-mails to the address stays, but not their subject. */
export const noCampaign = ''
const daysOf: Record<EmailLinkAction, number> = { confirmar: 30, remover: 30, descadastrar: 180 }

// A delivery is counted once, also if it is retried: the statement that counts it also marks it.
// Limits are checked in the update, under the row lock, because several e-mails to one address may be sent at once.
const permit = `
with delivery as (select not dados ? 'contado' as fresh from outbox where id = $1),
address as (
  select coalesce(bool_or(case when endereco = $2 then "doNotContactAt" is not null or ($8 and "descadastradoEm" is not null) end), false)
    or coalesce(bool_or(endereco = $7 and "recusadoEm" is not null), false) as closed
  from enderecos where endereco in ($2, $7)),
noticed as (
  insert into enderecos (endereco, "avisadoEm") select $2, now() from delivery, address where $4 and fresh and not closed
  on conflict (endereco) do update set "avisadoEm" = now()
    where enderecos."avisadoEm" is null or enderecos."avisadoEm" < now() - interval '1 day'
  returning endereco),
earlier as (
  select coalesce(sum(n), 0)::int as n from emails_por_endereco where endereco = $2 and campanha = '${noCampaign}'),
counted as (
  insert into emails_por_endereco (endereco, campanha, n)
  select $2, $3, n + 1 from delivery, address, earlier
  where fresh and not closed and (not $4 or exists (select from noticed)) and n < ${maxEmails}
  on conflict (endereco, campanha) do update set n = emails_por_endereco.n + 1, "changedAt" = now()
    where emails_por_endereco.n < ${maxEmails}
  returning n),
marked as (update outbox set dados = dados || '{"contado": true}' where id = $1 and exists (select from counted)),
verdict as (
  select case when fresh then exists (select from counted) else not closed end as permitted from delivery, address),
links as (
  insert into email_tokens (digest, acao, endereco, registro, "expiraEm", "newsAskedAt")
  select decode(digest, 'base64'), acao, $2, $6, now() + dias * interval '1 day', case when $9 and acao = 'confirmar' then now() end
  from verdict, json_to_recordset($5) as given(digest text, acao text, dias int) where permitted)
select permitted from verdict`

interface EmailRequest {
  deliveryId: number
  emailCanonico: string
  campanha: string
  registro: string
  /** A notice that the person had already signed. Sent at most once a day, for all campaigns together. */
  isNotice: boolean
  /** Not sent to people who have unsubscribed. Confirmations of a new record are sent to them. */
  isReminder: boolean
  /** The confirmation link also subscribes to the news. */
  asksForNews: boolean
}

type LinkSecrets = Record<EmailLinkAction, string>

/** Returns the secrets of the links, or undefined if the address may get no more e-mails. */
export async function takeEmailQuota(database: Database, request: EmailRequest): Promise<LinkSecrets | undefined> {
  const { deliveryId, emailCanonico, campanha, registro, isNotice, isReminder, asksForNews } = request
  const secrets: LinkSecrets = { confirmar: linkSecret(), remover: linkSecret(), descadastrar: linkSecret() }
  const links = Object.entries(secrets).map(([acao, secret]) => ({
    acao,
    digest: digestOf(secret).toString('base64'),
    dias: daysOf[acao as EmailLinkAction],
  }))
  const [row] = await database.query<{ permitted: boolean }>('permit-email', permit, [
    deliveryId,
    digestOf(mailboxOf(emailCanonico)),
    campanha,
    isNotice,
    JSON.stringify(links),
    registro,
    digestOf(emailCanonico),
    isReminder,
    asksForNews,
  ])
  return row?.permitted ? secrets : undefined
}

/** To be called in the transaction that erases a record. Removes the subject of the e-mails to its address. */
export async function anonymizeQuota(tx: Pick<Orm, 'execute'>, emailCanonico: string, campanha: string): Promise<void> {
  await tx.execute(sql`
    with forgotten as (
      delete from emails_por_endereco where endereco = ${digestOf(mailboxOf(emailCanonico))} and campanha = ${campanha}
      returning endereco, n)
    insert into emails_por_endereco (endereco, campanha, n) select endereco, ${noCampaign}, n from forgotten
    on conflict (endereco, campanha) do update set n = greatest(emails_por_endereco.n, excluded.n)`)
}

/** The address accepts no mail, so no more is sent to it. The mailbox may still accept mail without the +tag. */
export async function suppressAddress({ query }: Database, emailCanonico: string): Promise<void> {
  await query(
    'close-address',
    `insert into enderecos (endereco, "recusadoEm") values ($1, now())
    on conflict (endereco) do update set "recusadoEm" = coalesce(enderecos."recusadoEm", now())`,
    [digestOf(emailCanonico)],
  )
}
