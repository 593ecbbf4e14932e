// The delivery handler of e-mails: reads the record, checks the quota of the address, renders the e-mail, sends it.
import { type EmailLinkAction, emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Site } from '#contract/site.ts'
import { type Mail, type Mailer, MailFailure } from '#server/adapters/mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { type EmailContent, renderHtml, renderText } from '#server/outbox/email/email-layout.ts'
import { suppressAddress, takeEmailQuota } from '#server/outbox/email/email-quota.ts'
import { composeOwnDataEmail } from '#server/outbox/email/own-data-email.ts'
import { createTemplateData } from '#server/outbox/email/template-data.ts'
import type { Delivery, DeliveryHandler } from '#server/outbox/queue/delivery.ts'
import { splitEmails } from '#server/outbox/queue/fan-out.ts'
import { DeliveryFailure, mailFailureKinds } from '#server/outbox/queue/retry-policy.ts'

interface SendEmailDeps {
  database: Database
  mailer: Mailer
  site: Pick<SiteService, 'current'>
  publicUrl: string
  perMinute: number
  throttle: BackgroundThrottle
}

type EmailKind = 'email' | 'meus-dados-email'

/** An e-mail before it is rendered. */
interface Composed {
  to: string
  canonicalEmail: string
  content: EmailContent
  unsubscribeUrl: string
}

/** The mailer opens the same number of connections. */
export const emailsAtOnce = 5

export function createSendEmail({
  database,
  mailer,
  site,
  publicUrl,
  perMinute,
  throttle,
}: SendEmailDeps): DeliveryHandler<EmailKind> {
  const templateData = createTemplateData({ database, publicUrl })

  /** Undefined if the record does not need the e-mail, or if its address may get no more. */
  async function composeTemplate(delivery: Delivery<'email'>, currentSite: Site): Promise<Composed | undefined> {
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
    })
    if (!secrets) return undefined
    const link = (action: EmailLinkAction) => publicUrl + fillPath(emailLinkPaths[action], { token: secrets[action] })
    const content = record.render({ confirmUrl: link('confirmar'), removeUrl: link('remover') })
    return { to: email, canonicalEmail, content, unsubscribeUrl: link('descadastrar') }
  }

  async function compose(delivery: Delivery<EmailKind>): Promise<{ mail: Mail; canonicalEmail: string } | undefined> {
    const currentSite = await site.current()
    const composed =
      delivery.kind === 'email'
        ? await composeTemplate(delivery, currentSite)
        : await composeOwnDataEmail(database, { email: delivery.payload.email, publicUrl })
    if (!composed) return undefined
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

  async function send(delivery: Delivery<EmailKind>): Promise<void> {
    // Excludes SMTP latency; it does not affect signing.
    const composeMessage = await throttle.runUndelayed(() => compose(delivery))
    if (!composeMessage) return
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

  return {
    name: 'email',
    kinds: ['email', 'meus-dados-email'],
    atOnce: emailsAtOnce,
    perMinute,
    perform: async (deliveries) => {
      for (const delivery of deliveries) await send(delivery)
    },
    refillKinds: ['emails'],
    refill: async () => splitEmails(database, { reminders: (await site.current()).lembrete }),
  }
}
