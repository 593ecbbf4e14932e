// Mails without an SMTP server: each a file in the data folder that any mail program opens, and that administrators can read.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { composed, type Mailer, type Sender } from '#server/adapters/mail.ts'

export interface LocalEmail {
  id: string
  to: string
  subject: string
  sentAt: Date
}

export interface LocalEmailContent extends LocalEmail {
  text: string
  html: string
  /** The file as it is. */
  raw: string
}

export interface LocalMailbox {
  /** The latest first. */
  list(most?: number): Promise<LocalEmail[]>
  /** Undefined: there is none. */
  read(id: string): Promise<LocalEmailContent | undefined>
  /** Whoever is erased is not to be found among old mails either. */
  forget(address: string): Promise<void>
}

/** Nobody reads further back, and a disk must not fill up with mails that were never meant to leave. */
const mostKept = 10_000
const tidyEvery = 500

const fileOf = (folder: string, id: string) => join(folder, `${id}.eml`)
const validId = /^[\w.-]{1,80}$/

export function createLocalMailer(folder: string, from: Sender): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  let written = 0

  return {
    async send(mail) {
      const { message } = await transport.sendMail(composed(mail, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(folder, mail.key)
      // Whole or not there at all, whatever ends the process.
      await writeFile(`${file}.novo`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.novo`, file)
      written += 1
      if (written % tidyEvery === 0) await tidy()
    },
    close() {},
  }

  async function tidy(): Promise<void> {
    for (const id of (await idsIn(folder)).slice(mostKept)) await rm(fileOf(folder, id), { force: true })
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

  return {
    read,
    async list(most = 100) {
      const mails = await Promise.all((await idsIn(folder)).slice(0, most).map(read))
      return mails.flatMap((mail) => (mail ? [headOf(mail)] : []))
    },
    async forget(address) {
      const wanted = address.toLowerCase()
      // One by one: there may be thousands, and nobody waits for more than this answer.
      for (const id of await idsIn(folder))
        if ((await read(id))?.to.toLowerCase() === wanted) await rm(fileOf(folder, id), { force: true })
    },
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

function headOf({ id, to, subject, sentAt }: LocalEmailContent): LocalEmail {
  return { id, to, subject, sentAt }
}

/** Reads what `composed` writes, and nothing more: two parts, each quoted-printable. */
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
    return /quoted-printable/i.test(partHead) ? unquoted(text.replace(/=\r\n/g, '')) : text
  }
  return {
    id,
    to: header('To'),
    subject: decodedWords(header('Subject')),
    sentAt: new Date(header('Date')),
    text: part('text/plain').trim(),
    html: part('text/html').trim(),
    raw,
  }
}

function unquoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    )
}
