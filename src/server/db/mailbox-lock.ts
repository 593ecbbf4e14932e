import { sql } from 'drizzle-orm'
import type { Orm } from '#server/db/database.ts'

/** First in every transaction that changes both a mailbox and its records, so that two of them cannot deadlock. */
export const lockMailbox = (tx: Pick<Orm, 'execute'>, addressDigest: Buffer) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${addressDigest.toString('hex')}, 0))`)

/** In the order of the locks, so that two transactions that lock many mailboxes cannot deadlock. */
export const lockMailboxes = (tx: Pick<Orm, 'execute'>, addressDigests: Buffer[]) =>
  tx.execute(sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(encode(digest, 'hex'), 0) as key
      from unnest(${sql.param(addressDigests)}::bytea[]) as given(digest) order by 1) keys`)
