// Signature counts of one campaign by state, day and hour. Closed hours are cached and open hours are read each time,
// so that most reads touch only the last hours, however large the table is.
import { type StateCode, stateCodes } from '#contract/states.ts'
import type { Database } from '#server/db/database.ts'
import { closedHoursCounter, openSince } from '#server/db/signature-counts.ts'

interface HourlyCounts {
  readAt: Date
  signatures: number
  byState: Map<StateCode, number>
  /** By day in Brasília time, `YYYY-MM-DD`. */
  byDay: Map<string, number>
  /** By start of the hour, for the last eight days. */
  byHour: Map<number, number>
}

interface HourlyCountsReader {
  of(slug: string): Promise<HourlyCounts>
}

interface Part {
  readAt: Date
  /** The first open hour. */
  until: Date
  /** Value of the counter of changes in closed hours. */
  changes: number
  estado: StateCode | null
  dia: string | null
  hora: Date | null
  n: number | null
}

const readParts = (counts: string) => `
select "readAt", until, (select coalesce(sum(n), 0)::int from contadores where name = $2) as changes, estado, dia, hora, sum(n)::int as n from (
  select now() as "readAt", until, estado, (hora at time zone 'America/Sao_Paulo')::date::text as dia,
    case when hora > now() - interval '8 days' then hora end as hora, n
  from (select ${openSince} as until) boundary left join (${counts}) counts on true) entries
group by "readAt", until, grouping sets ((estado), (dia), (hora))`

const readClosed = readParts(
  `select estado, hora, n from peticoes_por_hora where campanha = $1 and hora < ${openSince}`,
)
// Changes of any hour that are not folded yet, and the open hours.
const readOpen = readParts(`
  select estado, hora, n from peticoes_por_hora where campanha = $1 and hora >= $3 union all
  select estado, hora, n from signature_count_changes where campanha = $1 and n <> 0`)

const cachedForMs = 10 * 60_000

export function createHourlyCounts(database: Database): HourlyCountsReader {
  const cache = new Map<string, { parts: Part[]; readAt: number }>()

  async function closedHours(slug: string): Promise<Part[]> {
    const cached = cache.get(slug)
    if (cached && performance.now() - cached.readAt < cachedForMs) return cached.parts
    const readAt = performance.now()
    const parts = await database.query<Part>('counts-closed', readClosed, [slug, closedHoursCounter])
    cache.set(slug, { parts, readAt })
    return parts
  }

  async function allHours(slug: string): Promise<[closed: Part[], open: Part[]]> {
    const closed = await closedHours(slug)
    const open = await database.query<Part>('counts-open', readOpen, [slug, closedHoursCounter, closed[0]?.until])
    if (closed[0]?.changes === open[0]?.changes) return [closed, open]
    cache.delete(slug)
    return allHours(slug)
  }

  return {
    async of(slug) {
      const [closed, open] = await allHours(slug)
      const byState = new Map<StateCode, number>(stateCodes.map((code) => [code, 0]))
      const byDay = new Map<string, number>()
      const byHour = new Map<number, number>()
      for (const { estado, dia, hora, n } of [...closed, ...open]) {
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
