// State of the spreadsheet for administrators: its address, waiting records, last success and last failure.
import type { Spreadsheet } from '#server/adapters/sheets/spreadsheet.ts'
import type { Database } from '#server/db/database.ts'
import { allTables } from '#server/db/people-descriptors.ts'

export interface SheetState {
  kind: Spreadsheet['kind']
  /** The URL at Google, or the folder on the server. */
  address: string
  /** The number of records that have no row yet. */
  waiting: number
  lastSuccess: Date | null
  /** Kept after later successes. The reason is a text for the operator. */
  lastFailure: { at: Date; reason: string } | null
  /** Whether the last attempt failed. */
  failing: boolean
}

const newRecords = allTables.map(({ outboxKind }) => `'${outboxKind}'`).join(', ')

const read = `
select "succeededAt", "failedAt", reason, waiting from (
  select coalesce(sum(jsonb_array_length(case kind when 'planilha' then payload->'ids' else payload end)), 0)::int as waiting
  from outbox where kind in ('planilha', ${newRecords})) queue
left join planilhas on name = $1`

interface Row {
  succeededAt: Date | null
  failedAt: Date | null
  reason: string | null
  waiting: number
}

export async function readSheetState({ query }: Database, { kind, name, address }: Spreadsheet): Promise<SheetState> {
  const [row] = await query<Row>('sheet-state', read, [name])
  const { succeededAt = null, failedAt = null, reason, waiting = 0 } = row ?? {}
  return {
    kind,
    address,
    waiting,
    lastSuccess: succeededAt,
    lastFailure: failedAt && { at: failedAt, reason: reason ?? '' },
    failing: failedAt !== null && (succeededAt === null || failedAt > succeededAt),
  }
}
