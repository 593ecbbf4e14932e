// The courier that brings records to the spreadsheet, each into one row in effect, keeps their consent current there, and takes out the
// rows of people who were erased.
import { setTimeout as delay } from 'node:timers/promises'
import { openSpreadsheet, type SheetSettings } from '#server/adapters/sheets/open.ts'
import { SheetFailure, type Surplus, type Tab } from '#server/adapters/sheets/spreadsheet.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import { type Courier, type Delivery, DeliveryFailure, type Settle } from '#server/outbox/delivery.ts'
import { eraseFromFormerSheets } from '#server/outbox/former-sheets.ts'
import { createSheetLease, type Outcome } from '#server/outbox/sheet-lease.ts'
import { readSheetState, type SheetState } from '#server/outbox/sheet-state.ts'
import { readBatch, type SheetTable, tableOf } from '#server/outbox/sheet-tables.ts'
import { createSheetQueue, type SheetWork, workOf } from '#server/outbox/sheet-work.ts'

export interface SheetSync {
  courier: Courier
  /** How the spreadsheet is doing, for the administration area. */
  state(): Promise<SheetState>
}

export interface SheetSyncParts {
  database: Database
  settings: SheetSettings
  rush: Rush
  /** Shorter in tests. */
  periods?: Partial<SheetPeriods>
}

export interface SheetPeriods {
  /** How long after something was sent again its tab is looked at once more: a write may be made after its caller gave up. */
  secondLookMs: number
  /** What comes in meanwhile goes into one write. */
  gatherMs: number
  /** Before the first retry; later ones wait longer. */
  shortestPauseMs: number
  /** As `SheetLeaseOptions` has it. */
  turnEveryMs: number
}

const usualPeriods: SheetPeriods = { secondLookMs: 60_000, gatherMs: 1_000, shortestPauseMs: 200, turnEveryMs: 500 }
const mostTries = 6
/** Ids whose rows are updated in one turn, so that others do not wait long. */
const mostUpdated = 10_000
/** After an update, for each row that was gone through: a long tab is read whole, a long file is written anew. */
const restPerRowMs = 0.02
const longestRestMs = 20_000
const copies: Surplus = { erased: new Set(), copies: 'remove' }

const busy = 'Outro servidor está gravando a planilha. Vamos tentar de novo.'
const unreadable = 'Não foi possível entender o que gravar na planilha.'

