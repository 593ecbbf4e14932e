// E-mails and mailers. All mailers compose an e-mail the same way.
import type { SendMailOptions } from 'nodemailer'

export interface Mail {
  /** Permanent id of the mail: a retry of the same delivery has the same key. */
  key: string
  /** Display name of the sender. */
  fromName: string
  to: string
  /** Where replies go: the address of the coordination. Ignored if it is invalid or the sender itself. */
  replyTo: string
  subject: string
  html: string
  text: string
  /** URL where a mail program can unsubscribe the address with one POST (RFC 8058). Not in security notices. */
  unsubscribeUrl?: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  /** Closes all connections, including those in use. */
  close(): void
}

/**
 * `address`: the address will never accept mail. `message`: this mail is rejected. `later`: this mail may be accepted
 * later. `away`: no mail is accepted now.
 */
export type MailFailureKind = 'address' | 'message' | 'later' | 'away'

export class MailFailure extends Error {
  readonly kind: MailFailureKind

  constructor(kind: MailFailureKind, reason: string) {
    super(reason)
    this.name = 'MailFailure'
    this.kind = kind
  }
}

/** A stricter rule than that of the settings: the address gets into a header. */
const isOtherAddress = (address: string, from: string) =>
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(address) &&
  address.toLowerCase() !== from.toLowerCase()

const anyAddress = /[^\s<>"'(]+@[^\s<>"')]+/g

/** The search for addresses is quadratic: without the limit, a long reply would block the event loop for seconds. */
const maxReply = 1_000

/** The reply of a mail server, for administrators. Servers often repeat the address in it. */
export function withoutAddresses(reply: string): string {
  // The last word may be a part of an address.
  const text = reply.length > maxReply ? reply.slice(0, maxReply).replace(/\S+$/, '') : reply
  return text.replace(anyAddress, '…').replace(/\s+/g, ' ').slice(0, 300)
}

/** The address is passed as an object and never parsed, so there is always exactly one recipient. */
export function composeMessage(mail: Mail, from: string): SendMailOptions {
  const { key, fromName, to, replyTo, subject, html, text, unsubscribeUrl } = mail
  const domain = from.slice(from.lastIndexOf('@') + 1)
  return {
    from: { name: fromName, address: from },
    to: { name: '', address: to },
    envelope: { from, to: [to] },
    ...(isOtherAddress(replyTo, from) && { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    messageId: `<${key}@${domain}>`,
    textEncoding: 'quoted-printable',
    ...(unsubscribeUrl && { list: { unsubscribe: { url: unsubscribeUrl } } }),
    headers: {
      ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
