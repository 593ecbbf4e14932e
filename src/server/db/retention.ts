// Deletes rows that are no longer needed, in small batches.
import type { Database } from '#server/db/database.ts'

/** After heavy traffic millions of rows expire, and on the embedded engine all queries wait for a statement. */
const batchSize = 2_000

/** During these days an expired link is reported as expired. Later it is unknown. */
const expiredLinkDays = 30

/** A phone that received no response sends its request again within days; this is a wide margin. */
const removedRequestDays = 90

const deleteLinks = `
delete from email_tokens where ctid = any(array(
  select ctid from email_tokens where "expiresAt" < now() - $1 * interval '1 day' limit ${batchSize})) returning 1 as deleted`

const deleteRemovals = `
delete from removed_requests where ctid = any(array(
  select ctid from removed_requests where "removedAt" < now() - $1 * interval '1 day' limit ${batchSize})) returning 1 as deleted`

// Starts at the lowest ids, which are the oldest rows: ids follow the order of arrival.
const deleteMessages = `
delete from bot_mensagens where id = any(array(
  select id from (select id, "createdAt" from bot_mensagens order by id limit ${batchSize}) oldest
  where "createdAt" < now() - $1 * interval '1 day')) returning 1 as deleted`

const deleteCounters = `
delete from emails_por_endereco where ctid = any(array(
  select ctid from emails_por_endereco where "changedAt" < now() - $1 * interval '1 day' limit ${batchSize})) returning 1 as deleted`

// Deleted news have no row in `news`. The keys of the index are skipped from one item to the next.
const deleteRecipients = `
with recursive items as (
  (select "newsId" from news_recipients order by "newsId" limit 1)
  union all
  select (select "newsId" from news_recipients r where r."newsId" > items."newsId" order by "newsId" limit 1) from items
  where items."newsId" is not null)
delete from news_recipients where ctid = any(array(
  select r.ctid from items cross join lateral (
    select ctid from news_recipients where news_recipients."newsId" = items."newsId" limit ${batchSize}) r
  where not exists (select from news where id = items."newsId") limit ${batchSize})) returning 1 as deleted`

/** `days` is RETENTION_DAYS. Without it, messages and counters are kept for ever. */
export async function deleteExpiredRows({ query }: Database, days: number | null, signal?: AbortSignal): Promise<void> {
  async function deleteInBatches(name: string, statement: string, maxAgeDays?: number): Promise<void> {
    const values = maxAgeDays === undefined ? [] : [maxAgeDays]
    let deleted: unknown[]
    do deleted = await query(name, statement, values)
    while (deleted.length === batchSize && !signal?.aborted)
  }

  await deleteInBatches('forget-links', deleteLinks, expiredLinkDays)
  await deleteInBatches('forget-removals', deleteRemovals, removedRequestDays)
  await deleteInBatches('forget-recipients', deleteRecipients)
  if (days === null) return
  await deleteInBatches('forget-messages', deleteMessages, days)
  await deleteInBatches('forget-counters', deleteCounters, days)
}
