// Mails by SMTP: a few connections that stay open, signed with DKIM where the operator has a key.
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import { composed, type Mailer, MailFailure, type MailFailureKind, type Sender } from '#server/adapters/mail.ts'

export interface Dkim {
  domain: string
  selector: string
  keyFile: string
}

export interface SmtpOptions {
  url: string
  from: Sender
  dkim?: Dkim | undefined
  connections: number
}

/** The list that comes with nodemailer leaves out one-click unsubscribing, which receivers want to see signed. */
const signedHeaders = [
  'From',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':')

export function createSmtpMailer({ url, from, dkim, connections }: SmtpOptions): Mailer {
  /** Mails that a server has been found for, by their id. */
  const begun = new Set<string>()

  function open() {
    const opened = createTransport({
      url,
      pool: true,
      maxConnections: connections,
      maxMessages: 100,
      // Trying again is the queue's business: it knows what was tried before and by whom.
      maxRequeues: 0,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      // As long as RFC 5321 lets a server think about a mail; who gives up earlier sends it twice.
      socketTimeout: 600_000,
      // Somebody on the way may forget a connection that is silent for long, and tell neither side.
      idleTimeout: 30_000,
      ...(dkim && {
        dkim: {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: readFileSync(dkim.keyFile, 'utf8'),
          headerFieldNames: signedHeaders,
        },
      }),
    })
    // A mail is read once a connection stands that takes it; errors do not say how far it came.
    opened.use('stream', ({ data, message }, done) => {
      message.processFunc((content) => {
        begun.add(String(data.messageId))
        return content
      })
      done()
    })
    return opened
  }
  // Opened again after it was closed: a node under development closes and goes on.
  let transport: ReturnType<typeof open> | undefined

  return {
    async send(mail) {
      transport ??= open()
      const message = composed(mail, from)
      const id = String(message.messageId)
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw new MailFailure(kindOf(error as SmtpError, begun.has(id)), reasonOf(error as SmtpError))
      } finally {
        begun.delete(id)
      }
    },
    close() {
      transport?.close({ force: true })
      transport = undefined
    },
  }
}

interface SmtpError extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
  permanent?: boolean
  originalCode?: string
}

/** Said before any recipient is named: of us, not of them. */
const beforeAnyRecipient = /^(EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM)/

function kindOf(error: SmtpError, hasBegun: boolean): MailFailureKind {
  const { code = '', command = '', responseCode } = error
  if (beforeAnyRecipient.test(command) || responseCode === 421) return 'away'
  if (responseCode === undefined && /^(ESOCKET|ETIMEDOUT|ECONNECTION)$/.test(code)) {
    // In the middle of a mail, that mail may be the cause, or be taken already: uncounted, a slow server would get it without end.
    // Without a command, a connection ended before anything of the mail was sent on it.
    return hasBegun && command ? 'later' : 'away'
  }
  if (/^(EDNS|ETLS|EAUTH|ENOAUTH|EOAUTH2|EPROTOCOL)$/.test(code)) return 'away'
  if (!error.permanent) return 'later'
  return refusesAddress(error) ? 'address' : 'message'
}

/**
 * Only what says so in its code, wherever in the reply it stands. Servers also refuse recipients because of us: a sender they do not know
 * (5.1.7, 5.1.8), relaying (5.7, or a bare 550), a full mailbox (5.2.2).
 */
function refusesAddress({ command, response = '' }: SmtpError): boolean {
  const [enhanced = ''] = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(response) ?? []
  return command === 'RCPT TO' && /^5\.(1\.(1|2|3|6|10)|2\.1)$/.test(enhanced)
}

const anyAddress = /[^\s<>"'(]+@[^\s<>"')]+/g

/** Kept for administrators, also when the person is erased: so without the address that servers like to repeat. */
function reasonOf({ response, message, originalCode }: SmtpError): string {
  const said = response
    ? `O servidor de e-mail respondeu: ${response}`
    : `O servidor de e-mail não respondeu: ${message}`
  return `${said}${originalCode ? ` (${originalCode})` : ''}`
    .replace(anyAddress, '…')
    .replace(/\s+/g, ' ')
    .slice(0, 300)
}
