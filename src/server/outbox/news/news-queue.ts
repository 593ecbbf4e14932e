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
  select r."newsId", r."addressHmac", ${isAtDailyLimit('e', '$1')} as "isAtLimit"
  from send cross join lateral (
    select * from news_recipients
    where news_recipients."newsId" = send."newsId" and outcome is null
      and (send."queuedUpTo" is null or "addressHmac" > send."queuedUpTo")
    order by "addressHmac" limit ${pageSize}) r
  left join enderecos e on e."addressHmac" = r."addressHmac"),
queued as (
  ${enqueueSql(
    'novidade',
    `jsonb_build_object('novidade', "newsId", 'destinatario', encode("addressHmac", 'base64'))`,
    {
      dueAt: `case when "isAtLimit" then ${tomorrowSql} else now() end`,
      clauses: 'from page order by "addressHmac"',
    },
  )}),
advanced as (
  update news_sends s set
    "queuedUpTo" = coalesce((select "addressHmac" from page order by "addressHmac" desc limit 1), s."queuedUpTo"),
    "isQueued" = (select count(*) from page) < ${pageSize}
  from send where s."newsId" = send."newsId")
select count(*)::int as n from send`

/**
 * Deliveries that one statement changes when a sending is paused, resumed or cancelled. A million may wait for the next
 * day: one statement for all would exceed its timeout.
 */
export const changedAtOnce = 5_000

// Each sending is looked up in the index by itself. A join could read all waiting rows of all news.
const unheld = (status: SendStatus, condition = 'true') => `
select o.id from (select "newsId" from news_sends where status = '${status}') s
cross join lateral (
  select id from outbox
  where kind = 'novidade' and not dead and (payload->>'novidade')::bigint = s."newsId" and "leasedBy" is null
    and ${condition}
  limit ${changedAtOnce} for update skip locked) o
limit ${changedAtOnce}`

/**
 * When a row of the outbox is due after its sending was resumed. A mailbox at its daily limit waits until tomorrow, unless
 * this e-mail is counted for today already.
 */
export const resumedDueAt = (limit: string) => `
case when payload->'contado' is distinct from to_jsonb(${todaySql}) and exists (
    select from enderecos e where e."addressHmac" = decode(payload->>'destinatario', 'base64')
      and ${isAtDailyLimit('e', limit)})
  then ${tomorrowSql} else now() end`

// What pausing, resuming and cancelling have left. The first rows are changed in the transaction of the new status.
const continueChanges = `
with paused as (
  update outbox set "dueAt" = 'infinity' where id = any(array(${unheld('paused', `"dueAt" < 'infinity'`)})) returning 1),
resumed as (
  update outbox set "dueAt" = ${resumedDueAt('$1')}
  where id = any(array(${unheld('sending', `"dueAt" = 'infinity'`)})) returning 1),
cancelled as (delete from outbox where id = any(array(${unheld('cancelled')})) returning 1)
select (select count(*) from paused)::int + (select count(*) from resumed)::int + (select count(*) from cancelled)::int as n`

/** Returns whether it changed rows. More may be left then. */
export async function continueNewsChanges({ query }: Database, newsPerDay: number): Promise<boolean> {
  const [row] = await query<{ n: number }>('continue-news-changes', continueChanges, [newsPerDay])
  return row !== undefined && row.n > 0
}

const endSends = `
update news_sends set status = 'done', "endedAt" = now()
where status = 'sending' and "isQueued"
  and not exists (select from outbox where kind = 'novidade' and not dead and (payload->>'novidade')::bigint = "newsId")`

/** Returns whether it queued or changed rows. To be called when no news is due. */
export async function queueNewsRecipients(database: Database, newsPerDay: number): Promise<boolean> {
  // Before a page is queued: a long sending has a page every time, and others could not go on or end until it is queued.
  const hasChanged = await continueNewsChanges(database, newsPerDay)
  await database.query('end-news-sends', endSends, [])
  const [row] = await database.query<{ n: number }>('queue-news-page', queuePage, [newsPerDay])
  return hasChanged || (row !== undefined && row.n > 0)
}
