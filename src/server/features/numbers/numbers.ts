// The numbers of campaigns, combined from the hourly counts and the breakdown.
import type {
  CampaignNumbers,
  CityNumbers,
  Numbers,
  OriginDay,
  OriginFilters,
  OriginNumbers,
} from '#contract/admin/numbers.ts'
import { foldText } from '#contract/fold-text.ts'
import { campaignNotFound } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { signatureCounts, totalCounts } from '#server/db/signature-counts.ts'
import type { Breakdown, CampaignBreakdown } from '#server/features/numbers/breakdown.ts'
import { createHourlyCounts } from '#server/features/numbers/hourly-counts.ts'
import type { OriginCell } from '#server/features/numbers/origin-counts.ts'
import { everyDay, hourOf, lastHours, projectMilestone, signaturesIn } from '#server/features/numbers/projection.ts'

interface CityFilter {
  busca?: string | undefined
  estado?: string | undefined
  pagina: number
  limite: number
}

interface Cities {
  counted: Numbers['counted']
  uncounted: number
  total: number
  cities: CityNumbers[]
}

interface OriginFilter extends OriginFilters {
  busca?: string | undefined
  pagina: number
  limite: number
}

interface OriginDays {
  counted: OriginNumbers['counted']
  total: number
  days: OriginDay[]
}

const displayedHours = 48

const publicCount = `"baseCount" + case "countingMode" when 'confirmed' then greatest(total.confirmed, 0) else coalesce(total.n, 0) end`

const readAll = `
select slug, titulo, "isActive", "baseCount", "countingMode", ${publicCount} as "publicCount", coalesce(total.n, 0) as signatures,
  json_build_object('open', coalesce(recent.open, 0), 'hour', coalesce(hour, 0), 'day', coalesce(day, 0), 'week', coalesce(week, 0)) as pace
from campaigns left join ${totalCounts} total on total.campanha = slug left join (
  select campanha, sum(n) filter (where hora >= open) as open,
    sum(n) filter (where hora >= open - interval '1 hour' and hora < open) as hour,
    sum(n) filter (where hora >= open - interval '1 day' and hora < open) as day,
    sum(n) filter (where hora >= open - interval '7 days' and hora < open) as week
  from ${signatureCounts} counts, (select date_trunc('hour', now()) as open) now
  where hora >= open - interval '7 days' group by campanha) recent on recent.campanha = slug
order by "isActive" desc, signatures desc, titulo`

const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })

interface NumbersDeps {
  database: Database
  breakdown: Breakdown
  log: Log
}

