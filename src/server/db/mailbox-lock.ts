import { sql } from 'drizzle-orm'
import type { Orm } from '#server/db/database.ts'

/** First in every transaction that changes both a mailbox and its records, so that two of them cannot deadlock. */
export const lockMailbox = (tx: Pick<Orm, 'execute'>, addressDigest: Buffer) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${addressDigest.toString('hex')}, 0))`)