export function createSheetSync({ database, settings, rush, periods }: SheetSyncParts): SheetSync {
  const { secondLookMs, gatherMs, shortestPauseMs, turnEveryMs } = { ...usualPeriods, ...periods }
  let leaving = new AbortController()
  let restMs = 0
  const spreadsheet = openSpreadsheet(settings, {
    async beforeWrite() {
      if (!(await lease.beforeWrite(leaving.signal))) throw new SheetFailure(busy, {})
    },
    leaving: () => leaving.signal,
  })
  const lease = createSheetLease(database, { ...spreadsheet, turnEveryMs })
  const queue = createSheetQueue(database, { secondLookMs })

  const pause = (ms: number) => delay(ms, undefined, { signal: leaving.signal }).catch(() => {})

  /** A failure that passes is often over at once; a longer one is left to the worker. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        const passes = error instanceof SheetFailure && !error.permanent && !leaving.signal.aborted
        if (!passes || tries === mostTries) throw error
        const pauseMs = shortestPauseMs * 2 ** (tries - 1) * (0.5 + Math.random())
        await pause(Math.max(pauseMs, error.pauseMs))
      }
    }
  }

  async function add(work: SheetWork, settle: Settle): Promise<void> {
    const { tab, table, deliveries } = work
    const unsettled = new Set(deliveries)
    let waiting = work.records
    let doubtful = work.doubtful

    async function lookFirst(): Promise<void> {
      const { present, lost } = await spreadsheet.tidy(tab, copies)
      waiting = waiting.filter(({ id }) => !present.has(id))
      await queue.addAgain(work, lost)
      doubtful = false
      // Before anything is sent again: should we be killed then, somebody still looks.
      if (waiting.length > 0) await queue.lookLater(work)
    }

    async function addSome(): Promise<void> {
      const ids = waiting.map(({ id }) => id)
      const { rows, taken } = await rush.behind(() => readBatch(database, table, ids), leaving.signal)
      if (leaving.signal.aborted) throw new SheetFailure(busy, {})
      if (rows.length > 0) {
        // Should we be killed now, whoever takes this up must look before sending.
        await queue.markDoubtful(waiting.slice(0, taken))
        try {
          await queue.addAgain(work, await spreadsheet.append(tab, rows))
        } catch (error) {
          doubtful = !(error instanceof SheetFailure) || error.unknown
          throw error
        }
      }
      waiting = waiting.slice(taken)
    }

    do {
      await insist(() => (doubtful ? lookFirst() : addSome()))
      const held = new Set(waiting.map(({ delivery }) => delivery))
      const done = [...unsettled].filter((delivery) => !held.has(delivery))
      for (const delivery of done) unsettled.delete(delivery)
      if (done.length > 0) await settle.done(done)
    } while (waiting.length > 0)
  }

  /** As many as one turn takes; the rest goes behind what else is due. */
  async function takeTurn(
    { deliveries, records }: SheetWork,
    settle: Settle,
  ): Promise<{ ids: string[]; taken: Delivery[] }> {
    const idsOf = Map.groupBy(records, ({ delivery }) => delivery)
    const ids = new Set<string>()
    const taken = deliveries.filter((delivery, index) => {
      const own = idsOf.get(delivery) ?? []
      if (index > 0 && ids.size + own.length > mostUpdated) return false
      for (const { id } of own) ids.add(id)
      return true
    })
    const kept = new Set(taken)
    const later = deliveries.filter((delivery) => !kept.has(delivery))
    if (later.length > 0) await settle.later(later)
    return { ids: [...ids], taken }
  }

  async function readRows(table: SheetTable, ids: string[]): Promise<string[][]> {
    const rows: string[][] = []
    for (let waiting = ids; waiting.length > 0; ) {
      const batch = await rush.behind(() => readBatch(database, table, waiting), leaving.signal)
      if (leaving.signal.aborted) throw new SheetFailure(busy, {})
      rows.push(...batch.rows)
      waiting = waiting.slice(batch.taken)
    }
    return rows
  }

  /** A file is written by this node, which signing needs more; a sheet of Google's by theirs. */
  const withoutHaste = <T>(work: () => Promise<T>) =>
    spreadsheet.kind === 'csv' ? rush.behind(work, leaving.signal) : work()

  /** Says which ids have no row in the tab. */
  async function updateIn(work: SheetWork, tab: Tab, ids: string[]): Promise<string[]> {
    const absent: string[] = []
    let doubtful = false
    for (let pending = ids, rounds = 0; pending.length > 0 && rounds < mostTries; rounds++) {
      const updated = await insist(async () => {
        const rows = await readRows(work.table, pending)
        try {
          return await withoutHaste(() => spreadsheet.update(tab, rows))
        } catch (error) {
          if (!doubtful && (!(error instanceof SheetFailure) || error.unknown)) {
            doubtful = true
            await queue.updateAgainLater(work, pending)
          }
          throw error
        }
      })
      if (rounds === 0) absent.push(...updated.absent)
      restMs = Math.min(restMs + restPerRowMs * updated.read, longestRestMs)
      pending = updated.disturbed
      // Somebody keeps sorting: it is seen to once more when they have ended.
      if (pending.length > 0 && rounds === mostTries - 1) await queue.updateAgainLater(work, pending)
    }
    return absent
  }

  async function update(work: SheetWork, settle: Settle): Promise<void> {
    const { ids, taken } = await takeTurn(work, settle)
    const absent = await updateIn(work, work.tab, ids)
    // A campaign may have had another tab when they signed. Who has just signed has no row yet, and will get a current one.
    const unseen = absent.length > 0 ? await queue.shouldHaveRow(work.table, absent) : []
    const others = unseen.length > 0 ? await insist(spreadsheet.titles) : []
    for (const title of others.filter((other) => other !== work.tab.title))
      await updateIn(work, { ...work.tab, title }, unseen)
    await settle.done(taken)
  }

  async function remove(work: SheetWork, settle: Settle): Promise<void> {
    const { tab, records } = work
    const erased = new Set(records.map(({ id }) => id))
    if (erased.size > 0) await eraseFromFormerSheets(database, spreadsheet.name, work)
    const { lost, removed } = await insist(() => spreadsheet.tidy(tab, { erased, copies: 'remove' }))
    await queue.addAgain(work, lost)
    // A campaign may have had another tab when they signed.
    const unseen = new Set([...erased].filter((id) => !removed.has(id)))
    const others = unseen.size > 0 ? await insist(spreadsheet.titles) : []
    for (const title of others.filter((other) => other !== tab.title)) {
      const other = await insist(() => spreadsheet.tidy({ ...tab, title }, { erased: unseen, copies: 'keep' }))
      // In a tab of their own people may keep the same row twice, and miss none.
      if (other.lost.length > 0 && (await queue.isOurs(title)))
        await queue.addAgain({ ...work, aba: title, table: tableOf(title) }, other.lost)
    }
    // Their row may still arrive where something was sent without an answer.
    if (erased.size > 0) await queue.removeAgainLater(work)
    await settle.done(work.deliveries)
  }

  const works = { planilha: add, 'planilha-atualizar': update, 'planilha-remover': remove }

  async function perform(deliveries: Delivery[], settle: Settle): Promise<void> {
    const { work, unknown } = workOf(deliveries)
    let refusal: SheetFailure | undefined
    if (unknown.length > 0) await settle.failed(unknown, new DeliveryFailure('never', unreadable))
    for (const one of work) {
      try {
        await works[one.tipo === 'planilha' || one.tipo === 'planilha-atualizar' ? one.tipo : 'planilha-remover'](
          one,
          settle,
        )
      } catch (error) {
        if (!(error instanceof SheetFailure) || !error.permanent || leaving.signal.aborted) throw error
        // A tab that somebody protected is no reason to leave out the others.
        refusal ??= error
      }
    }
    if (refusal) throw refusal
  }

  return {
    state: () => readSheetState(database, spreadsheet),
    courier: {
      name: 'planilha',
      tipos: ['planilha', 'planilha-atualizar', 'planilha-remover', 'planilha-conferir'],
      // A full sheet takes no rows, but gives them away.
      first: 'planilha-remover',
      atOnce: 1,
      batch: 500,
      async perform(deliveries, settle) {
        if (leaving.signal.aborted) leaving = new AbortController()
        if (!(await lease.take(leaving.signal))) throw new DeliveryFailure('away', busy)
        let outcome: Outcome
        try {
          await perform(deliveries, settle)
          outcome = { succeeded: true }
        } catch (error) {
          if (!(error instanceof SheetFailure)) throw error
          if (!leaving.signal.aborted) outcome = { failure: error.message }
          // Nothing is counted against a record: what is wrong is the spreadsheet, and all of it waits.
          throw new DeliveryFailure('away', error.message)
        } finally {
          await lease.release(outcome)
        }
        await pause(spreadsheet.writesAMinute ? Math.max(gatherMs, restMs) : restMs)
        restMs = 0
      },
      abort: () => leaving.abort(),
    },
  }
}
