// A mail and whoever carries it. How it is put together is the same for all carriers.
import type { SendMailOptions } from 'nodemailer'

export interface Mail {
  /** Names the mail for ever: a second try of the same delivery carries the same one. */
  key: string
  to: string
  subject: string
  html: string
  text: string
  /** Where a program may unsubscribe the address with one POST (RFC 8058). */
  unsubscribeUrl: string
}

export interface Sender {
  name: string
  address: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  /** Ends connections, those in use as well. */
  close(): void
}

/**
 * address: it will never take a mail. message: this mail is refused as it is. later: this mail may be taken later.
 * away: nobody takes any mail now.
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

/** One recipient, whatever the address holds: it is given as a whole and never parsed. */
export function composed({ key, to, subject, html, text, unsubscribeUrl }: Mail, from: Sender): SendMailOptions {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    messageId: `<${key}@${domain}>`,
    textEncoding: 'quoted-printable',
    list: { unsubscribe: { url: unsubscribeUrl } },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click', 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
