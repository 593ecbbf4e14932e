// Journal of removals, unsubscribes, opt-outs of campaigns and erased people, as keyed hashes in the data folder, outside
// the database: restoring an older backup must not undo them.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'

/** Subject of `removed`: the id of a record. Of the others, which only earlier versions have written: a mailbox. */
type RemovalKind = 'removed' | 'news' | 'everything'

/** Written by earlier versions. */
interface JournaledOptOut {
  campaignId: number
  digest: Buffer
}

/** What the owner of a mailbox does not want: the news of one campaign, all news, or all e-mail. */
export interface JournaledRefusal {
  choice: 'campaign' | 'news' | 'everything'
  addressHmac: Buffer
  campaignId?: number | undefined
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
  refusals: JournaledRefusal[]
}

const refusalPrefix = 'refused-'

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
  const lineOf = (kind: string, digest: Buffer, campaignId?: number) =>
    [new Date().toISOString(), kind, digest.toString('hex'), campaignId].join(' ').trimEnd()
  return {
    appendRemoved: (id: string) => writeLine(() => lineOf('removed', digestOf(readOrCreateKey(config), id))),
    appendRefusal: ({ choice, addressHmac, campaignId }: JournaledRefusal) =>
      writeLine(() => lineOf(refusalPrefix + choice, addressHmac, campaignId)),
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
  const refusals: JournaledRefusal[] = []
  if (!existsSync(journalFile(config))) return { key: Buffer.alloc(0), digests, optOuts, refusals }
  for (const line of readFileSync(journalFile(config), 'utf8').split('\n')) {
    const [at = '', kind = '', hex = '', campaignId = ''] = line.split(' ')
    if (!/^[0-9a-f]{64}$/.test(hex) || !(Date.parse(at) >= since.getTime() - 60_000)) continue
    const digest = Buffer.from(hex, 'hex')
    if (kind in digests) digests[kind as RemovalKind].push(digest)
    else if (kind === 'campaign' && /^\d{1,15}$/.test(campaignId))
      optOuts.push({ campaignId: Number(campaignId), digest })
    else {
      const choice = choices.find((name) => kind === refusalPrefix + name)
      if (choice !== undefined && (choice === 'campaign') === /^\d{1,15}$/.test(campaignId))
        refusals.push({ choice, addressHmac: digest, campaignId: campaignId ? Number(campaignId) : undefined })
    }
  }
  const needsKey = optOuts.length > 0 || Object.values(digests).some((each) => each.length > 0)
  if (needsKey && !existsSync(keyFile(config))) throw new Error(journalWithoutKey)
  return { key: needsKey ? readFileSync(keyFile(config)) : Buffer.alloc(0), digests, optOuts, refusals }
}

const choices: JournaledRefusal['choice'][] = ['campaign', 'news', 'everything']

export const isEmptyJournal = ({ key, refusals }: JournaledRemovals) => key.length === 0 && refusals.length === 0

const journalWithoutKey =
  'A pasta de dados tem remocoes.txt sem a sua chave, remocoes.chave: as remoções feitas depois da cópia não seriam repetidas. Copie os dois arquivos do servidor anterior. Se a chave se perdeu, apague remocoes.txt para restaurar mesmo assim.'

/** The same as `sha256(key || uuid_send(id))` in SQL. */
function digestOf(key: Buffer, id: string): Buffer {
  return createHash('sha256')
    .update(key)
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .digest()
}

function readOrCreateKey(config: Folder): Buffer {
  const file = keyFile(config)
  if (!existsSync(file)) {
    mkdirSync(config.dataDir, { recursive: true })
    writeFileSync(file, randomBytes(32), { mode: 0o600, flush: true, flag: 'wx' })
  }
  return readFileSync(file)
}
