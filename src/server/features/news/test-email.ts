// The preview of a news item, and the test e-mail to the administrator who asks for it.
import { adminMessages } from '#contract/admin/messages.ts'
import { testNews } from '#contract/admin/news.ts'
import { emailLinkPaths } from '#contract/email-links.ts'
import { fillPath } from '#contract/endpoint.ts'
import { type Mailer, MailFailure } from '#server/adapters/mail.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { newsNotFound } from '#server/features/news/stored-news.ts'
import { readNewsContent } from '#server/outbox/news/news-content.ts'

const { news: texts } = adminMessages

const maxTestsPerMinute = 5

interface TestEmailDeps {
  database: Database
  mailer: Mailer
  site: Pick<SiteService, 'current'>
  publicUrl: string
}

export function createTestEmail({ database, mailer, site, publicUrl }: TestEmailDeps) {
  async function contentOf(id: number) {
    const current = await site.current()
    const content = await readNewsContent({ database, publicUrl }, id, current)
    if (!content) throw newsNotFound()
    return { ...content, movimento: current.movimento, contato: current.contato }
  }

  /** The link of a test works like that of a real e-mail, for a day. */
  async function unsubscribeUrlFor(email: string): Promise<string> {
    const secret = linkSecret()
    await database.query(
      '',
      `insert into email_tokens (digest, action, "addressHmac", "expiresAt") values ($1, 'descadastrar', $2, now() + interval '1 day')`,
      [digestOf(secret), database.orm.addressHmac(mailboxOf(canonicalizeEmail(email)))],
    )
    return publicUrl + fillPath(emailLinkPaths.descadastrar, { token: secret })
  }

  return {
    async preview(id: number) {
      const { email, whatsApp, link } = await contentOf(id)
      const { subject, html, text } = email({ nome: 'Maria', unsubscribeUrl: `${publicUrl}/privacidade` })
      return { email: { assunto: subject, html, texto: text }, whatsapp: whatsApp, link }
    },

    /** Returns the address. */
    async send(id: number, administrator: { id: number; username: string }, audit: Audit): Promise<string> {
      const { email, movimento, contato } = await contentOf(id)
      const [account] = await database.query<{ email: string; tests: number }>(
        '',
        `select email, (select count(*)::int from admin_actions where username = u.username and action = $2
          and "createdAt" > now() - interval '1 minute') as tests from admin_users u where id = $1`,
        [administrator.id, testNews.auditAction],
      )
      if (!account) throw newsNotFound()
      if (account.tests >= maxTestsPerMinute) throw new AppError('too-many', texts.testTooMany)
      const unsubscribeUrl = await unsubscribeUrlFor(account.email)
      const content = email({ nome: administrator.username, unsubscribeUrl })
      await database.transaction((tx) => audit(tx, content.subject))
      try {
        const mail = { to: account.email, fromName: movimento, replyTo: contato.email, ...content, unsubscribeUrl }
        await mailer.send({ key: `teste-${id}-${crypto.randomUUID()}`, ...mail })
      } catch (error) {
        if (error instanceof MailFailure) throw new AppError('unavailable', texts.testFailed)
        throw error
      }
      return account.email
    },
  }
}
