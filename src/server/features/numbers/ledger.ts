// One campaign's ledger by state, day and hour. Hours that are over are read seldom, as the public counter does, the open ones each time:
// however long the ledger has grown, most readings touch its last hours alone.
import { type StateCode, stateCodes } from '#contract/states.ts'
import type { Database } from '#server/db/database.ts'
import { removalsCounter } from '#server/features/petitions/removal.ts'

export interface Ledger {
  readAt: Date
  signatures: number
  byState: Map<StateCode, number>
  /** By day in Brasília's time, `AAAA-MM-DD`. */
  byDay: Map<string, number>
  /** By the time the hour began, for the last eight days. */
  byHour: Map<number, number>
}

export interface Ledgers {
  of(slug: string): Promise<Ledger>
}

interface Part {
  readAt: Date
  /** The first hour that was open. */
  until: Date
  /** How many signatures had been taken back out of hours that were over. */
  removals: number
  estado: StateCode | null
  dia: string | null
  hora: Date | null
  n: number | null
}

// A batch that began in the last minute of an hour is counted in that hour: it stays open for one more.
const readParts = `
select "readAt", until, (select coalesce(sum(n), 0)::int from contadores where nome = $4) as removals, estado, dia, hora, sum(n)::int as n from (
  select now() as "readAt", until, estado, (hora at time zone 'America/Sao_Paulo')::date::text as dia,
    case when hora > now() - interval '8 days' then hora end as hora, n
  from (select date_trunc('hour', now()) - interval '1 hour' as until) boundary
  left join peticoes_por_hora on campanha = $1 and hora >= $2 and hora < coalesce($3, until)) entries
group by "readAt", until, grouping sets ((estado), (dia), (hora))`

const settledForMs = 10 * 60_000

export function createLedgers(database: Database): Ledgers {
  const settled = new Map<string, { parts: Part[]; readAt: number }>()

  const read = (slug: string, from: Date | '-infinity', until: 'infinity' | null) =>
    database.query<Part>('ledger-parts', readParts, [slug, from, until, removalsCounter])

  async function settledHours(slug: string): Promise<Part[]> {
    const known = settled.get(slug)
    if (known && performance.now() - known.readAt < settledForMs) return known.parts
    const readAt = performance.now()
    const parts = await read(slug, '-infinity', null)
    settled.set(slug, { parts, readAt })
    return parts
  }

  /** The hours that are over, then those that are open. */
  async function everyHour(slug: string): Promise<[Part[], Part[]]> {
    const before = await settledHours(slug)
    const open = await read(slug, before[0]?.until ?? '-infinity', 'infinity')
    if (before[0]?.removals === open[0]?.removals) return [before, open]
    settled.delete(slug)
    return everyHour(slug)
  }

  return {
    async of(slug) {
      const [before, open] = await everyHour(slug)
      const byState = new Map<StateCode, number>(stateCodes.map((code) => [code, 0]))
      const byDay = new Map<string, number>()
      const byHour = new Map<number, number>()
      for (const { estado, dia, hora, n } of [...before, ...open]) {
        if (!n) continue
        if (estado) add(byState, estado, n)
        else if (dia) add(byDay, dia, n)
        else if (hora) add(byHour, hora.getTime(), n)
      }
      const signatures = [...byState.values()].reduce((sum, n) => sum + n, 0)
      return { readAt: open[0]?.readAt ?? new Date(), signatures, byState, byDay, byHour }
    },
  }
}

function add<Key>(sums: Map<Key, number>, key: Key, n: number): void {
  sums.set(key, (sums.get(key) ?? 0) + n)
}
