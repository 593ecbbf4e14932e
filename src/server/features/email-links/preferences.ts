// What a mailbox wants to get by e-mail: reads and changes it for the holder of an unsubscribe link.
import { sql } from 'drizzle-orm'
import { emailLinkMessages, keepChoice, type NewsChoice, type NewsPreferences } from '#contract/email-links.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import { linkProblem } from '#server/core/link-problem.ts'
import type { Orm } from '#server/db/database.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { lockMailbox } from '#server/db/mailbox-lock.ts'
import { mailboxRecords } from '#server/db/mailbox-records.ts'
import { allTables, unionOf } from '#server/db/people-descriptors.ts'

type Tx = Pick<Orm, 'execute'>

export interface PreferencesLink {
  digest: Buffer
  addressHmac: Buffer
  recordId: string
}

export interface MailboxPreferences {
  choice: NewsChoice
  campaign: { id: number; titulo: string } | undefined
  otherCampaigns: string[]
  newsId: number | undefined
  /** Undefined if the record of the link was erased. */
  mailbox: string | undefined
  /** The record of the link gets news: it accepts them, and its address is confirmed. */
  isSubscribed: boolean
  /** The address of the record is suppressed. Another address of the mailbox may not be. */
  isSuppressed: boolean
}

interface StateRow extends Record<string, unknown> {
  isUnsubscribed: boolean
  doNotContact: boolean
  campaignId: string | null
  titulo: string | null
  isOptedOut: boolean
  otherCampaigns: string[]
  newsId: string | null
  canonicalEmail: string | null
  isSubscribed: boolean | null
  isSuppressed: boolean
}

const people = sql.raw(
  unionOf(
    allTables,
    (table) =>
      `select id, "canonicalEmail", "aceitaNovidades" and "confirmadoEm" is not null as "isSubscribed" from ${table}`,
  ),
)

export async function readPreferences(tx: Tx, { digest }: PreferencesLink): Promise<MailboxPreferences | undefined> {
  const { rows } = await tx.execute<StateRow>(sql`
    select "unsubscribedAt" is not null as "isUnsubscribed", "doNotContactAt" is not null as "doNotContact",
      campaigns.id::text as "campaignId", campaigns.titulo, link."newsId"::text as "newsId",
      person."canonicalEmail", person."isSubscribed",
      exists (
        select from enderecos address where address."rejectedAt" is not null
          and address."addressHmac" = ${sql.raw(addressHmacSql('person."canonicalEmail"'))}
      ) as "isSuppressed",
      exists (
        select from news_opt_outs o where o."addressHmac" = link."addressHmac" and o."campaignId" = campaigns.id
      ) as "isOptedOut",
      array(
        select other.titulo from news_opt_outs o join campaigns other on other.id = o."campaignId"
        where o."addressHmac" = link."addressHmac" and other.id is distinct from campaigns.id order by other.titulo
      ) as "otherCampaigns"
    from email_tokens link
    left join enderecos on enderecos."addressHmac" = link."addressHmac"
    left join news on news.id = link."newsId"
    left join peticoes signature on signature.id = link."recordId"
    left join campaigns on case when news.id is null then slug = signature.campanha else campaigns.id = news."campaignId" end
    left join lateral (select * from (${people}) people where people.id = link."recordId") person on true
    where link.digest = ${digest}`)
  const [row] = rows
  if (!row) return undefined
  const mailbox = row.canonicalEmail === null ? undefined : mailboxOf(row.canonicalEmail)
  const accepts = mailbox === undefined || (await acceptsNews(tx, mailbox))
  return {
    choice: choiceOf(row, accepts),
    campaign: row.campaignId === null ? undefined : { id: Number(row.campaignId), titulo: row.titulo ?? '' },
    otherCampaigns: row.otherCampaigns,
    newsId: row.newsId === null ? undefined : Number(row.newsId),
    mailbox,
    isSubscribed: row.isSubscribed ?? true,
    isSuppressed: row.isSuppressed,
  }
}

function choiceOf({ isUnsubscribed, doNotContact, isOptedOut }: StateRow, accepts: boolean): NewsChoice {
  if (doNotContact) return 'nunca'
  // People who never asked for news get none.
  if (isUnsubscribed || !accepts) return 'nenhuma'
  return isOptedOut ? 'sem-campanha' : 'todas'
}

