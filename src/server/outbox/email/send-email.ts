// The delivery handler of e-mails: reads the record, checks the quota of the address, renders the e-mail, sends it.
import { type EmailLinkAction, emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type Mail, type Mailer, MailFailure } from '#server/adapters/mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { renderHtml, renderText } from '#server/outbox/email/email-layout.ts'
import { suppressAddress, takeEmailQuota } from '#server/outbox/email/email-quota.ts'
import { holdFirstEmails, isFirstEmail } from '#server/outbox/email/first-emails.ts'
import { createTemplateData } from '#server/outbox/email/template-data.ts'
import type { Delivery, DeliveryHandler, Settle } from '#server/outbox/queue/delivery.ts'
import { splitEmails } from '#server/outbox/queue/fan-out.ts'
import { DeliveryFailure, mailFailureKinds } from '#server/outbox/queue/retry-policy.ts'

interface SendEmailDeps {
  database: Database
  mailer: Mailer
  site: Pick<SiteService, 'current'>
  publicUrl: string
  perMinute: number
  /** FIRST_EMAILS_PER_HOUR. */
  firstPerHour: number
  throttle: BackgroundThrottle
  log: Pick<Log, 'warn'>
  now?: () => number
}

/** The log names the ceiling once an hour. */
const warningPauseMs = 60 * 60_000

/** The mailer opens the same number of connections. */
export const emailsAtOnce = 5

export function createSendEmail({
  database,
  mailer,
  site,
  publicUrl,
  perMinute,
  firstPerHour,
  throttle,
  log,
  now = Date.now,
}: SendEmailDeps): DeliveryHandler<'email'> {
  const templateData = createTemplateData({ database, publicUrl })
  let silentUntil = Number.NEGATIVE_INFINITY

  /** Undefined if the record does not need the e-mail, or if its address may get no more. */
  async function compose(
    delivery: Delivery<'email'>,
  ): Promise<{ mail: Mail; canonicalEmail: string } | { heldUntil: Date } | undefined> {
    const { modelo, id } = delivery.payload
    const currentSite = await site.current()
    const record = await templateData.find(modelo, id, currentSite)
    // Deleted, or confirmed in the meantime.
    if (!record) return undefined
    const { email, canonicalEmail, campanha, asksForNews } = record
    const secrets = await takeEmailQuota(database, {
      deliveryId: delivery.id,
      canonicalEmail,
      campanha,
      recordId: id,
      isNotice: modelo === 'repetida',
      isReminder: modelo === 'lembrete',
      asksForNews,
      firstPerHour: isFirstEmail(modelo) ? firstPerHour : undefined,
    })
    if (!secrets || 'heldUntil' in secrets) return secrets
    const link = (action: EmailLinkAction) => publicUrl + fillPath(emailLinkPaths[action], { token: secrets[action] })
    const content = record.render({ confirmUrl: link('confirmar'), removeUrl: link('remover') })
    const footer = { movimento: currentSite.movimento, siteUrl: publicUrl, unsubscribeUrl: link('descadastrar') }
    const mail = {
      key: `${delivery.id}.${delivery.createdAt.getTime()}`,
      fromName: currentSite.movimento,
      to: email,
      replyTo: currentSite.contato.email,
      subject: content.subject,
      html: renderHtml(content, footer),
      text: renderText(content, footer),
      unsubscribeUrl: footer.unsubscribeUrl,
    }
    return { mail, canonicalEmail }
  }

  async function send(delivery: Delivery<'email'>, settle: Settle): Promise<void> {
    // Excludes SMTP latency; it does not affect signing.
    const composeMessage = await throttle.runUndelayed(() => compose(delivery))
    if (!composeMessage) return
    if ('heldUntil' in composeMessage) return hold(delivery, composeMessage.heldUntil, settle)
    const { mail, canonicalEmail } = composeMessage
    try {
      await mailer.send(mail)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      if (error.kind === 'address')
        await suppressAddress(database, canonicalEmail, { kind: 'recusa', detail: error.message })
      throw new DeliveryFailure(mailFailureKinds[error.kind], error.message)
    }
  }

  async function hold(delivery: Delivery<'email'>, dueAt: Date, settle: Settle): Promise<void> {
    await settle.later([delivery], { dueAt })
    await throttle.runUndelayed(() => holdFirstEmails(database, dueAt))
    if (now() < silentUntil) return
    silentUntil = now() + warningPauseMs
    log.warn({ perHour: firstPerHour }, 'first e-mails held back by the hourly ceiling')
  }

  return {
    name: 'email',
    kinds: ['email'],
    atOnce: emailsAtOnce,
    perMinute,
    perform: async (deliveries, settle) => {
      for (const delivery of deliveries) await send(delivery, settle)
    },
    refillKinds: ['emails'],
    refill: async () => splitEmails(database, { reminders: (await site.current()).lembrete }),
  }
}
