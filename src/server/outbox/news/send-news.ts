// The delivery handler of news: checks again whether the mailbox may get the e-mail, sends it, records the outcome.
import { adminMessages } from '#contract/admin/messages.ts'
import { emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Site } from '#contract/site.ts'
import { type Mail, type Mailer, MailFailure } from '#server/adapters/mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Config } from '#server/core/config.ts'
import { retry } from '#server/core/retry.ts'
import { singleFlight } from '#server/core/single-flight.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { type Database, isTransient } from '#server/db/database.ts'
import { eligibilityJoins, hmacsOf, newsExclusionSql } from '#server/db/news-eligibility.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { suppressAddress } from '#server/outbox/email/email-quota.ts'
import { emailsAtOnce } from '#server/outbox/email/send-email.ts'
import { createNewsContents } from '#server/outbox/news/news-content.ts'
import {
  continueNewsChanges,
  isAtDailyLimit,
  queueNewsRecipients,
  todaySql,
  tomorrowSql,
} from '#server/outbox/news/news-queue.ts'
import type { Delivery, DeliveryHandler, Settle } from '#server/outbox/queue/delivery.ts'
import { DeliveryFailure, mailFailureKinds } from '#server/outbox/queue/retry-policy.ts'

interface SendNewsDeps {
  config: Pick<Config, 'publicUrl' | 'emailsPerMinute'>
  database: Database
  mailer: Mailer
  site: Pick<SiteService, 'current'>
  throttle: BackgroundThrottle
}

/** News e-mails to a mailbox per day, of all campaigns together. */
const newsPerDay = (site: Site) => site.novidadesPorDia

const linkDays = 180
const limitReason = 'Este endereço já recebeu as novidades do dia. O envio continua amanhã.'
const pausedReason = 'O envio da novidade está pausado.'

const recordsByKind = Object.entries(peopleDescriptors)
  .map(([kind, { table, columns }]) => {
    const name = columns.find(({ key }) => key === 'nome')?.sql
    return `select ${name} as nome, email, "canonicalEmail", "aceitaNovidades", "confirmadoEm"
      from ${table} p, recipient where recipient.kind = '${kind}' and p.id = recipient."recordId"`
  })
  .join(' union all ')

// The row of the mailbox is locked by the update that counts the e-mail of the day, and an e-mail is counted once a day,
// also if it is retried. The record must still have the address that was chosen.
const permit = `
with delivery as (
  select payload->'contado' is distinct from to_jsonb(${todaySql}) as fresh from outbox where id = $1),
send as (
  select s.status, s.segment, n."campaignId", n.revision, not c."isActive" as "isOffAir",
    s.status in ('sending', 'done') and c."isActive" as "maySend"
  from news_sends s join news n on n.id = s."newsId" join campaigns c on c.id = n."campaignId" where s."newsId" = $2),
recipient as (
  select kind, "recordId" from news_recipients where "newsId" = $2 and "addressHmac" = $3 and outcome is null),
record as (${recordsByKind}),
person as (select record.*, ${hmacsOf('record').mailbox} as mailbox, ${hmacsOf('record').address} as address from record),
judged as (
  select person.*, ${newsExclusionSql({
    campaignId: 'send."campaignId"',
    withoutRecipientsOf: `(send.segment->>'semRecebedoresDe')::bigint`,
  })} as reason
  from person cross join send ${eligibilityJoins} where person.mailbox = $3),
counted as (
  insert into enderecos ("addressHmac", "newsSentOn", "newsSentCount")
  select $3, ${todaySql}, 1 from judged, delivery, send where fresh and reason is null and "maySend"
  on conflict ("addressHmac") do update set "newsSentOn" = ${todaySql},
    "newsSentCount" = case when enderecos."newsSentOn" = ${todaySql} then enderecos."newsSentCount" + 1 else 1 end
    where not ${isAtDailyLimit('enderecos', '$5')}
  returning 1),
marked as (update outbox set payload = payload || jsonb_build_object('contado', ${todaySql}) where id = $1 and exists (select from counted)),
permitted as (
  select 1 from judged, delivery, send
  where reason is null and "maySend" and (not fresh or exists (select from counted))),
link as (
  insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt", "newsId")
  select $4, 'descadastrar', $3, "recordId", now() + interval '${linkDays} days', $2 from recipient, permitted)
select send.status, send.revision, send."isOffAir", exists (select from recipient) as "isOpen", exists (select from permitted) as "isPermitted",
  judged.nome, judged.email, judged."canonicalEmail", judged.reason, 
  ${tomorrowSql} as tomorrow, now() + interval '1 minute' as "inAMinute"
from send left join judged on true`

interface PermitRow {
  status: string
  revision: number
  /** The campaign has been taken off the air. */
  isOffAir: boolean
  /** The recipient has no outcome yet. */
  isOpen: boolean
  isPermitted: boolean
  /** Null: the record no longer exists, or has another address. */
  nome: string | null
  email: string | null
  canonicalEmail: string | null
  reason: string | null
  /** Times of the clock of the database, as those of the queue. */
  tomorrow: Date
  inAMinute: Date
}

const { news: texts } = adminMessages

/** Rejections of the message, one after the other, after which the text is probably the cause. */
const rejectionsBeforePause = 20

const pauseSend = `update news_sends set status = 'paused', "pauseReason" = $2 where "newsId" = $1 and status = 'sending'`

type Outcome = 'accepted' | 'rejected' | 'skipped'

