// Collects the recipients of news in the background, on any node, in short statements. A step and its progress are one
// statement, so that preparation continues after a crash without gaps.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { NewsSegment } from '#contract/admin/news.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { Database } from '#server/db/database.ts'
import { eligibilityJoins, hmacsOf, newsExclusionSql } from '#server/db/news-eligibility.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { kindsOf, segmentColumns, segmentCondition } from '#server/features/news/segment-conditions.ts'

/** Records per statement, which takes less than a tenth of a second. */
const stepSize = 4_000
const clearedPerStep = 10_000
const intervalMs = 1_000
/** Another node takes over after this time without a step. */
const leaseSeconds = 15
/**
 * While people sign, a step starts at the latest after this time: a million recipients in less than two minutes. The
 * general throttle would take too long, because organisers wait for this count.
 */
const loadedStepMs = 400
/** Pause while people sign, as a multiple of the duration of the step. Records that are not confirmed take little time. */
const loadedPause = { least: 1 / 3, most: 9 }

/** Smaller than every id. */
const beforeAll = '00000000-0000-0000-0000-000000000000'

const renewed = `"leasedUntil" = now() + interval '${leaseSeconds} seconds'`
const isOwned = `"newsId" = $1 and "leasedBy" = $2 and status = 'preparing'`

const leaseNext = `
update news_sends s set "leasedBy" = $1, ${renewed} from news n
where n.id = s."newsId" and s."newsId" = (
  select "newsId" from news_sends
  where status = 'preparing' and ("leasedUntil" is null or "leasedUntil" < now() or "leasedBy" = $1)
  order by "sendsWhenPrepared" desc, "newsId" limit 1 for update skip locked)
returning s."newsId"::int, n."campaignId"::int, s.segment, s."scannedKind", s."scannedUpTo",
  array(select slug::text from campaigns where s.segment->'campanhas' @> to_jsonb(campaigns.id)) as slugs`

const clearSome = `
with owned as (select "newsId" from news_sends where ${isOwned} for update),
gone as (
  delete from news_recipients r using owned where r."newsId" = owned."newsId" and "addressHmac" in (
    select "addressHmac" from news_recipients where "newsId" = $1 limit ${clearedPerStep}) returning 1)
update news_sends set ${renewed}, skipped = 0 from owned where news_sends."newsId" = owned."newsId"
returning (select count(*)::int from gone) as n`

// The estimate of the forms is that of the planner, because the exact number is not worth a scan.
const startKind = `
update news_sends set "scannedKind" = $3, "scannedUpTo" = '${beforeAll}', ${renewed},
  "toScan" = greatest("toScan", (select coalesce(sum(case relname when 'peticoes'
    then (select coalesce(sum(n), 0) from signature_totals) else greatest(reltuples, 0) end), 0)::int
    from pg_class where relname = any($4::text[]) and relkind = 'r'))
where ${isOwned} returning 1 as started`

const finishPreparation = `
update news_sends set status = case when "sendsWhenPrepared" then 'sending' else 'prepared' end, "preparedAt" = now(),
  "leasedBy" = null, "leasedUntil" = null
where ${isOwned} returning status`

interface LeasedSend {
  newsId: number
  campaignId: number
  segment: NewsSegment
  slugs: string[]
  scannedKind: PeopleKind | null
  scannedUpTo: string | null
}

interface PreparationDeps {
  database: Database
  log: Log
  throttle: Pick<BackgroundThrottle, 'isLoaded'>
  /** Called when recipients can be sent. */
  onReady(): void
}

export type Preparation = ReturnType<typeof createPreparation>

