import { asc, eq } from 'drizzle-orm'
import type { Content } from '#contract/contents.ts'
import type { Log } from '#server/core/log.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { carouselContents } from '#server/db/schema.ts'

export interface Contents {
  /** Active contents in display order. Read at most once a second, and served while the database is unavailable. */
  active(): Promise<Content[]>
  /** Call after a change, so that the next read on this node returns it. */
  expire(): void
}

export function createContents(database: Database, log: Log): Contents {
  const active = createSwrCache<Content[]>(
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
