// The numbers of campaigns, put together from the ledger and from what was counted one by one. Knows nothing of HTTP.
import type { CampaignNumbers, CityNumbers, Numbers } from '#contract/admin/numbers.ts'
import { foldText } from '#contract/fold-text.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { signatureCounts, totalCounts } from '#server/db/signature-counts.ts'
import type { Census, Counted } from '#server/features/numbers/census.ts'
import { createLedgers } from '#server/features/numbers/ledger.ts'
import { everyDay, hourOf, lastHours, milestoneAhead, signaturesIn } from '#server/features/numbers/pace.ts'

export interface CityFilter {
  busca?: string | undefined
  estado?: string | undefined
  pagina: number
  limite: number
}

export interface Cities {
  counted: Numbers['counted']
  uncounted: number
  total: number
  cities: CityNumbers[]
}

export interface CampaignsInNumbers {
  all(): Promise<CampaignNumbers[]>
  of(slug: string): Promise<Omit<Numbers, 'success'>>
  cities(slug: string, filter: CityFilter): Promise<Cities>
}

const shownHours = 48

const readAll = `
select slug, titulo, "isActive", "baseCount", coalesce(total.n, 0) as signatures,
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

export interface NumbersDeps {
  database: Database
  census: Census
  log: Log
}

export function createNumbers({ database, census, log }: NumbersDeps): CampaignsInNumbers {
  const ledgers = createLedgers(database)
  const all = lastKnown(() => database.query<CampaignNumbers>('all-numbers', readAll, []), {
    periodMs: 5_000,
    onFailure: (error) => log.warn({ err: error }, 'numbers not refreshed'),
  })

  async function campaignOf(slug: string): Promise<Numbers['campaign']> {
    const [campaign] = await database.query<Numbers['campaign']>(
      'campaign-in-numbers',
      'select slug, titulo, "isActive", "baseCount" from campaigns where slug = $1',
      [slug],
    )
    if (!campaign) throw new AppError('not-found', messages.campaign.notFound)
    return campaign
  }

  return {
    all: all.get,

    async of(slug) {
      const campaign = await campaignOf(slug)
      const { readAt, signatures, byState, byDay, byHour } = await ledgers.of(slug)
      const now = readAt.getTime()
      const hours = lastHours(shownHours, byHour, now)
      const shown = hours.reduce((sum, hour) => sum + hour.signatures, 0)
      const known = [...byHour.values()].reduce((sum, n) => sum + n, 0)
      return {
        at: readAt.toISOString(),
        campaign,
        signatures,
        byState: [...byState].map(([state, n]) => ({ state, signatures: n })),
        byDay: everyDay(byDay, today.format(readAt)),
        byHour: hours,
        earlier: signatures - shown,
        pace: {
          open: byHour.get(hourOf(now)) ?? 0,
          hour: signaturesIn(1, byHour, now),
          day: signaturesIn(24, byHour, now),
          week: signaturesIn(7 * 24, byHour, now),
        },
        milestone: milestoneAhead({
          count: campaign.baseCount + signatures,
          byHour,
          isOld: known < signatures,
          now,
        }),
        counted: told(await census.of(slug)),
      }
    },

    async cities(slug, { busca = '', estado, pagina, limite }) {
      await campaignOf(slug)
      const counted = await census.of(slug)
      const { signatures } = await ledgers.of(slug)
      if (!counted) return { counted: null, uncounted: signatures, total: 0, cities: [] }
      const wanted = foldText(busca)
      const found = counted.cities.filter(
        ({ folded, state }) => (!estado || state === estado) && (!wanted || ` ${folded}`.includes(` ${wanted}`)),
      )
      return {
        counted: told(counted),
        uncounted: signatures - counted.signatures,
        total: found.length,
        cities: found.slice((pagina - 1) * limite, pagina * limite),
      }
    },
  }
}

function told(counted: Counted | undefined): Numbers['counted'] {
  if (!counted) return null
  const { at, signatures, confirmed } = counted
  return { at: at.toISOString(), signatures, confirmed }
}
