// How many have signed: read from the ledger at most once a second per node, served from memory, also while the database is away.
import { sql } from 'drizzle-orm'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

export interface Tally {
  baseCount: number
  signatures: number
}

export interface Tallies {
  /** Refuses a campaign that does not exist or is switched off. */
  of(campanha: string): Promise<Tally>
}

export function createTallies(database: Database, log: Log): Tallies {
  const tallies = lastKnown(
    async () => {
      const { rows } = await database.orm.execute<{ slug: string; baseCount: number; signatures: string }>(sql`
        select slug, "baseCount", coalesce((select sum(n) from peticoes_por_hora where campanha = slug), 0) as signatures
        from campaigns where "isActive"`)
      return new Map(
        rows.map(({ slug, baseCount, signatures }) => [slug, { baseCount, signatures: Number(signatures) }]),
      )
    },
    { periodMs: 1_000, onFailure: (error) => log.warn({ err: error }, 'counts not refreshed') },
  )
  return {
    async of(campanha) {
      const tally = (await tallies.get()).get(campanha)
      if (!tally) throw new AppError('not-found', messages.campaign.notFound)
      return tally
    },
  }
}
