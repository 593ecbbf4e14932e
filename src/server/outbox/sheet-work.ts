// What deliveries ask of the spreadsheet, tab by tab, and what is left in the queue about it besides.
import { isOurId, type Tab } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { oneByOne } from '#server/db/one-by-one.ts'
import type { Delivery } from '#server/outbox/delivery.ts'
import { isSheetTable, type SheetTable, tableOf, tabOf } from '#server/outbox/sheet-tables.ts'

/** planilha: records to be added. planilha-atualizar: rows whose consent or confirmation changed. planilha-remover: people who were erased. planilha-conferir: a tab to look at. */
interface Dados {
  aba: string
  tabela?: string
  ids?: string[]
  id?: string
  /** It was sent before, and nobody knows what became of it. */
  duvida?: boolean
}

export interface SheetRecord {
  id: string
  delivery: Delivery
}

/** What is to be done in one tab. */
export interface SheetWork {
  tipo: string
  aba: string
  table: SheetTable
  tab: Tab
  deliveries: Delivery[]
  records: SheetRecord[]
  doubtful: boolean
}

export function workOf(deliveries: Delivery[]): { work: SheetWork[]; unknown: Delivery[] } {
  const byTab = new Map<string, SheetWork>()
  const unknown: Delivery[] = []
  for (const delivery of deliveries) {
    const dados = delivery.dados as Dados
    const { aba, tabela = tableOf(aba ?? ''), ids = dados.id ? [dados.id] : [] } = dados
    if (!aba || !isSheetTable(tabela) || !Array.isArray(ids) || !ids.every(isOurId)) {
      unknown.push(delivery)
      continue
    }
    const key = JSON.stringify([delivery.tipo, aba, tabela])
    const work = byTab.get(key) ?? {
      ...{ tipo: delivery.tipo, aba, table: tabela, tab: tabOf(aba, tabela) },
      ...{ deliveries: [], records: [], doubtful: false },
    }
    byTab.set(key, work)
    work.deliveries.push(delivery)
    work.records.push(...ids.map((id) => ({ id, delivery })))
    work.doubtful ||= dados.duvida ?? false
  }
  return { work: [...byTab.values()], unknown }
}

export interface SheetQueue {
  markDoubtful(records: SheetRecord[]): Promise<void>
  /** Whether records are brought to the tab: those of a form, or of a campaign. */
  isOurs(title: string): Promise<boolean>
  /** Ids whose row went missing, but for those that wait anyway. */
  addAgain(work: SheetWork, lost: string[]): Promise<void>
  lookLater(work: SheetWork): Promise<void>
  /** The same rows once more: a write that nobody answered may still be made, over a later one. */
  updateAgainLater(work: SheetWork, ids: string[]): Promise<void>
  /** Those of the ids that have had the time to get a row. */
  shouldHaveRow(table: SheetTable, ids: string[]): Promise<string[]>
  /** Only where a look is due as well; otherwise nothing can arrive any more. */
  removeAgainLater(work: SheetWork): Promise<void>
}

const looksLater = `exists (
  select from outbox where tipo = 'planilha-conferir' and not parada and dados @> jsonb_build_object('aba', $1::text, 'tabela', $2::text))`

const later = `now() + $3 * interval '1 millisecond'`

export function createSheetQueue({ query }: Database, { secondLookMs }: { secondLookMs: number }): SheetQueue {
  return {
    async markDoubtful(records) {
      const ids = [...new Set(records.map(({ delivery }) => delivery.id))]
      await query(
        'mark-doubtful',
        `update outbox set dados = dados || '{"duvida": true}' where id = any($1::bigint[]) and not dados ? 'duvida'`,
        [ids],
      )
    },
    async isOurs(title) {
      if (tableOf(title) !== 'peticoes') return true
      const campaigns = await query(
        'campaign-of-tab',
        'select 1 from campaigns where lower(coalesce("sheetTab", slug)) = lower($1) limit 1',
        [title],
      )
      return campaigns.length > 0
    },
    async addAgain({ aba, table, records }, lost) {
      const known = new Set(records.map(({ id }) => id))
      const ids = lost.filter((id) => !known.has(id))
      if (ids.length === 0) return
      const dados = { aba, tabela: table, ids, duvida: true } satisfies Dados
      await query('add-again', `insert into outbox (tipo, dados) values ('planilha', $1)`, [JSON.stringify(dados)])
    },
    async lookLater({ aba, table }) {
      await query(
        'look-later',
        `insert into outbox (tipo, dados, proxima)
        select 'planilha-conferir', jsonb_build_object('aba', $1::text, 'tabela', $2::text), ${later} where not ${looksLater}`,
        [aba, table, secondLookMs],
      )
    },
    async updateAgainLater({ aba, table }, ids) {
      await query(
        'update-again-later',
        `insert into outbox (tipo, dados, proxima)
        values ('planilha-atualizar', jsonb_build_object('aba', $1::text, 'tabela', $2::text, 'ids', $4::jsonb), ${later})`,
        [aba, table, secondLookMs, JSON.stringify(ids)],
      )
    },
    async shouldHaveRow(table, ids) {
      const rows = await query<{ id: string }>(
        `should-have-row-${table}`,
        `select ${table}.id from unnest($1::uuid[]) as given(wanted), ${oneByOne(table, 'wanted')}
        where "createdAt" < now() - interval '10 minutes'`,
        [ids],
      )
      return rows.map(({ id }) => id)
    },
    async removeAgainLater({ aba, table, records }) {
      await query(
        'remove-again-later',
        `insert into outbox (tipo, dados, proxima)
        select 'planilha-remover', jsonb_build_object('aba', $1::text, 'tabela', $2::text, 'id', id), ${later}
        from unnest($4::text[]) as id where ${looksLater}`,
        [aba, table, secondLookMs, records.map(({ id }) => id)],
      )
    },
  }
}
