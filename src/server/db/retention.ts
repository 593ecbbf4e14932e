// Forgets what is no longer needed, a few rows at a time: after a rush there are millions, and on the embedded engine everybody waits
// for a statement.
import type { Database } from '#server/db/database.ts'

const together = 2_000

/** For so long an expired link is told from one that never was. */
const expiredLinkDays = 30

/** A phone that never received its answer sends again within days; this is a wide margin. */
const removedRequestDays = 90

const forgetLinks = `
delete from email_tokens where ctid = any(array(
  select ctid from email_tokens where "expiraEm" < now() - $1 * interval '1 day' limit ${together})) returning 1 as gone`

const forgetRemovals = `
delete from removed_requests where ctid = any(array(
  select ctid from removed_requests where "removedAt" < now() - $1 * interval '1 day' limit ${together})) returning 1 as gone`

// From the oldest: ids follow the order of arrival.
const forgetMessages = `
delete from bot_mensagens where id = any(array(
  select id from (select id, "createdAt" from bot_mensagens order by id limit ${together}) oldest
  where "createdAt" < now() - $1 * interval '1 day')) returning 1 as gone`

const forgetCounters = `
delete from emails_por_endereco where ctid = any(array(
  select ctid from emails_por_endereco where "changedAt" < now() - $1 * interval '1 day' limit ${together})) returning 1 as gone`

/** `days` are those of RETENTION_DAYS; without it messages and counters are kept for ever. */
export async function forgetOld({ query }: Database, days: number | undefined): Promise<void> {
  async function forget(name: string, text: string, days: number): Promise<void> {
    let gone: unknown[]
    do gone = await query(name, text, [days])
    while (gone.length === together)
  }

  await forget('forget-links', forgetLinks, expiredLinkDays)
  await forget('forget-removals', forgetRemovals, removedRequestDays)
  if (days === undefined) return
  await forget('forget-messages', forgetMessages, days)
  await forget('forget-counters', forgetCounters, days)
}