/** Whether some record of the mailbox accepts news. */
async function acceptsNews(tx: Tx, mailbox: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`with ${mailboxRecords(mailbox)} select from mailbox_records where "aceitaNovidades" limit 1`,
  )
  return rows.length > 0
}

export function shownPreferences(state: MailboxPreferences): NewsPreferences {
  const { choice, campaign, otherCampaigns, isSubscribed, isSuppressed } = state
  return {
    ...{ escolha: choice, campanha: campaign?.titulo ?? null, outras: otherCampaigns },
    ...{ confirma: !isSubscribed, suspenso: isSuppressed },
  }
}

/** Returns whether anything changed. The row of the mailbox is locked: two requests change it one after the other. */
export async function changePreferences(
  tx: Tx,
  link: PreferencesLink,
  choice: NewsChoice | typeof keepChoice,
): Promise<{ hasChanged: boolean; mailbox: string | undefined }> {
  const { addressHmac } = link
  await lockMailbox(tx, addressHmac)
  await tx.execute(sql`
    insert into enderecos ("addressHmac") values (${addressHmac})
    on conflict ("addressHmac") do update set "addressHmac" = excluded."addressHmac"`)
  const before = await readPreferences(tx, link)
  const stopsNews = choice === 'nunca' || choice === 'nenhuma'
  // "Nunca mais me escrevam" is permanent. Stopping the news again is not a mistake.
  if (before?.choice === 'nunca' && !stopsNews) throw linkProblem('link-already-silent')
  if (!before || choice === keepChoice) return { hasChanged: false, mailbox: before?.mailbox }
  const { mailbox, campaign } = before
  if (choice === 'sem-campanha' && !campaign) throw new AppError('invalid', emailLinkMessages.noCampaign)

  if (stopsNews) {
    const hasChanged = await unsubscribe(tx, addressHmac, choice)
    if (hasChanged) await countUnsubscribe(tx, before)
    return { hasChanged, mailbox }
  }
  await tx.execute(
    sql`update enderecos set "unsubscribedAt" = null where "addressHmac" = ${addressHmac} and "unsubscribedAt" is not null`,
  )
  if (choice === 'sem-campanha') {
    await tx.execute(sql`
      insert into news_opt_outs ("addressHmac", "campaignId") values (${addressHmac}, ${campaign?.id})
      on conflict do nothing`)
    await countUnsubscribe(tx, before)
  } else await tx.execute(sql`delete from news_opt_outs where "addressHmac" = ${addressHmac}`)
  if (!before.isSubscribed) await subscribeRecord(tx, link)
  return { hasChanged: before.choice !== choice || !before.isSubscribed, mailbox }
}

async function unsubscribe(tx: Tx, addressHmac: Buffer, choice: 'nunca' | 'nenhuma'): Promise<boolean> {
  const { rows } = await tx.execute(
    choice === 'nenhuma'
      ? sql`update enderecos set "unsubscribedAt" = now()
          where "addressHmac" = ${addressHmac} and "unsubscribedAt" is null returning 1 as changed`
      : sql`update enderecos set "unsubscribedAt" = coalesce("unsubscribedAt", now()), "doNotContactAt" = now()
          where "addressHmac" = ${addressHmac} and "doNotContactAt" is null returning 1 as changed`,
  )
  return rows.length > 0
}

/**
 * The holder of the link reads the mailbox, and has asked for news: both are stored with the record of the link. Other
 * records may be somebody else's.
 */
async function subscribeRecord(tx: Tx, { recordId }: PreferencesLink): Promise<void> {
  for (const { table } of allTables)
    await tx.execute(sql`
      update ${sql.identifier(table)} set "aceitaNovidades" = true, "confirmadoEm" = coalesce("confirmadoEm", now())
      where id = ${recordId}`)
}

/** Counts a mailbox that got the news of this campaign until now, and has left through the e-mail of a news item. */
async function countUnsubscribe(tx: Tx, { newsId, choice }: MailboxPreferences): Promise<void> {
  if (newsId === undefined || choice !== 'todas') return
  await tx.execute(sql`update news_sends set unsubscribed = unsubscribed + 1 where "newsId" = ${newsId}`)
}