const settleRecipient = (outcome: Outcome) => `
with settled as (
  update news_recipients set outcome = '${outcome}' where "newsId" = $1 and "addressHmac" = $2 and outcome is null returning 1)
update news_sends set ${outcome} = ${outcome} + 1 where "newsId" = $1 and exists (select from settled)`

export function createSendNews({
  config,
  database,
  mailer,
  site,
  throttle,
}: SendNewsDeps): DeliveryHandler<'novidade'> {
  const { publicUrl, emailsPerMinute: perMinute } = config
  const contents = createNewsContents({ database, publicUrl })
  /** By news item. An accepted message sets it back. */
  const rejectionsInARow = new Map<number, number>()

  // If this cannot be recorded, the e-mail would be sent again.
  const settleOutcome = (newsId: number, hmac: Buffer, outcome: Outcome) =>
    retry(() => database.query(`news-${outcome}`, settleRecipient(outcome), [newsId, hmac]), {
      timeoutMs: 20_000,
      isTransient,
    })

  // Due rows of a sending that does not go on would take the rate of other news, and none would be queued meanwhile.
  const moveHeldBack = singleFlight(async () => continueNewsChanges(database, newsPerDay(await site.current())))

  const pause = (newsId: number, reason: string) => database.query('pause-news', pauseSend, [newsId, reason])

  /** Pauses the sending if no message is accepted any more, so that the text can be corrected. */
  async function noteRejection(newsId: number, reply: string): Promise<void> {
    const count = (rejectionsInARow.get(newsId) ?? 0) + 1
    rejectionsInARow.set(newsId, count % rejectionsBeforePause)
    if (count === rejectionsBeforePause) await pause(newsId, texts.pausedByRejections(reply))
  }

  /** Undefined if the delivery needs no e-mail; it is then settled. */
  async function compose(delivery: Delivery<'novidade'>, settle: Settle) {
    const { novidade: newsId, destinatario } = delivery.payload
    const hmac = Buffer.from(destinatario, 'base64')
    const secret = linkSecret()
    const currentSite = await site.current()
    const [row] = await database.query<PermitRow & object>('permit-news', permit, [
      delivery.id,
      newsId,
      hmac,
      digestOf(secret),
      newsPerDay(currentSite),
    ])
    if (row?.status === 'cancelled') await moveHeldBack()
    // Deleted, cancelled, or sent before a crash. A dead letter can be sent again after the end of the sending.
    if (!row?.isOpen || !['sending', 'paused', 'done'].includes(row.status)) return undefined
    if (row.isOffAir && row.status === 'sending') await pause(newsId, texts.pausedOffAir)
    if (row.status === 'paused' || row.isOffAir) {
      await settle.later([delivery], { dueAt: row.inAMinute, reason: pausedReason })
      // After it has returned to the queue, so that this delivery is moved too.
      await moveHeldBack()
      return undefined
    }
    const { nome, email, canonicalEmail } = row
    if (row.reason !== null || nome === null || email === null || canonicalEmail === null) {
      await settleOutcome(newsId, hmac, 'skipped')
      return undefined
    }
    if (!row.isPermitted) {
      await settle.later([delivery], { dueAt: row.tomorrow, reason: limitReason })
      return undefined
    }
    const content = await contents.of(newsId, row.revision, currentSite)
    if (!content) return undefined
    const unsubscribeUrl = publicUrl + fillPath(emailLinkPaths.descadastrar, { token: secret })
    const mail: Mail = {
      key: newsMailKey(newsId, hmac),
      fromName: currentSite.movimento,
      to: email,
      replyTo: currentSite.contato.email,
      ...content.email({ nome, unsubscribeUrl }),
      unsubscribeUrl,
    }
    return { mail, canonicalEmail, newsId, hmac }
  }

  async function send(delivery: Delivery<'novidade'>, settle: Settle): Promise<void> {
    // Excludes SMTP latency; it does not affect signing.
    const composed = await throttle.runUndelayed(() => compose(delivery, settle))
    if (!composed) return
    const { mail, canonicalEmail, newsId, hmac } = composed
    try {
      await mailer.send(mail)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      // A rejected message is an outcome, not a dead letter: a million of them would hide the others.
      const isRejected = error.kind === 'address' || (error.kind === 'message' && delivery.attempts > 0)
      if (error.kind === 'address')
        await suppressAddress(database, canonicalEmail, { kind: 'recusa', detail: error.message })
      if (error.kind === 'message') await noteRejection(newsId, error.message)
      if (isRejected) await settleOutcome(newsId, hmac, 'rejected')
      // A rejected message is tried once more: the text may have been corrected since.
      const kind = error.kind === 'message' ? 'again' : mailFailureKinds[error.kind]
      throw new DeliveryFailure(isRejected ? 'refused' : kind, error.message)
    }
    rejectionsInARow.delete(newsId)
    await settleOutcome(newsId, hmac, 'accepted')
  }

  return {
    name: 'novidades',
    kinds: ['novidade'],
    atOnce: emailsAtOnce,
    perMinute,
    rateName: 'email',
    yieldsTo: ['email', 'emails'],
    perform: async (deliveries, settle) => {
      for (const delivery of deliveries) await send(delivery, settle)
    },
    refill: async () => queueNewsRecipients(database, newsPerDay(await site.current())),
  }
}

/** The same for every attempt, so that mail programs recognise a repeated e-mail by its Message-ID. */
const newsMailKey = (newsId: number, hmac: Buffer) => `novidade-${newsId}-${hmac.toString('hex').slice(0, 32)}`
