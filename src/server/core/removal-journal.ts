// Journal of removals, unsubscribes, opt-outs of campaigns and erased people, as keyed digests in the data folder, outside
// the database: restoring an older backup must not undo them.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'

/** Subject of `removed`: the id of a record. Of `news` and `everything`: the HMAC of a mailbox. */
type RemovalKind = 'removed' | 'news' | 'everything'

interface JournaledOptOut {
  campaignId: number
  digest: Buffer
}

/** A person of whom everything was erased. Records since then are of the person who came back. */
export interface ErasedPerson {
  mailboxHmac: Buffer
  erasedAt: Date
  /** At the wish of the owner of the mailbox. What only has the same phone number was not erased. */
  byOwner: boolean
}

export interface JournaledRemovals {
  key: Buffer
  digests: Record<RemovalKind, Buffer[]>
  optOuts: JournaledOptOut[]
}

/** The subject of an opt-out of one campaign. */
const optOutSubject = (addressHmac: Buffer, campaignId: number) =>
  Buffer.concat([addressHmac, Buffer.from(String(campaignId))])

type Folder = Pick<Config, 'dataDir'>
const journalFile = ({ dataDir }: Folder) => join(dataDir, 'remocoes.txt')
const keyFile = ({ dataDir }: Folder) => join(dataDir, 'remocoes.chave')

export type RemovalJournal = ReturnType<typeof createRemovalJournal>

export function createRemovalJournal(config: Folder, log: Log) {
  /** Resolves after fsync. A write error is only logged, so that it does not prevent the removal. */
  async function writeLine(lineOf: () => string | undefined): Promise<void> {
    try {
      const line = lineOf()
      if (line === undefined) return
      mkdirSync(config.dataDir, { recursive: true })
      const file = await open(journalFile(config), 'a', 0o600)
      try {
        // A full disk or a power cut may have left a part of a line. Empty lines are skipped.
        await file.appendFile(`\n${line}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
    } catch (error) {
      log.warn({ err: error }, 'removal journal not written')
    }
  }
  const write = (kind: RemovalKind | 'campaign', subject: string | Buffer, campaignId?: number) =>
    writeLine(() => {
      const digest = digestOf(readOrCreateKey(config), subject).toString('hex')
      return [new Date().toISOString(), kind, digest, campaignId].join(' ').trimEnd()
    })
  return {
    append: (kind: RemovalKind, subject: string | Buffer) => write(kind, subject),
    /** The id of the campaign is written too, so that a restore computes digests for that campaign only. */
    appendOptOut: (addressHmac: Buffer, campaignId: number) =>
      write('campaign', optOutSubject(addressHmac, campaignId), campaignId),
    /** Every node has the erasure list in its journal. A person who is in it with the same time is not added. */
    appendErased: (person: ErasedPerson) =>
      writeLine(() => {
        const line = erasedLine(person)
        const file = journalFile(config)
        return existsSync(file) && readFileSync(file, 'utf8').includes(`${line}\n`) ? undefined : line
      }),
  }
}

const erasedLine = ({ mailboxHmac, erasedAt, byOwner }: ErasedPerson) =>
  `${erasedAt.toISOString()} ${byOwner ? 'owner' : 'person'} ${mailboxHmac.toString('hex')}`

/** All of them, whatever the time of the backup: an erasure may have been interrupted before it. */
export function readErasedPeople(config: Folder): ErasedPerson[] {
  if (!existsSync(journalFile(config))) return []
  return readFileSync(journalFile(config), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [at = '', kind = '', hex = ''] = line.split(' ')
      const isPerson =
        (kind === 'person' || kind === 'owner') && /^[0-9a-f]{64}$/.test(hex) && !Number.isNaN(Date.parse(at))
      return isPerson
        ? [{ mailboxHmac: Buffer.from(hex, 'hex'), erasedAt: new Date(at), byOwner: kind === 'owner' }]
        : []
    })
}

/** Removals since a time, with one minute of tolerance for the clocks of two servers. */
export function readRemovals(config: Folder, since: Date): JournaledRemovals {
  const digests: JournaledRemovals['digests'] = { removed: [], news: [], everything: [] }
  const optOuts: JournaledOptOut[] = []
  if (!existsSync(journalFile(config))) return { key: Buffer.alloc(0), digests, optOuts }
  for (const line of readFileSync(journalFile(config), 'utf8').split('\n')) {
    const [at = '', kind = '', hex = '', campaignId = ''] = line.split(' ')
    if (!/^[0-9a-f]{64}$/.test(hex) || !(Date.parse(at) >= since.getTime() - 60_000)) continue
    const digest = Buffer.from(hex, 'hex')
    if (kind in digests) digests[kind as RemovalKind].push(digest)
    else if (kind === 'campaign' && /^\d{1,15}$/.test(campaignId))
      optOuts.push({ campaignId: Number(campaignId), digest })
  }
  const isEmpty = isEmptyJournal({ digests, optOuts })
  if (!isEmpty && !existsSync(keyFile(config))) throw new Error(journalWithoutKey)
  return { key: isEmpty ? Buffer.alloc(0) : readFileSync(keyFile(config)), digests, optOuts }
}

export const isEmptyJournal = ({ digests, optOuts }: Pick<JournaledRemovals, 'digests' | 'optOuts'>) =>
  optOuts.length === 0 && Object.values(digests).every((each) => each.length === 0)

const journalWithoutKey =
  'A pasta de dados tem remocoes.txt sem a sua chave, remocoes.chave: as remoções feitas depois da cópia não seriam repetidas. Copie os dois arquivos do servidor anterior. Se a chave se perdeu, apague remocoes.txt para restaurar mesmo assim.'

/** The same as `sha256(key || subject)` in SQL. An id counts as its sixteen bytes. */
function digestOf(key: Buffer, subject: string | Buffer): Buffer {
  const bytes = typeof subject === 'string' ? Buffer.from(subject.replaceAll('-', ''), 'hex') : subject
  return createHash('sha256').update(key).update(bytes).digest()
}

function readOrCreateKey(config: Folder): Buffer {
  const file = keyFile(config)
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32), { mode: 0o600, flush: true, flag: 'wx' })
  }
  return readFileSync(file)
}
