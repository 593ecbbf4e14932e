// The courier of e-mails: read its record, ask whether its address may get one more, write the letter, hand it over.
import { type EmailLinkAction, emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { Site } from '#contract/site.ts'
import { type Mail, type Mailer, MailFailure } from '#server/adapters/mail.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import { type Courier, type Delivery, DeliveryFailure } from '#server/outbox/delivery.ts'
import { asHtml, asText } from '#server/outbox/emails/letter.ts'
import { closeAddress, permitEmail } from '#server/outbox/emails/permission.ts'
import { createRecords, type EmailModel, emailModels } from '#server/outbox/emails/records.ts'
import { breakEmails } from '#server/outbox/expand.ts'

export interface SendEmailDeps {
  database: Database
  mailer: Mailer
  site: Site
  publicUrl: string
  perMinute: number
  rush: Rush
}

/** As many as the mailer has connections. */
export const emailsAtOnce = 5

export function createSendEmail({ database, mailer, site, publicUrl, perMinute, rush }: SendEmailDeps): Courier {
  const records = createRecords({ database, site, publicUrl })

  /** The mail and whose address it goes to; nothing when there is nobody to write to, or who gets no more. */
  async function write(delivery: Delivery): Promise<{ mail: Mail; emailCanonico: string } | undefined> {
    const { modelo, id } = requestIn(delivery)
    const record = await records.find(modelo, id)
    // Gone, or confirmed in the meantime.
    if (!record) return undefined
    const { email, emailCanonico, campanha } = record
    const secrets = await permitEmail(database, {
      deliveryId: delivery.id,
      emailCanonico,
      campanha,
      registro: id,
      isNotice: modelo === 'repetida',
      isReminder: modelo === 'lembrete',
      asksForNews: modelo === 'novidades',
    })
    if (!secrets) return undefined
    const link = (action: EmailLinkAction) => publicUrl + fillPath(emailLinkPaths[action], { token: secrets[action] })
    const letter = record.write({ confirmUrl: link('confirmar'), removeUrl: link('remover') })
    const foot = { movimento: site.movimento, siteUrl: publicUrl, unsubscribeUrl: link('descadastrar') }
    const mail = {
      key: `${delivery.id}.${delivery.createdAt.getTime()}`,
      to: email,
      subject: letter.subject,
      html: asHtml(letter, foot),
      text: asText(letter, foot),
      unsubscribeUrl: foot.unsubscribeUrl,
    }
    return { mail, emailCanonico }
  }

  async function send(delivery: Delivery): Promise<void> {
    // Without the time that the mail server takes: that costs who signs nothing.
    const written = await rush.counted(() => write(delivery))
    if (!written) return
    const { mail, emailCanonico } = written
    try {
      await mailer.send(mail)
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      if (error.kind === 'address') await closeAddress(database, emailCanonico)
      throw new DeliveryFailure(outcomeOf[error.kind], error.message)
    }
  }

  return {
    name: 'email',
    tipos: ['email'],
    atOnce: emailsAtOnce,
    perMinute,
    perform: async (deliveries) => {
      for (const delivery of deliveries) await send(delivery)
    },
    refill: () => breakEmails(database, { reminders: site.lembrete }),
    abort: () => mailer.close(),
  }
}

const outcomeOf = { address: 'refused', message: 'never', later: 'again', away: 'away' } as const

function requestIn({ dados }: Delivery): { modelo: EmailModel; id: string } {
  const { modelo, id } = dados as { modelo: EmailModel; id: string }
  if (!emailModels.includes(modelo)) throw new DeliveryFailure('never', 'Modelo de e-mail desconhecido.')
  return { modelo, id }
}
