// Reads the figures of the dashboard. Signatures come from the counts, never from the table of signatures.
import { chartDays, type DashboardSignatures } from '#contract/admin/dashboard.ts'
import type { CampaignStatus } from '#contract/campaigns.ts'
import type { Database } from '#server/db/database.ts'
import { signedCounts, totalCounts } from '#server/db/signature-counts.ts'

const brasilia = `at time zone 'America/Sao_Paulo'`
const startOfToday = `date_trunc('day', now() ${brasilia})`
const startOfWeek = `(${startOfToday} - interval '${chartDays - 1} days') ${brasilia}`

// One day more than the charts: the same weekday of the last week. States are summed first: time zones are slow.
const readCampaigns = `
select campaigns.id::float8 as id, slug, titulo, "isActive", status, "publishAt", "closeAt", coalesce(total.n, 0) as signatures,
  coalesce(total.confirmed, 0) as confirmed, today::date::text as today, extract(hour from now() ${brasilia})::int as hour,
  coalesce(days.list, '[]') as days
from (select ${startOfToday} as today) clock cross join campaigns
left join ${totalCounts} total on total.campanha = slug
left join (
  select campanha, json_agg(json_build_object('ago', ago, 'signatures', n, 'byNow', "byNow")) as list from (
    select campanha, (${startOfToday}::date - (hora ${brasilia})::date) as ago, greatest(sum(n), 0)::int as n,
      greatest(sum(n) filter (where extract(hour from hora ${brasilia}) <= extract(hour from now() ${brasilia})), 0)::int as "byNow"
    from (
      select campanha, hora, sum(n) as n from ${signedCounts} signed
      where hora >= (${startOfToday} - interval '${chartDays} days') ${brasilia} group by 1, 2) by_hour
    group by 1, 2) by_day
  group by campanha) days on days.campanha = slug
order by ordem, id`

const readVolunteers = `
select count(*) filter (where "createdAt" >= ${startOfToday} ${brasilia})::int as today, count(*)::int as week
from contacts where "createdAt" >= ${startOfWeek} and "importId" is null`

// A record without a row in `people_workflow` is new; a trigger deletes that row with its record.
const unanswered = (kind: 'influenciadores' | 'lideres') => `
(select count(*) from ${kind}) - (select count(*) from people_workflow where kind = '${kind}' and status <> 'novo')`
const readUnanswered = `
select (${unanswered('influenciadores')})::int as influencers, (${unanswered('lideres')})::int as leaders`

const readConversations = `select count(*)::int as today from bot_conversas where "createdAt" >= ${startOfToday} ${brasilia}`

interface CampaignRow {
  id: number
  slug: string
  titulo: string
  isActive: boolean
  status: CampaignStatus
  publishAt: Date | null
  closeAt: Date | null
  signatures: number
  confirmed: number
  /** `YYYY-MM-DD` in Brasília. */
  today: string
  /** Of the day in Brasília. */
  hour: number
  /** `ago`: how many days ago. `byNow`: up to the end of the current hour of the day. */
  days: { ago: number; signatures: number; byNow: number }[]
}

export type ScheduledCampaign = Pick<
  CampaignRow,
  'id' | 'titulo' | 'isActive' | 'status' | 'publishAt' | 'closeAt' | 'today'
>

export interface CampaignFigures {
  signatures: DashboardSignatures
  scheduled: ScheduledCampaign[]
}

export async function campaignFigures({ query }: Database): Promise<CampaignFigures> {
  const rows = await query<CampaignRow>('dashboard-campaigns', readCampaigns, [])
  return { signatures: summarize(rows), scheduled: rows }
}

export async function volunteerFigures({ query }: Database) {
  const [row] = await query<{ today: number; week: number }>('dashboard-volunteers', readVolunteers, [])
  return row ?? { today: 0, week: 0 }
}

export async function unansweredFigures({ query }: Database) {
  const [row] = await query<{ influencers: number; leaders: number }>('dashboard-unanswered', readUnanswered, [])
  return row ?? { influencers: 0, leaders: 0 }
}

export async function conversationFigures({ query }: Database) {
  const [row] = await query<{ today: number }>('dashboard-conversations', readConversations, [])
  return row ?? { today: 0 }
}

function summarize(rows: CampaignRow[]): DashboardSignatures {
  const sum = (amount: (row: CampaignRow) => number) => rows.reduce((total, row) => total + amount(row), 0)
  const on = ({ days }: CampaignRow, ago: number) => days.find((day) => day.ago === ago)
  const today = (row: CampaignRow) => on(row, 0)?.signatures ?? 0
  const week = ({ days }: CampaignRow) =>
    days.reduce((total, { ago, signatures }) => total + (ago < chartDays ? signatures : 0), 0)
  return {
    today: sum(today),
    week: sum(week),
    yesterdayByNow: sum((row) => on(row, 1)?.byNow ?? 0),
    weekAgoByNow: sum((row) => on(row, chartDays)?.byNow ?? 0),
    untilHour: rows[0]?.hour ?? 0,
    total: sum(({ signatures }) => signatures),
    confirmed: sum(({ confirmed }) => confirmed),
    campaigns: rows
      .filter((row) => row.status !== 'draft' && (row.isActive || week(row) > 0))
      // The order of the organisers decides between equals.
      .sort((one, other) => today(other) - today(one) || week(other) - week(one))
      .map((row) => ({
        slug: row.slug,
        titulo: row.titulo,
        isActive: row.isActive,
        signatures: row.signatures,
        confirmed: row.confirmed,
        byDay: Array.from({ length: chartDays }, (_, index) => {
          const ago = chartDays - 1 - index
          return { day: daysBefore(row.today, ago), signatures: on(row, ago)?.signatures ?? 0 }
        }),
      })),
  }
}

const dayMs = 24 * 60 * 60_000
const daysBefore = (day: string, days: number) => new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
