// Counts that need every signature: cities, origins, confirmations, versions of the manifesto. With millions of rows this takes
// seconds. So it runs in the background in small steps with pauses, only while administrators read the numbers. The
// result carries the time of its count.
import { setTimeout as delay } from 'node:timers/promises'
import { maxCities } from '#contract/admin/numbers.ts'
import { foldText } from '#contract/fold-text.ts'
import type { StateCode } from '#contract/states.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import { cityKey, officialCities, otherCities } from '#server/core/official-cities.ts'
import { timed } from '#server/core/timed.ts'
import type { Database } from '#server/db/database.ts'
import {
  type ErasedCity,
  type ErasedOrigin,
  readErasedCities,
  readErasedOrigins,
} from '#server/db/erased-signatures.ts'
import { createOriginCounts, type OriginCounts } from '#server/features/numbers/origin-counts.ts'

interface City {
  city: string
  folded: string
  state: StateCode | null
  signatures: number
  confirmed: number
}

export interface CampaignBreakdown {
  at: Date
  signatures: number
  confirmed: number
  /** The largest city first. */
  cities: City[]
  /** Signatures by version of the manifesto. */
  byVersion: Map<number, number>
}

const countStep = `
with step as materialized (
  select id, campanha, estado, cidade, coalesce("versaoManifesto", 1) as versao, "confirmadoEm", origem,
    ("createdAt" at time zone 'America/Sao_Paulo')::date - date '1970-01-01' as dia from peticoes
  where id > $1 order by id limit $2)
select campanha, estado, cidade, versao, origem, dia, count(*)::int as n, count("confirmadoEm")::int as confirmed,
  (select id from step order by id desc limit 1) as last
from step group by grouping sets ((campanha, estado, cidade, versao), (campanha, origem, dia))`

interface StepParts {
  last: string
}

interface OriginRow extends ErasedOrigin, StepParts {}

interface CityRow extends ErasedCity, StepParts {
  dia: null
}

const stepSize = 5_000
/** Share of the time that counting may use, so that it hardly affects signing. */
const workShare = 1 / 10
/** Requests wait for a count that began less than this long ago. A small table is counted within this time. */
const maxWaitMs = 80

interface BreakdownDeps {
  database: Database
  log: Log
  throttle: BackgroundThrottle
  /** Minimum pause between two counts. */
  minPauseMs: number
}

export type Breakdown = ReturnType<typeof createBreakdown>

export function createBreakdown({ database, log, throttle, minPauseMs }: BreakdownDeps) {
  let counted: Counted | undefined
  let countedAt = new Date()
  let dueAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined
  let startedAt = 0

  async function count(): Promise<void> {
    startedAt = performance.now()
    let workedMs = 0
    try {
      counted = await countAll(database, async (step) => {
        const { result, tookMs } = await throttle.run(() => timed(step))
        workedMs += tookMs
        // Lets other queries run between two steps: the embedded database runs one query at a time.
        await delay(tookMs, undefined, { ref: false })
        return result
      })
      countedAt = new Date()
    } catch (error) {
      log.warn({ err: error }, 'cities not counted')
    }
    dueAt = performance.now() + Math.max(minPauseMs, workedMs / workShare)
    counting = undefined
  }

  /** The last complete result, if there is one. Starts the next count when it is due. */
  async function latest(): Promise<Counted | undefined> {
    if (performance.now() >= dueAt) counting ??= count()
    const remainingMs = startedAt + maxWaitMs - performance.now()
    if (counting && remainingMs > 0) await Promise.race([counting, delay(remainingMs, undefined, { ref: false })])
    return counted
  }

  return {
    async of(slug: string): Promise<CampaignBreakdown | undefined> {
      const result = await latest()
      const campaign = result?.bySlug.get(slug) ?? { signatures: 0, confirmed: 0, cities: [], byVersion: new Map() }
      return result && { ...campaign, at: countedAt }
    },
    /** Signatures of all campaigns by origin and day. */
    async origins(): Promise<{ at: Date; counts: OriginCounts } | undefined> {
      const result = await latest()
      return result && { at: countedAt, counts: result.origins }
    },
  }
}

