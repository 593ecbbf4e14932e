// The delivery handler of the spreadsheet: adds one row per record, updates the consent in it, and removes the rows of
// erased people.
import { setTimeout as delay } from 'node:timers/promises'
import { openSpreadsheet, type SheetSettings } from '#server/adapters/sheets/open.ts'
import { SheetFailure, type Surplus, type Tab } from '#server/adapters/sheets/spreadsheet.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Database } from '#server/db/database.ts'
import type { PersonTable } from '#server/db/people-descriptors.ts'
import type { Delivery, DeliveryHandler, Settle } from '#server/outbox/queue/delivery.ts'
import { DeliveryFailure } from '#server/outbox/queue/retry-policy.ts'
import { eraseFromFormerSheets } from '#server/outbox/sheet/former-sheets.ts'
import { createSheetLease, type Outcome } from '#server/outbox/sheet/sheet-lease.ts'
import { readBatch, tableOf } from '#server/outbox/sheet/sheet-rows.ts'
import { readSheetState, type SheetState } from '#server/outbox/sheet/sheet-state.ts'
import { createSheetQueue, groupByTab, type SheetKind, type SheetTask } from '#server/outbox/sheet/sheet-tasks.ts'

export interface SheetSync {
  handler: DeliveryHandler<SheetKind>
  /** State of the spreadsheet for administrators. */
  state(): Promise<SheetState>
}

interface SheetSyncParts {
  database: Database
  settings: SheetSettings
  throttle: BackgroundThrottle
  /** Shorter in tests. */
  periods?: Partial<SheetPeriods>
}

interface SheetPeriods {
  /** Time until a tab is checked again after rows were sent again: a write may be made after its call timed out. */
  secondCheckMs: number
  /** Records that arrive within this time go into one write. */
  gatherMs: number
  /** The pause before the first retry. Later pauses are longer. */
  shortestPauseMs: number
  /** See `SheetLeaseOptions`. */
  leasePollMs: number
}

const defaultPeriods: SheetPeriods = { secondCheckMs: 60_000, gatherMs: 1_000, shortestPauseMs: 200, leasePollMs: 500 }
const maxTries = 6
/** The maximum number of ids in one update task, so that other deliveries do not wait long. */
const maxUpdated = 10_000
/** Pause after an update, per row of the tab, because an update reads the whole tab or rewrites the whole file. */
const pausePerRowMs = 0.02
const maxPauseMs = 20_000
const copies: Surplus = { erased: new Set(), copies: 'remove' }

const busy = 'Outro servidor está gravando a planilha. Vamos tentar de novo.'

