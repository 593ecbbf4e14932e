// The delivery handler of e-mails: reads the record, checks the quota of the address, renders the e-mail, sends it.
import { type EmailLinkAction, emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Site } from '#contract/site.ts'
import { type Mail, type Mailer, MailFailure } from '#server/adapters/mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { type EmailContent, renderHtml, renderText } from '#server/outbox/email/email-layout.ts'
import { suppressAddress, takeEmailQuota } from '#server/outbox/email/email-quota.ts'
import { holdFirstEmails, isFirstEmail } from '#server/outbox/email/first-emails.ts'
import { composeOwnDataEmail } from '#server/outbox/email/own-data-email.ts'
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

type EmailKind = 'email' | 'meus-dados-email'

/** An e-mail before it is rendered. */
interface Composed {
  to: string
  canonicalEmail: string
  content: EmailContent
  unsubscribeUrl: string
}

/** The hourly ceiling of first e-mails holds it back. */
interface Held {
  heldUntil: Date
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
}: SendEmailDeps): DeliveryHandler<EmailKind> {
  const templateData = createTemplateData({ database, publicUrl })
  let silentUntil = Number.NEGATIVE_INFINITY

  /** Undefined if the record does not need the e-mail, or if its address may get no more. */
  async function composeTemplate(delivery: Delivery<'email'>, currentSite: Site): Promise<Composed | Held | undefined> {
    const { modelo, id } = delivery.payload
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
    return { to: email, canonicalEmail, content, unsubscribeUrl: link('descadastrar') }
  }

  async function compose(
    delivery: Delivery<EmailKind>,
  ): Promise<{ mail: Mail; canonicalEmail: string } | Held | undefined> {
    const currentSite = await site.current()
    const composed =
      delivery.kind === 'email'
        ? await composeTemplate(delivery, currentSite)
        : await composeOwnDataEmail(database, { email: delivery.payload.email, publicUrl })
    if (!composed || 'heldUntil' in composed) return composed
    const { to, canonicalEmail, content, unsubscribeUrl } = composed
    const footer = { movimento: currentSite.movimento, siteUrl: publicUrl, unsubscribeUrl }
    const mail = {
      key: `${delivery.id}.${delivery.createdAt.getTime()}`,
      fromName: currentSite.movimento,
      to,
      replyTo: currentSite.contato.email,
      subject: content.subject,
      html: renderHtml(content, footer),
      text: renderText(content, footer),
      unsubscribeUrl,
    }
    return { mail, canonicalEmail }
  }

  async function send(delivery: Delivery<EmailKind>, settle: Settle): Promise<void> {
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

  async function hold(delivery: Delivery<EmailKind>, dueAt: Date, settle: Settle): Promise<void> {
    await settle.later([delivery], { dueAt })
    await throttle.runUndelayed(() => holdFirstEmails(database, dueAt))
    if (now() < silentUntil) return
    silentUntil = now() + warningPauseMs
    log.warn({ perHour: firstPerHour }, 'first e-mails held back by the hourly ceiling')
  }

  return {
    name: 'email',
    kinds: ['email', 'meus-dados-email'],
    atOnce: emailsAtOnce,
    perMinute,
    perform: async (deliveries, settle) => {
      for (const delivery of deliveries) await send(delivery, settle)
    },
    refillKinds: ['emails'],
    refill: async () => splitEmails(database, { reminders: (await site.current()).lembrete }),
  }
}
