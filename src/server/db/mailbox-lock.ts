import { sql } from 'drizzle-orm'
import type { Orm } from '#server/db/database.ts'

/** First in every transaction that changes both a mailbox and its records, so that two of them cannot deadlock. */
export const lockMailbox = (tx: Pick<Orm, 'execute'>, addressHmac: Buffer) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${addressHmac.toString('hex')}, 0))`)

/** In the order of the locks, so that two transactions that lock many mailboxes cannot deadlock. */
export const lockMailboxes = (tx: Pick<Orm, 'execute'>, addressHmacs: Buffer[]) =>
  tx.execute(sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(encode(hmac, 'hex'), 0) as key
      from unnest(${sql.param(addressHmacs)}::bytea[]) as given(hmac) order by 1) keys`)
