// Saves site settings: every save is a version, an outdated edit is refused, and locked settings never change.
import { isDeepStrictEqual } from 'node:util'
import { desc, eq, sql } from 'drizzle-orm'
import type { AuditChange } from '#contract/admin/audit-log.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import {
  changedPaths,
  describeSetting,
  type SiteFields,
  type StoredSite,
  shownSiteVersions,
  siteLabels,
  valueAt,
} from '#contract/admin/site.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { dropUnusedImage, imagePath, lockImages } from '#server/db/media.ts'
import { media, siteSettings } from '#server/db/schema.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { asLogo } from '#server/features/site/logo.ts'

const { site: texts } = adminMessages

interface Author {
  username: string
  audit: Audit
}

interface Edit {
  /** The version that the edit began from. */
  base: number
  settings: SiteFields
}

interface SaveResult {
  site: StoredSite
  isChanged: boolean
}

export function createStoredSettings(database: Database, site: SiteService) {
  const { deputado, file } = site

  const withoutDeputy = ({ deputado: _, ...fields }: SiteSettings): SiteFields => fields

  function toStored(row: typeof siteSettings.$inferSelect | undefined): StoredSite {
    const { version = 0, author = null, settings = {} } = row ?? {}
    const fields = withoutDeputy(site.complete(settings))
    return { versao: version, autor: author, settings: fields, deputado, travados: [...file.locked] }
  }

  function checkLocked(fields: SiteFields): void {
    const changed = file.locked.filter(
      (path) => !path.startsWith('deputado') && !isDeepStrictEqual(valueAt(fields, path), valueAt(file.settings, path)),
    )
    const [first] = changed
    if (first)
      throw new AppError('invalid', `${siteLabels[first as keyof typeof siteLabels] ?? first}: ${texts.locked}`, {
        errors: Object.fromEntries(changed.map((path) => [path, texts.locked])),
      })
  }

  async function logoExists(tx: Pick<Orm, 'select'>, logo: string): Promise<boolean> {
    const sha256 = imagePath.exec(logo)?.[1]
    if (!sha256) return true
    const [found] = await tx.select({ sha256: media.sha256 }).from(media).where(eq(media.sha256, sha256)).limit(1)
    return found !== undefined
  }

  /** `next` makes the fields of the new version inside the transaction. */
  async function save(base: number, author: Author, next: (tx: Orm, stored: StoredSite) => Promise<SiteFields>) {
    const result = await database.transaction(async (tx) => {
      // Saves of all nodes wait for each other here. Reads do not wait.
      await tx.execute(sql`lock table ${siteSettings} in share row exclusive mode`)
      const stored = toStored(await site.newestVersion(tx))
      const fields = await next(tx, stored)
      // Also a retry after a lost answer: its own version is stored already.
      if (changedPaths(stored.settings, fields).length === 0) return { site: stored, isChanged: false }
      if (stored.versao !== base) return { conflict: stored }
      await lockImages(tx, [stored.settings.logo, fields.logo])
      if (!(await logoExists(tx, fields.logo)))
        throw new AppError('invalid', texts.logoMissing, { errors: { logo: texts.logoMissing } })
      await author.audit(tx, '', describeChanges(stored.settings, fields))
      const [row] = await tx.insert(siteSettings).values({ settings: fields, author: author.username }).returning()
      if (stored.settings.logo !== fields.logo) await dropUnusedImage(tx, stored.settings.logo)
      return { site: toStored(row), isChanged: true }
    })
    if ('conflict' in result && result.conflict) {
      const who = result.conflict.autor ?? 'Outra pessoa'
      throw new AppError('conflict', texts.changed(who), { current: result.conflict })
    }
    site.expire()
    return result as SaveResult
  }

  function describeChanges(before: SiteFields, after: SiteFields): AuditChange[] {
    const changed = changedPaths(before, after)
    const labels = Object.fromEntries(changed.map((path) => [path, siteLabels[path]]))
    const texts = (fields: SiteFields) =>
      Object.fromEntries(changed.map((path) => [path, describeSetting(fields, path, deputado)]))
    return auditChanges(labels, texts(before), texts(after))
  }

  return {
    current: async (): Promise<StoredSite> => toStored(await site.newestVersion(database.orm)),

    async update({ base, settings }: Edit, author: Author): Promise<SaveResult> {
      checkLocked(settings)
      // Before the transaction, because encoding an image is slow.
      const fields = { ...settings, logo: await asLogo(database, settings.logo) }
      return save(base, author, async () => fields)
    },

    /** Returns whether the logo of that version had to be left out. */
    async restore(versao: number, base: number, author: Author): Promise<SaveResult & { isLogoLost: boolean }> {
      let isLogoLost = false
      const result = await save(base, author, async (tx) => {
        const [row] = await tx.select().from(siteSettings).where(eq(siteSettings.version, versao))
        if (!row) throw new AppError('not-found', texts.versionMissing)
        const { settings } = toStored(row)
        isLogoLost = !(await logoExists(tx, settings.logo))
        return isLogoLost ? { ...settings, logo: '' } : settings
      })
      return { ...result, isLogoLost }
    },

    async versions() {
      // One more than shown, to compare the oldest one with.
      const rows = await database.orm
        .select()
        .from(siteSettings)
        .orderBy(desc(siteSettings.version))
        .limit(shownSiteVersions + 1)
      const initial = toStored(undefined).settings
      return rows.slice(0, shownSiteVersions).map((row, index) => {
        const before = rows[index + 1] ? toStored(rows[index + 1]).settings : initial
        return {
          versao: row.version,
          autor: row.author,
          createdAt: row.createdAt.toISOString(),
          mudou: changedPaths(before, toStored(row).settings).map((path) => siteLabels[path]),
        }
      })
    },
  }
}
