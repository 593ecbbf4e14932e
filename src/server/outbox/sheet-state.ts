// How the spreadsheet is doing, for the administration area: where it is, what waits for it, and when it last went well or badly.
import type { Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'

export interface SheetState {
  kind: Spreadsheet['kind']
  /** A page of Google's, or a folder of the server. */
  address: string
  /** Records that have no row yet. */
  waiting: number
  lastSuccess: Date | null
  /** Of the last failure, also when it went well since; the reason is a sentence for the operator. */
  lastFailure: { at: Date; reason: string } | null
  /** Whether the last try failed. */
  failing: boolean
}

const read = `
select "sucessoEm", "falhaEm", motivo, waiting from (
  select coalesce(sum(jsonb_array_length(case tipo when 'planilha' then dados->'ids' else dados end)), 0)::int as waiting
  from outbox where tipo in ('planilha', 'assinaturas', 'voluntario', 'influenciador', 'lider')) queue
left join planilhas on nome = $1`

interface Row {
  sucessoEm: Date | null
  falhaEm: Date | null
  motivo: string | null
  waiting: number
}

export async function readSheetState({ query }: Database, { kind, name, address }: Spreadsheet): Promise<SheetState> {
  const [row] = await query<Row>('sheet-state', read, [name])
  const { sucessoEm = null, falhaEm = null, motivo, waiting = 0 } = row ?? {}
  return {
    kind,
    address,
    waiting,
    lastSuccess: sucessoEm,
    lastFailure: falhaEm && { at: falhaEm, reason: motivo ?? '' },
    failing: falhaEm !== null && (sucessoEm === null || falhaEm > sucessoEm),
  }
}
