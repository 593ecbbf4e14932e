// Active contents in their order, read at most once a second per node and served from memory, also while the database is away.
import { asc, eq } from 'drizzle-orm'
import type { Content } from '#contract/carousel.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { carouselContents } from '#server/db/schema.ts'

export interface Contents {
  active(): Promise<Content[]>
  /** They were changed here: the next to ask gets them as they are now. */
  expire(): void
}

export function createContents(database: Database, log: Log): Contents {
  const active = lastKnown<Content[]>(
    () =>
      database.orm
        .select()
        .from(carouselContents)
        .where(eq(carouselContents.isActive, true))
        .orderBy(asc(carouselContents.ordem), asc(carouselContents.id)),
    { periodMs: 1_000, onFailure: (error) => log.warn({ err: error }, 'contents not refreshed') },
  )
  return { active: active.get, expire: active.expire }
}
