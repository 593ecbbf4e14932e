// Campaign material that anyone may see: active, in its order, read at most once a second per node.
import { asc, eq } from 'drizzle-orm'
import { listContents } from '#contract/carousel.ts'
import { lastKnown } from '#server/core/last-known.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import { carouselContents } from '#server/db/schema.ts'
import { type App, mount } from '#server/http/mount.ts'

export function carouselRoutes(app: App, { database, log }: { database: Database; log: Log }): void {
  const active = lastKnown(
    () =>
      database.orm
        .select()
        .from(carouselContents)
        .where(eq(carouselContents.isActive, true))
        .orderBy(asc(carouselContents.ordem), asc(carouselContents.id)),
    { periodMs: 1_000, onFailure: (error) => log.warn({ err: error }, 'contents not refreshed') },
  )
  mount(app, listContents, () => active.get())
}
