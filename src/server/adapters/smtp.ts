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
  const open = () =>
    createTransport({
      url,
      pool: true,
      maxConnections: connections,
      maxMessages: 100,
      // Trying again is the queue's business: it knows what was tried before and by whom.
      maxRequeues: 0,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 60_000,
      ...(dkim && {
        dkim: {
          domainName: dkim.domain,
          keySelector: dkim.selector,
          privateKey: readFileSync(dkim.keyFile, 'utf8'),
          headerFieldNames: signedHeaders,
        },
      }),
    })
  // Opened again after it was closed: a node under development closes and goes on.
  let transport: ReturnType<typeof open> | undefined

  return {
    async send(mail) {
      transport ??= open()
      try {
        await transport.sendMail(composed(mail, from))
      } catch (error) {
        throw new MailFailure(kindOf(error as SmtpError), reasonOf(error as SmtpError))
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
  timeoutType?: string
}

const beforeAnyMail = /^(EHLO|HELO|LHLO|STARTTLS|AUTH)/
const nobodyThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENOENT'])

function kindOf(error: SmtpError): MailFailureKind {
  const { code = '', command = '', originalCode = '', timeoutType = '', responseCode } = error
  const notConnected = nobodyThere.has(originalCode) || /^(CONNECT|GREETING)_/.test(timeoutType)
  if (notConnected || /^(EDNS|ETLS|EAUTH|ENOAUTH|EOAUTH2|EPROTOCOL)$/.test(code)) return 'away'
  if (beforeAnyMail.test(command) || responseCode === 421) return 'away'
  if (!error.permanent) return 'later'
  return refusesAddress(error) ? 'address' : 'message'
}

/** A refused recipient is no proof: the server may refuse us (5.7), or its mailbox may be full (5.2.2). */
function refusesAddress({ command, responseCode = 0, response = '' }: SmtpError): boolean {
  if (command !== 'RCPT TO') return false
  const [, enhanced] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  return enhanced ? /^5\.(1\.\d+|2\.1)$/.test(enhanced) : [550, 551, 553].includes(responseCode)
}

function reasonOf({ response, message, originalCode }: SmtpError): string {
  const said = response
    ? `O servidor de e-mail respondeu: ${response}`
    : `O servidor de e-mail não respondeu: ${message}`
  return `${said}${originalCode ? ` (${originalCode})` : ''}`.replace(/\s+/g, ' ').slice(0, 300)
}