export function createNumbers({ database, breakdown, log }: NumbersDeps) {
  const hourlyCounts = createHourlyCounts(database)
  const all = createSwrCache(() => database.query<CampaignNumbers>('all-numbers', readAll, []), {
    periodMs: 5_000,
    onFailure: (error) => log.warn({ err: error }, 'numbers not refreshed'),
  })

  async function campaignOf(slug: string): Promise<Numbers['campaign']> {
    const [campaign] = await database.query<Numbers['campaign']>(
      'campaign-in-numbers',
      `select slug, titulo, "isActive", "baseCount", "countingMode", ${publicCount} as "publicCount"
      from campaigns left join ${totalCounts} total on total.campanha = slug where slug = $1`,
      [slug],
    )
    if (!campaign) throw campaignNotFound()
    return campaign
  }

  return {
    all: all.get,

    async of(slug: string): Promise<Omit<Numbers, 'success'>> {
      const campaign = await campaignOf(slug)
      const isConfirmedOnly = campaign.countingMode === 'confirmed'
      const { readAt, signatures, byState, byDay, byHour } = await hourlyCounts.of(slug)
      const now = readAt.getTime()
      const hours = lastHours(displayedHours, byHour, now)
      const displayed = hours.reduce((sum, hour) => sum + hour.signatures, 0)
      const inRecentHours = [...byHour.values()].reduce((sum, n) => sum + n, 0)
      return {
        at: readAt.toISOString(),
        campaign,
        signatures,
        byState: [...byState].map(([state, n]) => ({ state, signatures: n })),
        byDay: everyDay(byDay, today.format(readAt)),
        byHour: hours,
        earlier: signatures - displayed,
        pace: {
          open: byHour.get(hourOf(now)) ?? 0,
          hour: signaturesIn(1, byHour, now),
          day: signaturesIn(24, byHour, now),
          week: signaturesIn(7 * 24, byHour, now),
        },
        milestone: projectMilestone({
          // Read a moment before the hours: with all signatures counted, both must add up.
          count: isConfirmedOnly ? campaign.publicCount : campaign.baseCount + signatures,
          hasNoRate: isConfirmedOnly,
          byHour,
          isOld: inRecentHours < signatures,
          now,
        }),
        counted: summaryOf(await breakdown.of(slug)),
      }
    },

    async cities(slug: string, { busca = '', estado, pagina, limite }: CityFilter): Promise<Cities> {
      await campaignOf(slug)
      const counted = await breakdown.of(slug)
      const { signatures } = await hourlyCounts.of(slug)
      if (!counted) return { counted: null, uncounted: signatures, total: 0, cities: [] }
      const term = foldText(busca)
      const matches = counted.cities.filter(
        ({ folded, state }) => (!estado || state === estado) && (!term || ` ${folded}`.includes(` ${term}`)),
      )
      return {
        counted: summaryOf(counted),
        uncounted: signatures - counted.signatures,
        total: matches.length,
        cities: matches.slice((pagina - 1) * limite, pagina * limite),
      }
    },

    async origins({
      busca = '',
      pagina,
      limite,
      origem,
      ...filter
    }: OriginFilter): Promise<Omit<OriginNumbers, 'success'>> {
      if (filter.campanha) await campaignOf(filter.campanha)
      const counted = await breakdown.origins()
      const signed = filter.campanha
        ? (await hourlyCounts.of(filter.campanha)).signatures
        : (await all.get()).reduce((sum, { signatures }) => sum + signatures, 0)
      if (!counted) return { counted: null, uncounted: signed, signatures: 0, total: 0, origins: [], byDay: [] }
      const { counts, at } = counted
      const isCounted = cellFilter(filter)
      const term = busca.toLowerCase()
      const byOrigin = new Map<string, number>()
      const byDay = new Map<number, number>()
      let countedSignatures = 0
      let signatures = 0
      for (const cell of counts.cells()) {
        if (!filter.campanha || cell.campaign === filter.campanha) countedSignatures += cell.signatures
        if (!isCounted(cell)) continue
        signatures += cell.signatures
        byOrigin.set(cell.origin, (byOrigin.get(cell.origin) ?? 0) + cell.signatures)
        if (!origem || cell.origin === origem) byDay.set(cell.day, (byDay.get(cell.day) ?? 0) + cell.signatures)
      }
      const matches = [...byOrigin]
        .filter(([origin]) => !term || origin.toLowerCase().includes(term))
        .map(([origin, sum]) => ({ origin, signatures: sum }))
        .sort((one, other) => other.signatures - one.signatures || (one.origin < other.origin ? -1 : 1))
      const lastDay = [filter.ate, today.format(at)].filter((day) => day !== undefined).sort()[0] ?? ''
      return {
        counted: { at: at.toISOString(), signatures: countedSignatures },
        uncounted: signed - countedSignatures,
        signatures,
        total: matches.length,
        origins: matches.slice((pagina - 1) * limite, pagina * limite),
        byDay: everyDay(new Map([...byDay].map(([day, n]) => [formatDay(day), n])), lastDay),
      }
    },

    async originDays({ pagina, limite, ...filter }: OriginFilter): Promise<OriginDays> {
      if (filter.campanha) await campaignOf(filter.campanha)
      const counted = await breakdown.origins()
      if (!counted) return { counted: null, total: 0, days: [] }
      const isCounted = cellFilter(filter)
      const days: OriginDay[] = []
      let total = 0
      let countedSignatures = 0
      for (const cell of counted.counts.cells()) {
        if (!filter.campanha || cell.campaign === filter.campanha) countedSignatures += cell.signatures
        if (!isCounted(cell)) continue
        if (total >= (pagina - 1) * limite && total < pagina * limite) days.push({ ...cell, day: formatDay(cell.day) })
        total += 1
      }
      return { counted: { at: counted.at.toISOString(), signatures: countedSignatures }, total, days }
    },
  }
}

const dayMs = 24 * 60 * 60_000
const formatDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10)
const dayNumber = (day: string) => Date.parse(day) / dayMs

function cellFilter({ campanha, origem, desde, ate }: OriginFilters): (cell: OriginCell) => boolean {
  const first = desde ? dayNumber(desde) : Number.NEGATIVE_INFINITY
  const last = ate ? dayNumber(ate) : Number.POSITIVE_INFINITY
  return ({ campaign, origin, day }) =>
    (!campanha || campaign === campanha) && (!origem || origin === origem) && day >= first && day <= last
}

function summaryOf(counted: CampaignBreakdown | undefined): Numbers['counted'] {
  if (!counted) return null
  const { at, signatures, confirmed } = counted
  return { at: at.toISOString(), signatures, confirmed }
}
