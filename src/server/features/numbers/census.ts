// What only the signatures themselves tell: cities and confirmations. Counted in small steps with rests between them, while
// somebody looks and never by a request: with millions it takes seconds. Said with its age.
import { setTimeout as delay } from 'node:timers/promises'
import { mostCities } from '#contract/admin/numbers.ts'
import { foldText } from '#contract/fold-text.ts'
import { type StateCode, stateCodes } from '#contract/states.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

export interface City {
  city: string
  folded: string
  state: StateCode | null
  signatures: number
  confirmed: number
}

export interface Counted {
  at: Date
  signatures: number
  confirmed: number
  /** The largest first. */
  cities: City[]
}

export interface Census {
  /** The last counting, if one has ended; begins the next when it is due. */
  of(slug: string): Promise<Counted | undefined>
}

const countStep = `
with step as materialized (
  select id, campanha, estado, cidade, "confirmadoEm" from peticoes where id > $1 order by id limit $2)
select campanha, estado, cidade, count(*)::int as n, count("confirmadoEm")::int as confirmed,
  (select id from step order by id desc limit 1) as last
from step group by campanha, estado, cidade`

interface StepRow {
  campanha: string
  estado: StateCode
  cidade: string
  n: number
  confirmed: number
  last: string
}

const stepSize = 5_000
const leastPauseMs = 5_000
/** Of the time, so that those who sign hardly notice. */
const shareOfTime = 1 / 10
/** Whoever asks first waits this long for the counting to end; a small table is counted by then. */
const patienceMs = 80

export function createCensus(database: Database, log: Log): Census {
  let counted: Map<string, Counted> | undefined
  let dueAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  async function count(): Promise<void> {
    let workedMs = 0
    try {
      counted = await countAll(database, (ms) => {
        workedMs += ms
      })
    } catch (error) {
      log.warn({ err: error }, 'cities not counted')
    }
    dueAt = performance.now() + Math.max(leastPauseMs, workedMs / shareOfTime)
    counting = undefined
  }

  return {
    async of(slug) {
      if (performance.now() >= dueAt) counting ??= count()
      if (counting) await Promise.race([counting, delay(patienceMs, undefined, { ref: false })])
      return counted && (counted.get(slug) ?? { at: new Date(), signatures: 0, confirmed: 0, cities: [] })
    },
  }
}

async function countAll(database: Database, onStep: (workedMs: number) => void): Promise<Map<string, Counted>> {
  const officialName = await officialNames()
  const bySlug = new Map<string, Counted & { byName: Map<string, City & { spelledBy: number }> }>()
  const fold = onceForText((cidade) => foldText(cidade) || cidade)
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const startedAt = performance.now()
    const rows = await database.query<StepRow>('census-step', countStep, [after, stepSize])
    for (const { campanha, estado, cidade, n, confirmed } of rows) {
      const campaign = bySlug.get(campanha) ?? {
        ...{ at: new Date(), signatures: 0, confirmed: 0, cities: [], byName: new Map() },
      }
      bySlug.set(campanha, campaign)
      campaign.signatures += n
      campaign.confirmed += confirmed
      const { byName } = campaign
      const folded = fold(cidade)
      const name = `${estado} ${folded}`
      const fits = byName.has(name) || byName.size < mostCities
      const key = fits ? name : ''
      const city = byName.get(key) ?? {
        ...(fits
          ? { city: officialName.get(name) ?? cidade, folded, state: estado }
          : { city: 'Outras', folded: '', state: null }),
        ...{ signatures: 0, confirmed: 0, spelledBy: n },
      }
      byName.set(key, city)
      city.signatures += n
      city.confirmed += confirmed
      // A name that no list knows is shown as most people write it.
      if (fits && n > city.spelledBy && !officialName.has(name)) Object.assign(city, { city: cidade, spelledBy: n })
    }
    const last = rows[0]?.last
    if (last === undefined) break
    after = last
    // Others are served between two steps: the embedded database does one thing at a time.
    const workedMs = performance.now() - startedAt
    onStep(workedMs)
    await delay(workedMs, undefined, { ref: false })
  }
  const at = new Date()
  for (const campaign of bySlug.values()) {
    campaign.at = at
    campaign.cities = [...campaign.byName.values()].sort(
      (one, other) => other.signatures - one.signatures || (one.folded < other.folded ? -1 : 1),
    )
  }
  return bySlug
}

/** How the national statistics office writes a city, by state and folded name. */
async function officialNames(): Promise<Map<string, string>> {
  const { getMunicipalities } = await import('@brazilian-utils/brazilian-utils/get-municipalities')
  return new Map(
    stateCodes.flatMap((code) =>
      getMunicipalities(code).map(({ name }) => [`${code} ${foldText(name)}`, name] as [string, string]),
    ),
  )
}

/** Most people live in few cities: their names need not be worked out a million times. */
function onceForText(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= mostCities) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}
