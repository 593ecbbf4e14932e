// E-mails to the owners of administrator accounts. The outbox only holds work that follows records of people.
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/core/log.ts'
import type { Deps } from '#server/deps.ts'
import { type EmailContent, renderHtml, renderText } from '#server/outbox/email/email-layout.ts'

interface AccountMailDeps extends Pick<Deps, 'mailer' | 'site'> {
  publicUrl: string
  log: Log
  /** Pauses before each try, in milliseconds. */
  pauses?: number[]
}

const minute = 60_000
const defaultPauses = [0, minute, 5 * minute, 30 * minute, 60 * minute]

export type AccountMail = ReturnType<typeof createAccountMail>

export function createAccountMail({ mailer, site, publicUrl, log, pauses = defaultPauses }: AccountMailDeps) {
  const closing = new AbortController()

  return {
    /** Tries for two hours. False if every try failed. */
    async send(to: string, contentOf: (movimento: string) => EmailContent): Promise<boolean> {
      const { movimento, contato } = await site.current()
      const content = contentOf(movimento)
      const footer = { movimento, siteUrl: publicUrl, why: whyOf(movimento) }
      const mail = {
        key: `aviso-da-conta-${crypto.randomUUID()}`,
        fromName: movimento,
        to,
        replyTo: contato.email,
        subject: content.subject,
        html: renderHtml(content, footer),
        text: renderText(content, footer),
      }
      for (const [index, pause] of pauses.entries()) {
        await delay(pause, undefined, { ref: false, signal: closing.signal })
        try {
          await mailer.send(mail)
          return true
        } catch (error) {
          log.warn({ err: error, attempt: index + 1 }, 'notice to the owner of an account not sent')
        }
      }
      return false
    },
    /** Gives up e-mails that wait for another try. */
    close: () => closing.abort(),
    isClosing: () => closing.signal.aborted,
  }
}

const whyOf = (movimento: string) =>
  `Você recebeu este e-mail porque este endereço é o da sua conta na área administrativa do ${movimento}.`
