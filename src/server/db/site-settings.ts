// The site settings in effect: the newest saved version, else SITE_FILE. Read at most twice a second per node, and
// served from memory while the database is unavailable.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Site } from '#contract/site.ts'
import { resolveSite, type SiteSettings, siteSettingsSchema } from '#contract/site-settings.ts'
import type { Log } from '#server/core/log.ts'
import type { ShareCard } from '#server/core/share-card.ts'
import { mergeSettings, type SiteFile, withLockedValues } from '#server/core/site.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { media, siteSettings } from '#server/db/schema.ts'

interface SiteServiceParts {
  database: Database
  log: Log
  file: SiteFile
  /** How often pages are refreshed. Half of it: a page and the settings in it are never older than this together. */
  refreshMs?: number | undefined
}

export interface SettingsInEffect {
  /** 0 before the first save. */
  version: number
  settings: SiteSettings
  site: Site
}

export type SiteService = Awaited<ReturnType<typeof openSiteService>>

export async function openSiteService({ database, log, file, refreshMs = 1_000 }: SiteServiceParts) {
  const listeners: (() => void)[] = []
  let inEffect: (SettingsInEffect & { savedAt: number }) | undefined

  /** Settings of an earlier release may lack a key or have an invalid one: that key has the value of the file. */
  function complete(stored: Record<string, unknown>): SiteSettings {
    const settings: Record<string, unknown> = { ...file.settings }
    for (const [key, schema] of Object.entries(siteSettingsSchema.shape)) {
      if (!(key in stored) || key === 'deputado') continue
      const initial = file.settings[key as keyof SiteSettings]
      const parsed = [stored[key], mergeSettings(initial, stored[key])]
        .map((value) => schema.safeParse(value))
        .find(({ success }) => success)
      if (parsed) settings[key] = parsed.data
      else log.warn({ key }, 'stored setting ignored')
    }
    return withLockedValues(settings as SiteSettings, file)
  }

  async function newestVersion(orm: Pick<Orm, 'select'>) {
    const [newest] = await orm.select().from(siteSettings).orderBy(desc(siteSettings.version)).limit(1)
    return newest
  }

  const cache = createSwrCache(
    async (): Promise<SettingsInEffect> => {
      const newest = await newestVersion(database.orm)
      const { version = 0, settings: stored = {} } = newest ?? {}
      const savedAt = newest?.createdAt.getTime() ?? 0
      // The same object while nothing changes: what is computed from it is computed once.
      if (inEffect?.version === version && inEffect.savedAt === savedAt) return inEffect
      const settings = complete(stored)
      const isFirst = !inEffect
      inEffect = { version, savedAt, settings, site: resolveSite(settings) }
      if (!isFirst) for (const listener of listeners) listener()
      return inEffect
    },
    { periodMs: refreshMs / 2, onFailure: (error) => log.warn({ err: error }, 'site settings not refreshed') },
  )
  let lastLogo: { path: string; image: Promise<string | undefined> } | undefined

  async function readLogo(path: string): Promise<string | undefined> {
    const [, sha256 = '', format = ''] = /^\/media\/([0-9a-f]{64})\.(.+)$/.exec(path) ?? []
    const [row] = await database.orm
      .select({ base64: sql<string>`encode(${media.bytes}, 'base64')` })
      .from(media)
      .where(and(eq(media.sha256, sha256), eq(media.format, format)))
    return row?.base64
  }

  /** The name and the uploaded logo for share images. No logo while our own is used or it cannot be read. */
  async function brand(): Promise<Pick<ShareCard, 'movimento' | 'logo'>> {
    const { movimento, logo: path } = (await cache.get()).site
    if (!path) return { movimento }
    if (lastLogo?.path !== path) {
      const image = readLogo(path).catch(() => {
        lastLogo = undefined
        return undefined
      })
      lastLogo = { path, image }
    }
    const logo = await lastLogo.image
    return logo ? { movimento, logo } : { movimento }
  }

  // From now on there is always a value in memory.
  await cache.get()

  return {
    /** From the file, and constant: routes and a campaign depend on it. */
    deputado: file.settings.deputado,
    file,
    current: async (): Promise<Site> => (await cache.get()).site,
    inEffect: (): Promise<SettingsInEffect> => cache.get(),
    brand,
    complete,
    newestVersion,
    /** Call after a save: this node uses it at once, other nodes within a second. */
    expire: cache.expire,
    /** Called after this node has read changed settings. */
    onChange: (listener: () => void): void => void listeners.push(listener),
  }
}
