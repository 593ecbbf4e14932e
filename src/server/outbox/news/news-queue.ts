// Moves the recipients of news into the outbox page by page, and ends a sending when nothing is left.
import type { SendStatus } from '#contract/admin/news.ts'
import type { Database } from '#server/db/database.ts'
import { enqueueSql } from '#server/db/outbox.ts'

/** Recipients in the outbox at a time, unless they wait for the next day or for a retry. */
const pageSize = 500

/** The day in Brasília, and eight in the morning of the next one. */
export const todaySql = `(now() at time zone 'America/Sao_Paulo')::date`
export const tomorrowSql = `((${todaySql} + 1 + time '08:00') at time zone 'America/Sao_Paulo')`

export const isAtDailyLimit = (state: string, limit: string) =>
  `coalesce(${state}."newsSentOn" = ${todaySql} and ${state}."newsSentCount" >= ${limit}, false)`

// `for update skip locked`: one node moves a page of a news item, others may move pages of other news.
const queuePage = `
with send as materialized (
  select "newsId", "queuedUpTo" from news_sends where status = 'sending' and not "isQueued"
  order by "startedAt", "newsId" limit 1 for update skip locked),
page as materialized (
  select r."newsId", r."addressDigest", ${isAtDailyLimit('e', '$1')} as "isAtLimit"
  from send cross join lateral (
    select * from news_recipients
    where news_recipients."newsId" = send."newsId" and outcome is null
      and (send."queuedUpTo" is null or "addressDigest" > send."queuedUpTo")
    order by "addressDigest" limit ${pageSize}) r
  left join enderecos e on e."addressDigest" = r."addressDigest"),
queued as (
  ${enqueueSql(
    'novidade',
    `jsonb_build_object('novidade', "newsId", 'destinatario', encode("addressDigest", 'base64'))`,
    {
      dueAt: `case when "isAtLimit" then ${tomorrowSql} else now() end`,
      clauses: 'from page order by "addressDigest"',
    },
  )}),
advanced as (
  update news_sends s set
    "queuedUpTo" = coalesce((select "addressDigest" from page order by "addressDigest" desc limit 1), s."queuedUpTo"),
    "isQueued" = (select count(*) from page) < ${pageSize}
  from send where s."newsId" = send."newsId")
select count(*)::int as n from send`

/**
 * Deliveries that one statement changes when a sending is paused, resumed or cancelled. A million may wait for the next
 * day: one statement for all would exceed its timeout.
 */
export const changedAtOnce = 5_000

const waiting = (status: SendStatus, condition: string) => `
select o.id from outbox o join news_sends s on s."newsId" = (o.payload->>'novidade')::bigint
where o.kind = 'novidade' and not o.dead and o."leasedBy" is null and ${condition} and s.status = '${status}'
limit ${changedAtOnce} for update of o skip locked`

// What pausing, resuming and cancelling have left. The first rows are changed in the transaction of the new status.
// Rows of earlier cancellations would be searched for among all waiting rows again and again; the handler skips them.
const continueChanges = `
with paused as (
  update outbox set "dueAt" = 'infinity' where id = any(array(
    ${waiting('paused', `o."dueAt" > now() and o."dueAt" < 'infinity'`)})) returning 1),
resumed as (
  update outbox set "dueAt" = now() where id = any(array(${waiting('sending', `o."dueAt" = 'infinity'`)})) returning 1),
cancelled as (
  delete from outbox where id = any(array(${waiting('cancelled', `s."endedAt" > now() - interval '1 hour'`)})) returning 1)
select (select count(*) from paused)::int + (select count(*) from resumed)::int + (select count(*) from cancelled)::int as n`

const endSends = `
update news_sends set status = 'done', "endedAt" = now()
where status = 'sending' and "isQueued"
  and not exists (select from outbox where kind = 'novidade' and not dead and (payload->>'novidade')::bigint = "newsId")`

/** Returns whether a page was moved. To be called when no news is due. */
export async function queueNewsRecipients({ query }: Database, newsPerDay: number): Promise<boolean> {
  const [row] = await query<{ n: number }>('queue-news-page', queuePage, [newsPerDay])
  if (row && row.n > 0) return true
  const [continued] = await query<{ n: number }>('continue-news-changes', continueChanges, [])
  if (continued && continued.n > 0) return true
  await query('end-news-sends', endSends, [])
  return false
}