export function createSheetSync({ database, settings, throttle, periods }: SheetSyncParts): SheetSync {
  const { secondCheckMs, gatherMs, shortestPauseMs, leasePollMs } = { ...defaultPeriods, ...periods }
  let stopping = new AbortController()
  let updatePauseMs = 0
  const spreadsheet = openSpreadsheet(settings, {
    async beforeWrite() {
      if (!(await lease.beforeWrite(stopping.signal))) throw new SheetFailure(busy, {})
    },
    leaving: () => stopping.signal,
  })
  const lease = createSheetLease(database, { ...spreadsheet, leasePollMs })
  const queue = createSheetQueue(database, { secondCheckMs })

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})

  /** Retries transient failures, which are often short. The worker handles longer ones. */
  async function withRetries<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        const isTransient = error instanceof SheetFailure && !error.permanent && !stopping.signal.aborted
        if (!isTransient || tries === maxTries) throw error
        const pauseMs = shortestPauseMs * 2 ** (tries - 1) * (0.5 + Math.random())
        await pause(Math.max(pauseMs, error.pauseMs))
      }
    }
  }

  async function add(task: SheetTask, settle: Settle): Promise<void> {
    const { tab, table, deliveries } = task
    const unsettled = new Set(deliveries)
    let waiting = task.records
    let doubtful = task.doubtful

    async function checkFirst(): Promise<void> {
      const { present, lost } = await spreadsheet.tidy(tab, copies)
      waiting = waiting.filter(({ id }) => !present.has(id))
      await queue.addAgain(task, lost)
      doubtful = false
      // Queued before the rows are sent again, so that the tab is checked even if this node is killed in between.
      if (waiting.length > 0) await queue.checkLater(task)
    }

    async function addBatch(): Promise<void> {
      const ids = waiting.map(({ id }) => id)
      const { rows, taken } = await throttle.run(() => readBatch(database, table, ids), stopping.signal)
      if (stopping.signal.aborted) throw new SheetFailure(busy, {})
      if (rows.length > 0) {
        // If this node is killed now, the node that takes over must check the tab before it sends the rows.
        await queue.markDoubtful(waiting.slice(0, taken))
        try {
          await queue.addAgain(task, await spreadsheet.append(tab, rows))
        } catch (error) {
          doubtful = !(error instanceof SheetFailure) || error.unknown
          throw error
        }
      }
      waiting = waiting.slice(taken)
    }

    do {
      await withRetries(() => (doubtful ? checkFirst() : addBatch()))
      const unfinished = new Set(waiting.map(({ delivery }) => delivery))
      const done = [...unsettled].filter((delivery) => !unfinished.has(delivery))
      for (const delivery of done) unsettled.delete(delivery)
      if (done.length > 0) await settle.done(done)
    } while (waiting.length > 0)
  }

  /** Takes the first deliveries, up to the maximum. The rest returns to the queue, after all other due rows. */
  async function takeFirst(
    { deliveries, records }: SheetTask,
    settle: Settle,
  ): Promise<{ ids: string[]; taken: Delivery[] }> {
    const idsOf = Map.groupBy(records, ({ delivery }) => delivery)
    const ids = new Set<string>()
    const taken = deliveries.filter((delivery, index) => {
      const own = idsOf.get(delivery) ?? []
      if (index > 0 && ids.size + own.length > maxUpdated) return false
      for (const { id } of own) ids.add(id)
      return true
    })
    const kept = new Set(taken)
    const later = deliveries.filter((delivery) => !kept.has(delivery))
    if (later.length > 0) await settle.later(later)
    return { ids: [...ids], taken }
  }

  async function readRows(table: PersonTable, ids: string[]): Promise<string[][]> {
    const rows: string[][] = []
    for (let waiting = ids; waiting.length > 0; ) {
      const batch = await throttle.run(() => readBatch(database, table, waiting), stopping.signal)
      if (stopping.signal.aborted) throw new SheetFailure(busy, {})
      rows.push(...batch.rows)
      waiting = waiting.slice(batch.taken)
    }
    return rows
  }

  /** Writing a file uses the CPU of this node, which signing needs more. Google writes on its own servers. */
  const throttled = <T>(work: () => Promise<T>) =>
    spreadsheet.kind === 'csv' ? throttle.run(work, stopping.signal) : work()

  /** Returns the ids that have no row in the tab. */
  async function updateIn(task: SheetTask, tab: Tab, ids: string[]): Promise<string[]> {
    const absent: string[] = []
    let doubtful = false
    for (let pending = ids, rounds = 0; pending.length > 0 && rounds < maxTries; rounds++) {
      const updated = await withRetries(async () => {
        const rows = await readRows(task.table, pending)
        try {
          return await throttled(() => spreadsheet.update(tab, rows))
        } catch (error) {
          if (!doubtful && (!(error instanceof SheetFailure) || error.unknown)) {
            doubtful = true
            await queue.updateAgainLater(task, pending)
          }
          throw error
        }
      })
      if (rounds === 0) absent.push(...updated.absent)
      updatePauseMs = Math.min(updatePauseMs + pausePerRowMs * updated.read, maxPauseMs)
      pending = updated.disturbed
      // People keep sorting the tab. The rest is updated later, when they have probably finished.
      if (pending.length > 0 && rounds === maxTries - 1) await queue.updateAgainLater(task, pending)
    }
    return absent
  }

  async function update(task: SheetTask, settle: Settle): Promise<void> {
    const { ids, taken } = await takeFirst(task, settle)
    const absent = await updateIn(task, task.tab, ids)
    // Their campaign may have had another tab when they signed. New records have no row yet and get a current one.
    const unseen = absent.length > 0 ? await queue.shouldHaveRow(task.table, absent) : []
    const others = unseen.length > 0 ? await withRetries(spreadsheet.titles) : []
    for (const title of others.filter((other) => other !== task.tab.title))
      await updateIn(task, { ...task.tab, title }, unseen)
    await settle.done(taken)
  }

  async function remove(task: SheetTask, settle: Settle): Promise<void> {
    const { tab, records } = task
    const erased = new Set(records.map(({ id }) => id))
    if (erased.size > 0) await eraseFromFormerSheets(database, spreadsheet.name, task)
    const { lost, removed } = await withRetries(() =>
      throttled(() => spreadsheet.tidy(tab, { erased, copies: 'remove' })),
    )
    await queue.addAgain(task, lost)
    // Their campaign may have had another tab when they signed.
    const unseen = new Set([...erased].filter((id) => !removed.has(id)))
    const others = unseen.size > 0 ? await withRetries(spreadsheet.titles) : []
    for (const title of others.filter((other) => other !== tab.title)) {
      const other = await withRetries(() =>
        throttled(() => spreadsheet.tidy({ ...tab, title }, { erased: unseen, copies: 'keep' })),
      )
      // In tabs that people created, duplicates may be intended and no row is missing.
      if (other.lost.length > 0 && (await queue.isOurs(title)))
        await queue.addAgain({ ...task, aba: title, table: tableOf(title) }, other.lost)
    }
    // A write without a response may still add their row.
    if (erased.size > 0) await queue.removeAgainLater(task)
    await settle.done(task.deliveries)
  }

  const works = { planilha: add, 'planilha-atualizar': update, 'planilha-remover': remove, 'planilha-conferir': remove }

  async function performAll(tasks: SheetTask[], settle: Settle): Promise<void> {
    let failure: SheetFailure | undefined
    for (const task of tasks) {
      try {
        await works[task.kind](task, settle)
      } catch (error) {
        if (!(error instanceof SheetFailure) || !error.permanent || stopping.signal.aborted) throw error
        // For example a protected tab. The other tabs are still written.
        failure ??= error
      }
    }
    if (failure) throw failure
  }

  return {
    state: () => readSheetState(database, spreadsheet),
    handler: {
      name: 'planilha',
      kinds: ['planilha', 'planilha-atualizar', 'planilha-remover', 'planilha-conferir'],
      // Rows can be removed from a full spreadsheet, but not added.
      first: 'planilha-remover',
      atOnce: 1,
      batch: 500,
      async perform(deliveries, settle) {
        if (stopping.signal.aborted) stopping = new AbortController()
        if (!(await lease.take(stopping.signal))) throw new DeliveryFailure('away', busy)
        let outcome: Outcome
        try {
          await performAll(groupByTab(deliveries), settle)
          outcome = { succeeded: true }
        } catch (error) {
          if (!(error instanceof SheetFailure)) throw error
          if (!stopping.signal.aborted) outcome = { failure: error.message }
          // The problem is the spreadsheet, not a record: no attempt is counted, and all deliveries wait.
          throw new DeliveryFailure('away', error.message)
        } finally {
          await lease.release(outcome)
        }
        await pause(spreadsheet.writesPerMinute ? Math.max(gatherMs, updatePauseMs) : updatePauseMs)
        updatePauseMs = 0
      },
      abort: () => stopping.abort(),
    },
  }
}
