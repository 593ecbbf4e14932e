// Groups deliveries into tasks, one per tab and kind, and queues follow-up deliveries of the spreadsheet.
import type { Tab } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { lookupJoin } from '#server/db/lookup-join.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import type { PersonTable } from '#server/db/people-descriptors.ts'
import type { Delivery } from '#server/outbox/queue/delivery.ts'
import { enqueue } from '#server/outbox/queue/kinds.ts'
import { tableOf, tabOf } from '#server/outbox/sheet/sheet-rows.ts'

export type SheetKind = 'planilha' | 'planilha-atualizar' | 'planilha-remover' | 'planilha-conferir'

interface SheetRecord {
  id: string
  delivery: Delivery
}

/** The work of one kind in one tab. */
export interface SheetTask {
  kind: SheetKind
  aba: string
  table: PersonTable
  tab: Tab
  deliveries: Delivery[]
  records: SheetRecord[]
  /** Rows may have been sent before, with an unknown result. */
  doubtful: boolean
  /** An update of all cells, after the person corrected the record. */
  updatesAll: boolean
}

export function groupByTab(deliveries: Delivery<SheetKind>[]): SheetTask[] {
  const tasks = new Map<string, SheetTask>()
  for (const delivery of deliveries) {
    const { kind, payload } = delivery
    const { aba, tabela: table = tableOf(aba) } = payload
    const updatesAll = 'tudo' in payload && payload.tudo === true
    const key = JSON.stringify([kind, aba, table, updatesAll])
    const task = tasks.get(key) ?? {
      ...{ kind, aba, table, tab: tabOf(aba, table, { updatesAll }), updatesAll },
      ...{ deliveries: [], records: [], doubtful: false },
    }
    tasks.set(key, task)
    task.deliveries.push(delivery)
    task.records.push(...idsIn(payload).map((id) => ({ id, delivery })))
    task.doubtful ||= 'duvida' in payload && payload.duvida === true
  }
  return [...tasks.values()]
}

function idsIn(payload: Delivery<SheetKind>['payload']): string[] {
  if ('ids' in payload) return payload.ids
  return 'id' in payload ? [payload.id] : []
}

const isCheckQueued = `exists (
  select from outbox where kind = 'planilha-conferir' and not dead and payload @> jsonb_build_object('aba', $1::text, 'tabela', $2::text))`

const dueAt = `now() + $3 * interval '1 millisecond'`

export function createSheetQueue(database: Database, { secondCheckMs }: { secondCheckMs: number }) {
  const { query } = database
  return {
    async markDoubtful(records: SheetRecord[]): Promise<void> {
      const ids = [...new Set(records.map(({ delivery }) => delivery.id))]
      await query(
        'mark-doubtful',
        `update outbox set payload = payload || '{"duvida": true}' where id = any($1::bigint[]) and not payload ? 'duvida'`,
        [ids],
      )
    },
    /** Whether the tab belongs to a form or to a campaign. */
    async isOurs(title: string): Promise<boolean> {
      if (tableOf(title) !== 'peticoes') return true
      const campaigns = await query(
        'campaign-of-tab',
        'select 1 from campaigns where lower(coalesce("sheetTab", slug)) = lower($1) limit 1',
        [title],
      )
      return campaigns.length > 0
    },
    /** Queues ids whose row is missing, except ids that are in the task. */
    async addAgain({ aba, table, records }: SheetTask, lost: string[]): Promise<void> {
      const queued = new Set(records.map(({ id }) => id))
      const ids = lost.filter((id) => !queued.has(id))
      if (ids.length > 0) await enqueue(database, 'planilha', { aba, tabela: table, ids, duvida: true })
    },
    async checkLater({ aba, table }: SheetTask): Promise<void> {
      const payload = `jsonb_build_object('aba', $1::text, 'tabela', $2::text)`
      const text = enqueueSql('planilha-conferir', payload, { dueAt, clauses: `where not ${isCheckQueued}` })
      await query('check-sheet-later', text, [aba, table, secondCheckMs])
    },
    /** Queues the same rows again: a write without a response may still be made, after a later one. */
    async updateAgainLater({ aba, table, updatesAll }: SheetTask, ids: string[]): Promise<void> {
      const payload = { aba, tabela: table, ids, ...(updatesAll && { tudo: true }) }
      await enqueue(database, 'planilha-atualizar', payload, { delayMs: secondCheckMs })
    },
    /** Filters the ids of records that are old enough to have a row. */
    async shouldHaveRow(table: PersonTable, ids: string[]): Promise<string[]> {
      const rows = await query<{ id: string }>(
        `should-have-row-${table}`,
        `select ${table}.id from unnest($1::uuid[]) as given(wanted), ${lookupJoin(table, 'wanted')}
        where "createdAt" < now() - interval '10 minutes'`,
        [ids],
      )
      return rows.map(({ id }) => id)
    },
    /** Only if a check of the tab is queued as well. Otherwise no late write can arrive. */
    async removeAgainLater({ aba, table, records }: SheetTask): Promise<void> {
      const payload = `jsonb_build_object('aba', $1::text, 'tabela', $2::text, 'id', id)`
      const clauses = `from unnest($4::text[]) as id where ${isCheckQueued}`
      const ids = records.map(({ id }) => id)
      const text = enqueueSql('planilha-remover', payload, { dueAt, clauses })
      await query('remove-again-later', text, [aba, table, secondCheckMs, ids])
    },
  }
}
