// E-mails without an SMTP server: each is an .eml file in the data folder, which administrators can read.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { composeMessage, type Mailer } from '#server/adapters/mail.ts'

export interface LocalEmail {
  id: string
  to: string
  subject: string
  sentAt: Date
}

export interface LocalEmailContent extends LocalEmail {
  text: string
  html: string
  /** Content of the file. */
  raw: string
}

export interface LocalMailbox {
  /** Newest first. */
  list(limit?: number): Promise<LocalEmail[]>
  /** Undefined if there is no such e-mail. */
  read(id: string): Promise<LocalEmailContent | undefined>
  /** Deletes all e-mails to an address, when its person is erased. */
  forget(address: string): Promise<void>
  /** Deletes all e-mails whose recipient matches. */
  forgetRecipients(isErased: (to: string) => boolean): Promise<void>
}

/** Older e-mails are not needed, and e-mails that are never sent must not fill the disk. */
const maxKept = 10_000
const deleteOldEvery = 500

const fileOf = (folder: string, id: string) => join(folder, `${id}.eml`)
const validId = /^[\w.-]{1,80}$/

export function createLocalMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let written = 0

  return {
    async send(mail) {
      const { message } = await transport.sendMail(composeMessage(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(folder, mail.key)
      // Atomic: a killed process leaves no partial e-mail.
      await writeFile(`${file}.novo`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.novo`, file)
      written += 1
      if (written % deleteOldEvery === 0) await deleteOld()
    },
    close() {},
  }

  async function deleteOld(): Promise<void> {
    for (const id of (await idsIn(folder)).slice(maxKept)) await rm(fileOf(folder, id), { force: true })
  }
}

export function openLocalMailbox(folder: string): LocalMailbox {
  async function read(id: string): Promise<LocalEmailContent | undefined> {
    if (!validId.test(id)) return undefined
    try {
      return parse(id, await readFile(fileOf(folder, id), 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async function forgetRecipients(isErased: (to: string) => boolean): Promise<void> {
    // One at a time: there may be thousands, and only this one request waits.
    for (const id of await idsIn(folder)) {
      const mail = await read(id)
      if (mail && isErased(mail.to)) await rm(fileOf(folder, id), { force: true })
    }
  }

  return {
    read,
    async list(limit = 100) {
      const mails = await Promise.all((await idsIn(folder)).slice(0, limit).map(read))
      return mails.flatMap((mail) => (mail ? [summaryOf(mail)] : []))
    },
    forget: (address) => forgetRecipients((to) => to.toLowerCase() === address.toLowerCase()),
    forgetRecipients,
  }
}

async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const ids = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -4))
  return ids.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }))
}

function summaryOf({ id, to, subject, sentAt }: LocalEmailContent): LocalEmail {
  return { id, to, subject, sentAt }
}

/** Parses only what `composed` writes: two parts, each quoted-printable. */
function parse(id: string, raw: string): LocalEmailContent {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(head.replace(/\r\n[ \t]+/g, ' '))?.[1]?.trim() ?? ''
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(head) ?? []
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`)
  const part = (type: string) => {
    const [partHead = '', ...body] = (parts.find((text) => text.includes(`Content-Type: ${type}`)) ?? '').split(
      '\r\n\r\n',
    )
    const text = body.join('\r\n\r\n')
    return /quoted-printable/i.test(partHead) ? decodeQuotedPrintable(text.replace(/=\r\n/g, '')) : text
  }
  return {
    id,
    to: header('To'),
    subject: decodeHeader(header('Subject')),
    sentAt: new Date(header('Date')),
    text: part('text/plain').trim(),
    html: part('text/html').trim(),
    raw,
  }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeHeader(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    )
}