export function createPreparation({ database, log, throttle, onReady }: PreparationDeps) {
  const node = randomUUID()
  const stopping = new AbortController()

  async function runStep<Row extends object>(text: string, values: unknown[]): Promise<Row | undefined> {
    const startedAt = performance.now()
    const [row] = await database.query<Row>('', text, values)
    if (throttle.isLoaded()) {
      const elapsedMs = performance.now() - startedAt
      const pauseMs = Math.max(
        Math.min(loadedPause.most * elapsedMs, loadedStepMs - elapsedMs),
        loadedPause.least * elapsedMs,
      )
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return row
  }

  /** Returns false if the preparation was cancelled or repeated, or another node has it. */
  async function clear(newsId: number): Promise<boolean> {
    let row: { n: number } | undefined
    do row = await runStep<{ n: number }>(clearSome, [newsId, node])
    while (row && row.n > 0 && !stopping.signal.aborted)
    return row?.n === 0
  }

  /**
   * Returns false like `clear`. Records that are added meanwhile are left out: they can arrive faster than they are read,
   * and are not confirmed yet.
   */
  async function scan(leased: LeasedSend, kind: PeopleKind, after: string): Promise<boolean> {
    const { table } = peopleDescriptors[kind]
    const [newest] = await database.query<{ id: string }>('', `select id from ${table} order by id desc limit 1`, [])
    if (!newest) return true
    let row: { n: number; last: string } | undefined
    for (let upTo = after; !stopping.signal.aborted; upTo = row.last) {
      const { text, values } = scanStatement(leased, { kind, upTo, newest: newest.id, node })
      row = await runStep(text, values)
      if (!row) return false
      if (row.n < stepSize) return true
    }
    return false
  }

  async function prepare(leased: LeasedSend): Promise<void> {
    const { newsId, segment, scannedKind, scannedUpTo } = leased
    const kinds = kindsOf(segment)
    const tables = kinds.map((kind) => peopleDescriptors[kind].table)
    if (scannedKind === null && !(await clear(newsId))) return
    for (const kind of scannedKind === null ? kinds : kinds.slice(kinds.indexOf(scannedKind))) {
      const isResumed = kind === scannedKind
      if (!isResumed && !(await runStep(startKind, [newsId, node, kind, tables]))) return
      if (!(await scan(leased, kind, isResumed && scannedUpTo ? scannedUpTo : beforeAll))) return
    }
    const ended = await runStep<{ status: string }>(finishPreparation, [newsId, node])
    if (ended?.status === 'sending') onReady()
  }

  async function prepareAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const [leased] = await database.query<LeasedSend & object>('lease-preparation', leaseNext, [node])
      if (!leased) return
      await prepare(leased)
    }
  }

  const task = createPeriodicTask({
    periodMs: intervalMs,
    onFailure: (error) => log.warn({ err: error }, 'recipients of news not prepared'),
    work: prepareAll,
  })

  return {
    /** Looks for a preparation now instead of at the next interval. */
    wake: () => void task.apply(),
    start: () => task.start(),
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.race([task.stop(), delay(5_000)])
      // Another node continues at once. If the database is away, the lease expires.
      await database
        .query('', `update news_sends set "leasedUntil" = null where "leasedBy" = $1 and status = 'preparing'`, [node])
        .catch(() => {})
    },
  }
}

interface ScanPosition {
  kind: PeopleKind
  upTo: string
  /** Later ids are not read. */
  newest: string
  node: string
}

/**
 * Returns the number of records read and the last one, or no row if the node no longer has the preparation. Only the
 * node with the preparation adds recipients, so `not exists` is sufficient and costs less than `on conflict`.
 */
function scanStatement({ newsId, campaignId, segment, slugs }: LeasedSend, { kind, upTo, newest, node }: ScanPosition) {
  const values: unknown[] = [newsId, node, kind, upTo, campaignId, newest]
  const value = (parameter: unknown) => `$${values.push(parameter)}`
  const { mailbox, address } = hmacsOf('p')
  const condition = segmentCondition({ kind, segment, slugs, value })
  // Every column that is read costs time.
  const columns = segmentColumns[kind].filter((name) => new RegExp(`\\bp\\."?${name}\\b`).test(condition))
  const { semRecebedoresDe: earlier } = segment
  const exclusion = newsExclusionSql({
    campaignId: '$5',
    withoutRecipientsOf: earlier === undefined ? undefined : `${value(earlier)}::bigint`,
  })
  const text = `
with owned as materialized (
  select "newsId" from news_sends where ${isOwned} and "scannedKind" = $3 and "scannedUpTo" = $4 for update),
page as materialized (
  select p.* from owned cross join lateral (
    select id, "canonicalEmail", "aceitaNovidades", "confirmadoEm"${columns.map((name) => `, "${name}"`).join('')}
    from ${peopleDescriptors[kind].table}
    where id > $4 and id <= $6 order by id limit ${stepSize}) p),
person as materialized (
  select p.id, "aceitaNovidades", "confirmadoEm", ${mailbox} as mailbox, ${address} as address
  from page p where ${condition}),
judged as materialized (
  select person.id, person.mailbox, ${exclusion} as reason from person ${eligibilityJoins}),
added as (
  insert into news_recipients ("newsId", "addressHmac", kind, "recordId")
  select $1, mailbox, $3, id
  from (select distinct on (mailbox) mailbox, id from judged where reason is null order by mailbox, id) eligible
  where not exists (
    select from news_recipients r where r."newsId" = $1 and r."addressHmac" = eligible.mailbox offset 0)
  returning 1),
reasons as (
  select reason, count(*) as n from judged where reason is not null group by reason union all
  select 'repetido', (select count(*) from judged where reason is null) - (select count(*) from added)),
totals as (
  select (select count(*) from page)::int as n, coalesce((select id from page order by id desc limit 1), $4) as last,
    (select count(*) from added)::int as added from owned)
update news_sends s set scanned = scanned + totals.n, "scannedUpTo" = totals.last, recipients = recipients + added, ${renewed},
  excluded = coalesce((
    select jsonb_object_agg(reason, n) from (
      select reason, sum(n) as n from (
        select reason, n from reasons union all select key, value::bigint from jsonb_each_text(s.excluded)) parts
      group by reason having sum(n) > 0) sums), '{}')
from totals where s."newsId" = $1
returning totals.n, totals.last`
  return { text, values }
}