interface Counted {
  bySlug: Map<string, UndatedBreakdown>
  origins: OriginCounts
}

type UndatedBreakdown = Omit<CampaignBreakdown, 'at'>

type RunStep = <T>(step: () => Promise<T>) => Promise<T>

async function countAll(database: Database, runStep: RunStep): Promise<Counted> {
  const officialName = await officialCities()
  const bySlug = new Map<
    string,
    UndatedBreakdown & { byName: Map<string, City & { spellingCount: number }>; unofficial: number }
  >()
  const origins = createOriginCounts()
  const fold = memoizeText((cidade) => foldText(cidade) || cidade)
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'

  const addOrigin = ({ campanha, origem, dia, n }: ErasedOrigin) =>
    origins.add({ campaign: campanha, origin: origem, day: dia, signatures: n })

  function addCity({ campanha, estado, cidade, versao, n, confirmed }: ErasedCity): void {
    const campaign = bySlug.get(campanha) ?? {
      ...{ signatures: 0, confirmed: 0, cities: [], byVersion: new Map(), byName: new Map(), unofficial: 0 },
    }
    bySlug.set(campanha, campaign)
    campaign.signatures += n
    campaign.confirmed += confirmed
    const { byVersion, byName } = campaign
    byVersion.set(versao, (byVersion.get(versao) ?? 0) + n)
    const folded = fold(cidade)
    const name = cityKey(estado, folded)
    // Unofficial names are limited, so that invented ones never displace an existing city.
    const fits = byName.has(name) || officialName.has(name) || campaign.unofficial++ < maxCities - officialName.size
    const key = fits ? name : ''
    const city = byName.get(key) ?? {
      ...(fits
        ? { city: officialName.get(name) ?? cidade, folded, state: estado }
        : { city: otherCities, folded: '', state: null }),
      ...{ signatures: 0, confirmed: 0, spellingCount: n },
    }
    byName.set(key, city)
    city.signatures += n
    city.confirmed += confirmed
    // An unofficial name is displayed in the spelling that was most frequent within one step.
    if (fits && n > city.spellingCount && !officialName.has(name))
      Object.assign(city, { city: cidade, spellingCount: n })
  }

  /** Returns the last id of the step, or undefined if no rows were left. */
  async function countStepRows(): Promise<string | undefined> {
    const rows = await database.query<CityRow | OriginRow>('breakdown-step', countStep, [after, stepSize])
    for (const row of rows) {
      if (row.dia === null) addCity(row)
      else addOrigin(row)
    }
    origins.limit()
    return rows[0]?.last
  }

  async function* pagesOf<Row>(read: (database: Database, last: Row | undefined, limit: number) => Promise<Row[]>) {
    for (let last: Row | undefined; ; ) {
      const page = await runStep(() => read(database, last, stepSize))
      yield page
      last = page.at(-1)
      if (page.length < stepSize) return
    }
  }

  // First: what is erased during the count is missing in it, and is shown as not yet counted.
  for await (const page of pagesOf(readErasedCities)) for (const row of page) addCity(row)
  for await (const page of pagesOf(readErasedOrigins)) {
    for (const row of page) addOrigin(row)
    origins.limit()
  }
  while (after !== undefined) after = await runStep(countStepRows)
  for (const campaign of bySlug.values()) {
    campaign.cities = [...campaign.byName.values()].sort(
      (one, other) => other.signatures - one.signatures || (one.folded < other.folded ? -1 : 1),
    )
  }
  origins.finish()
  return { bySlug, origins }
}

/** Most people live in few cities, so the same names occur many times. */
function memoizeText(compute: (text: string) => string): (text: string) => string {
  const cache = new Map<string, string>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    if (cache.size >= maxCities) cache.clear()
    const result = compute(text)
    cache.set(text, result)
    return result
  }
}
