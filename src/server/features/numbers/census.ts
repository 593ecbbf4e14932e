// What only the signatures themselves tell: cities, confirmations, versions of the manifesto. Counted in small steps with rests
// between them, while somebody looks and never by a request: with millions it takes seconds. Said with its age.
import { setTimeout as delay } from 'node:timers/promises'
import { mostCities } from '#contract/admin/numbers.ts'
import { foldText } from '#contract/fold-text.ts'
import { type StateCode, stateCodes } from '#contract/states.ts'
import type { Log } from '#server/core/log.ts'
import type { Rush } from '#server/core/rush.ts'
import { timed } from '#server/core/timed.ts'
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
  /** How many signed each version of the manifesto. */
  byVersion: Map<number, number>
}

export interface Census {
  /** The last counting, if one has ended; begins the next when it is due. */
  of(slug: string): Promise<Counted | undefined>
}

const countStep = `
with step as materialized (
  select id, campanha, estado, cidade, coalesce("versaoManifesto", 1) as versao, "confirmadoEm" from peticoes
  where id > $1 order by id limit $2)
select campanha, estado, cidade, versao, count(*)::int as n, count("confirmadoEm")::int as confirmed,
  (select id from step order by id desc limit 1) as last
from step group by campanha, estado, cidade, versao`

interface StepRow {
  campanha: string
  estado: StateCode
  cidade: string
  versao: number
  n: number
  confirmed: number
  last: string
}

const stepSize = 5_000
/** Of the time, so that those who sign hardly notice. */
const shareOfTime = 1 / 10
/** Whoever asks first waits this long for the counting to end; a small table is counted by then. */
const patienceMs = 80

export interface CensusDeps {
  database: Database
  log: Log
  rush: Rush
  /** Between two countings, at least. */
  leastPauseMs: number
}

export function createCensus({ database, log, rush, leastPauseMs }: CensusDeps): Census {
  let counted: Map<string, Known> | undefined
  let countedAt = new Date()
  let dueAt = Number.NEGATIVE_INFINITY
  let counting: Promise<void> | undefined

  async function count(): Promise<void> {
    let workedMs = 0
    try {
      counted = await countAll(database, async (step) => {
        const { result, tookMs } = await rush.behind(() => timed(step))
        workedMs += tookMs
        // Others are served between two steps: the embedded database does one thing at a time.
        await delay(tookMs, undefined, { ref: false })
        return result
      })
      countedAt = new Date()
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
      const known = counted?.get(slug) ?? { signatures: 0, confirmed: 0, cities: [], byVersion: new Map() }
      return counted && { ...known, at: countedAt }
    },
  }
}

type Known = Omit<Counted, 'at'>

type InTurn = <T>(step: () => Promise<T>) => Promise<T>

async function countAll(database: Database, inTurn: InTurn): Promise<Map<string, Known>> {
  const officialName = await officialNames()
  const bySlug = new Map<string, Known & { byName: Map<string, City & { spelledBy: number }>; unofficial: number }>()
  const fold = onceForText((cidade) => foldText(cidade) || cidade)
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'

  /** Answers the last id that it has counted; none when there was nothing left to count. */
  async function countSome(): Promise<string | undefined> {
    const rows = await database.query<StepRow>('census-step', countStep, [after, stepSize])
    for (const { campanha, estado, cidade, versao, n, confirmed } of rows) {
      const campaign = bySlug.get(campanha) ?? {
        ...{ signatures: 0, confirmed: 0, cities: [], byVersion: new Map(), byName: new Map(), unofficial: 0 },
      }
      bySlug.set(campanha, campaign)
      campaign.signatures += n
      campaign.confirmed += confirmed
      const { byVersion, byName } = campaign
      byVersion.set(versao, (byVersion.get(versao) ?? 0) + n)
      const folded = fold(cidade)
      const name = `${estado} ${folded}`
      // Names that somebody made up never take the place of a city that exists.
      const fits = byName.has(name) || officialName.has(name) || campaign.unofficial++ < mostCities - officialName.size
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
    return rows[0]?.last
  }

  while (after !== undefined) after = await inTurn(countSome)
  for (const campaign of bySlug.values()) {
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
