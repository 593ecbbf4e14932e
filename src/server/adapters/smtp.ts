// Sends e-mails by SMTP: a few pooled connections, and a DKIM signature if the operator has a key.
import { readFileSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import {
  composeMessage,
  type Mailer,
  MailFailure,
  type MailFailureKind,
  withoutAddresses,
} from '#server/adapters/mail.ts'
import { readSmtpAddress } from '#server/core/smtp-address.ts'

interface Dkim {
  domain: string
  selector: string
  keyFile: string
}

interface SmtpOptions {
  url: string
  from: string
  dkim?: Dkim | undefined
  connections: number
}

/** The default list of nodemailer omits one-click unsubscribe, which receivers expect to be signed. */
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

export function createSmtpMailer({ url: smtpUrl, from, dkim, connections }: SmtpOptions): Mailer {
  const address = readSmtpAddress(smtpUrl)
  if (!address) throw new Error('not an address of an SMTP server')
  const { url, startTls } = address
  /** Ids of mails that a connection has started to send. */
  const started = new Set<string>()

  function open() {
    const opened = createTransport({
      url,
      // Without this, anybody on the way can remove STARTTLS from the server's reply and read every e-mail and password.
      requireTLS: startTls === 'required',
      ...(startTls === 'off' && { ignoreTLS: true }),
      pool: true,
      maxConnections: connections,
      maxMessages: 100,
      // Only the delivery queue retries: it knows the earlier attempts of all nodes.
      maxRequeues: 0,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      // RFC 5321 gives the server this time to accept a mail. A shorter timeout would send mails twice.
      socketTimeout: 600_000,
      // Network devices may drop an idle connection without telling either side.
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
    // A mail is read only when a connection takes it. Errors do not say how far the mail got, so it is noted here.
    opened.use('stream', ({ data, message }, done) => {
      message.processFunc((content) => {
        started.add(String(data.messageId))
        return content
      })
      done()
    })
    return opened
  }
  // Reopened after `close`: in development, a process closes the mailer and continues.
  let transport: ReturnType<typeof open> | undefined

  return {
    async send(mail) {
      transport ??= open()
      const message = composeMessage(mail, from)
      const id = String(message.messageId)
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw new MailFailure(kindOf(error as SmtpError, started.has(id)), reasonOf(error as SmtpError))
      } finally {
        started.delete(id)
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

/** Commands before any recipient is named: a rejection concerns us, not the recipient. */
const beforeAnyRecipient = /^(EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM)/

function kindOf(error: SmtpError, hasStarted: boolean): MailFailureKind {
  const { code = '', command = '', responseCode } = error
  if (beforeAnyRecipient.test(command) || responseCode === 421) return 'away'
  if (responseCode === undefined && /^(ESOCKET|ETIMEDOUT|ECONNECTION)$/.test(code)) {
    // During a mail: the mail may be the cause, or the server may have accepted it. 'away' does not count the attempt,
    // so a slow server would get the mail without end. Without a command, nothing of the mail was sent.
    return hasStarted && command ? 'later' : 'away'
  }
  if (/^(EDNS|ETLS|EAUTH|ENOAUTH|EOAUTH2|EPROTOCOL)$/.test(code)) return 'away'
  if (!error.permanent) return 'later'
  return refusesAddress(error) ? 'address' : 'message'
}

/**
 * True only if the enhanced status code, anywhere in the reply, says that the address is invalid. Servers also reject
 * recipients for other reasons: unknown sender (5.1.7, 5.1.8), relaying (5.7, or a bare 550), full mailbox (5.2.2).
 */
function refusesAddress({ command, response = '' }: SmtpError): boolean {
  const [enhanced = ''] = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(response) ?? []
  return command === 'RCPT TO' && /^5\.(1\.(1|2|3|6|10)|2\.1)$/.test(enhanced)
}

/** Stored for administrators even after the person is erased, so without the address that servers often repeat. */
function reasonOf({ response, message, originalCode }: SmtpError): string {
  const text = response
    ? `O servidor de e-mail respondeu: ${response}`
    : `O servidor de e-mail não respondeu: ${message}`
  return withoutAddresses(`${text}${originalCode ? ` (${originalCode})` : ''}`)
}
