// Deletes the e-mails of erased people from the data folder of this node, also those that another node has erased.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LocalMailbox } from '#server/adapters/local-mail.ts'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Database } from '#server/db/database.ts'
import { readErasedSince } from '#server/db/erased-people.ts'

interface ErasedMailParts {
  config: Pick<Config, 'dataDir'>
  database: Database
  mailbox: Pick<LocalMailbox, 'forgetRecipients'>
  removals: RemovalJournal
  log: Log
  periodMs?: number
}

/** An e-mail that was being written during the erasure is on disk by then, and every transaction has ended. */
const repeatsForMs = 120_000
const beginning = new Date(0)

export type ErasedMail = ReturnType<typeof createErasedMail>

export function createErasedMail(parts: ErasedMailParts) {
  const { config, database, mailbox, removals, log, periodMs = 30_000 } = parts
  /** The time, by the clock of the database, up to which this node has processed the erasure list. */
  const markFile = join(config.dataDir, 'apagados.txt')

  function readMark(): Date {
    const mark = existsSync(markFile) ? new Date(readFileSync(markFile, 'utf8').trim()) : beginning
    return Number.isNaN(mark.getTime()) ? beginning : mark
  }

  function writeMark(mark: Date): void {
    mkdirSync(dirname(markFile), { recursive: true })
    writeFileSync(`${markFile}.novo`, `${mark.toISOString()}\n`, { mode: 0o600, flush: true })
    renameSync(`${markFile}.novo`, markFile)
  }

  async function deleteErased(): Promise<void> {
    const mark = readMark()
    const people = await readErasedSince((text, values) => database.query('erased-since', text, values), mark)
    if (people.length === 0) return
    const [clock] = await database.query<{ now: Date }>('', 'select now() as now', [])
    const erased = new Set(people.map((person) => person.mailboxHmac.toString('hex')))
    const hmacOf = (to: string) => database.orm.addressHmac(mailboxOf(canonicalizeEmail(to))).toString('hex')
    await mailbox.forgetRecipients((to) => erased.has(hmacOf(to)))
    for (const person of people) await removals.appendErased(person)
    const settled = (clock?.now.getTime() ?? 0) - repeatsForMs
    const passed = people.filter(({ erasedAt }) => erasedAt.getTime() <= settled).at(-1)
    if (passed) writeMark(passed.erasedAt)
  }

  let isRunning = false
  const task = createPeriodicTask({
    periodMs,
    async work() {
      isRunning = true
      await deleteErased().finally(() => {
        isRunning = false
      })
    },
    onFailure: (error) => log.warn({ err: error }, 'e-mails of erased people not deleted from the data folder'),
  })
  return {
    ...task,
    /** Processes the list as it is now. A run in progress may have read an older one. */
    async apply(): Promise<void> {
      if (isRunning) await task.apply()
      await task.apply()
    },
    /** Begins with the erasures since this node last ran. */
    start(): void {
      void task.apply()
      task.start()
    },
  }
}
