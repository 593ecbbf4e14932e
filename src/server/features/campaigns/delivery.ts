// The PDF with which a petition is handed over. Totals by state and city are those of the last count.
import { setTimeout as delay } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type StateCode, states } from '#contract/states.ts'
import { type Signer, writeDeliveryPdf } from '#server/adapters/delivery-pdf/write-delivery-pdf.ts'
import { localTime } from '#server/core/brazil-time.ts'
import { AppError } from '#server/core/errors.ts'
import { sanitizeRichText } from '#server/core/rich-text.ts'
import type { Database } from '#server/db/database.ts'
import { hasErasedSignatures } from '#server/db/erased-signatures.ts'
import { campaigns } from '#server/db/schema.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { requireRow } from '#server/features/campaigns/campaign-changes.ts'
import type { CampaignCounts } from '#server/features/petitions/campaign-counts.ts'

interface CountedCampaign {
  at: Date
  signatures: number
  confirmed: number
  cities: { city: string; state: StateCode | null; signatures: number; confirmed: number }[]
}

/** Signatures by city, with the time of the count. Undefined before the first count has ended. */
export interface CountedCities {
  of(slug: string): Promise<CountedCampaign | undefined>
}

interface DeliveryDeps {
  database: Database
  counts: CampaignCounts
  breakdown: CountedCities
  site: Pick<SiteService, 'current'>
}

const { campaign: texts } = adminMessages

const maxAtOnce = 2
/** A count that is older is only used if no newer one ends within the wait. */
const maxCountAgeMs = 60_000
const maxWaitMs = 20_000
const pollMs = 200
/** Names per step. Small, so that the event loop handles other requests in between. */
const stepSize = 200
/** Pause after each step, as a share of its duration. */
const pauseShare = 0.5

const namesStep = `select id, nome, cidade, estado from peticoes
  where campanha = $1 and id > $2 and ("confirmadoEm" is not null or not $3) order by id limit ${stepSize}`

export type Delivery = ReturnType<typeof createDelivery>

export function createDelivery({ database, counts, breakdown, site }: DeliveryDeps) {
  let running = 0

  /** Waits for a recent count, for the first one longer than a browser would stay patient with silence. */
  async function countedOf(slug: string): Promise<CountedCampaign> {
    const startedAt = Date.now()
    for (;;) {
      const counted = await breakdown.of(slug)
      const isRecent = counted && counted.at.getTime() > startedAt - maxCountAgeMs
      if (counted && (isRecent || Date.now() - startedAt > maxWaitMs)) return counted
      if (Date.now() - startedAt > maxWaitMs) throw new AppError('unavailable', texts.deliveryCounting)
      await delay(pollMs)
    }
  }

  /** In the order in which people signed. */
  async function* namesOf(slug: string, isConfirmedOnly: boolean): AsyncGenerator<Signer[]> {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const startedAt = performance.now()
      const rows = await database.query<Signer & { id: string }>('delivery-names', namesStep, [
        slug,
        after,
        isConfirmedOnly,
      ])
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      if (!last || rows.length < stepSize) return
      after = last.id
      await delay(pauseShare * (performance.now() - startedAt))
    }
  }

  function refuseIfBusy(): void {
    if (running >= maxAtOnce) throw new AppError('too-many', texts.deliveryBusy)
  }

  async function* counted(stream: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    running += 1
    try {
      yield* stream
    } finally {
      running -= 1
    }
  }

  return {
    async open(id: number, { withNames }: { withNames: boolean }) {
      refuseIfBusy()
      const [row] = await database.orm.select().from(campaigns).where(eq(campaigns.id, id))
      const { slug, titulo, manifestoHtml, baseCount, countingMode } = requireRow(row)
      if (withNames && (await hasErasedSignatures(database.orm, slug)))
        throw new AppError('conflict', texts.deliveryNamesErased)
      // The document has the signatures of the public count.
      const isConfirmedOnly = countingMode === 'confirmed'
      const { at, cities: allCities, ...total } = await countedOf(slug)
      const countOf = (each: { signatures: number; confirmed: number }) =>
        isConfirmedOnly ? each.confirmed : each.signatures
      const cities = allCities
        .map(({ city, state, ...counts }) => ({ city, state, signatures: countOf(counts) }))
        .filter(({ signatures }) => signatures > 0)
        .sort((one, other) => other.signatures - one.signatures)
      // Others may have started during the wait.
      refuseIfBusy()
      const pdf = writeDeliveryPdf({
        titulo,
        movimento: (await site.current()).movimento,
        at: formatTime(new Date()),
        countedAt: formatTime(at),
        manifestoHtml: sanitizeRichText(manifestoHtml),
        signatures: countOf(await counts.stored(slug)),
        isConfirmedOnly,
        baseCount,
        counted: countOf(total),
        byState: totalsByState(cities),
        byCity: cities.map((each) => ({
          name: each.state ? `${each.city}/${each.state}` : each.city,
          signatures: each.signatures,
        })),
        ...(withNames && { names: namesOf(slug, isConfirmedOnly) }),
      })
      return { slug, stream: counted(pdf) }
    },
  }
}

/** The state with most signatures first. */
function totalsByState(cities: { state: StateCode | null; signatures: number }[]) {
  const totals = new Map<string, number>()
  for (const { state, signatures } of cities) {
    const name = state ? states[state] : 'Outros'
    totals.set(name, (totals.get(name) ?? 0) + signatures)
  }
  return [...totals]
    .map(([name, signatures]) => ({ name, signatures }))
    .sort((one, other) => other.signatures - one.signatures || one.name.localeCompare(other.name, 'pt-BR'))
}

/** "18/11/2026 às 09:30". */
function formatTime(time: Date): string {
  const [day = '', clock = ''] = localTime(time).split(' ')
  return `${day.split('-').reverse().join('/')} às ${clock.slice(0, 5)}`
}
