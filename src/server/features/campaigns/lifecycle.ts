// The life of a campaign: publish, close, schedule, duplicate, delete a draft, and the order of the list.
import { eq, or, sql } from 'drizzle-orm'
import { canChangeStatus } from '#contract/admin/campaign-status.ts'
import {
  type CampaignMove,
  type CampaignSummary,
  campaignLimits,
  type StoredCampaign,
  scheduleLabels,
  statusNames,
} from '#contract/admin/campaigns.ts'
import { moveItem } from '#contract/admin/item-order.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { CampaignStatus } from '#contract/campaigns.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { minuteOf, timeOfMinute } from '#server/core/brazil-time.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Orm } from '#server/db/database.ts'
import { hasErasedSignatures } from '#server/db/erased-signatures.ts'
import { storeManifestoVersion } from '#server/db/manifestos.ts'
import { dropUnusedImage, imagesInHtml, lockImages } from '#server/db/media.ts'
import { campaignOldSlugs, campaigns, manifestos } from '#server/db/schema.ts'
import {
  type Author,
  type CampaignChanges,
  type CampaignRow,
  displayOrder,
  firstPosition,
  isSigned,
  lockCampaign,
  requireRow,
} from '#server/features/campaigns/campaign-changes.ts'
import { imagesOf } from '#server/features/campaigns/campaign-images.ts'

const { campaign: texts } = adminMessages

/** Minutes in Brasília time. */
interface Schedule {
  publishAt: string | null
  closeAt: string | null
}

export type Lifecycle = ReturnType<typeof createLifecycle>

export function createLifecycle({ change, commit, list }: CampaignChanges, now: () => Date) {
  /** Author and time of the last edit stay, because a conflict message names them. The audit log names who did this. */
  async function write(tx: Orm, id: number, values: Partial<CampaignRow>): Promise<CampaignRow> {
    const [row] = await tx.update(campaigns).set(values).where(eq(campaigns.id, id)).returning()
    return requireRow(row)
  }

  /** The schedule that remains after a change of status: nothing that is done or past. */
  function remainingSchedule({ closeAt }: CampaignRow, status: CampaignStatus) {
    const stillCloses = status === 'live' && closeAt !== null && closeAt > now()
    return { publishAt: null, closeAt: stillCloses ? closeAt : null }
  }

  return {
    setActive: (id: number, isActive: boolean, audit: Audit): Promise<StoredCampaign> =>
      change(async (tx) => {
        const stored = await lockCampaign(tx, id)
        await audit(tx, stored.slug)
        if (stored.isActive === isActive) return stored
        // A draft that is activated is published.
        const published = stored.status === 'draft' && { status: 'live' as const, ...remainingSchedule(stored, 'live') }
        return write(tx, id, { isActive, ...published })
      }),

    setStatus: (id: number, status: CampaignStatus, audit: Audit): Promise<StoredCampaign> =>
      change(async (tx) => {
        const stored = await lockCampaign(tx, id)
        const names = { before: statusNames[stored.status], after: statusNames[status] }
        if (stored.status === status) {
          await audit(tx, stored.slug)
          return stored
        }
        if (!canChangeStatus(stored.status, status))
          throw new AppError('conflict', texts.transition(names.before, names.after))
        if (status === 'live' && (await hasErasedSignatures(tx, stored.slug)))
          throw new AppError('conflict', texts.reopenErased)
        await audit(tx, stored.slug, [{ field: 'Situação', ...names }])
        return write(tx, id, {
          status,
          ...remainingSchedule(stored, status),
          ...(stored.status === 'draft' && { isActive: true }),
        })
      }),

    schedule: (id: number, wanted: Schedule, { antes, audit }: { antes: Schedule; audit: Audit }) =>
      change(async (tx) => {
        const stored = await lockCampaign(tx, id)
        const before = scheduleOf(stored)
        const isSame = ({ publishAt, closeAt }: Schedule) =>
          publishAt === before.publishAt && closeAt === before.closeAt
        // A retry after a lost answer finds its own times.
        if (!isSame(antes) && !isSame(wanted)) throw new AppError('conflict', texts.scheduleChanged)
        checkSchedule(stored, wanted, now())
        await audit(tx, stored.slug, auditChanges(scheduleLabels, describeSchedule(before), describeSchedule(wanted)))
        return write(tx, id, { publishAt: timeOf(wanted.publishAt), closeAt: timeOf(wanted.closeAt) })
      }),

    duplicate: (id: number, { username, audit }: Author): Promise<StoredCampaign> =>
      change(async (tx) => {
        const original = await lockCampaign(tx, id)
        await lockImages(tx, imagesOf(original))
        const { subtitulo, manifestoHtml, themeColor, heroImageUrl, ogTitle, ogDescription, ogImageUrl } = original
        const [row] = await tx
          .insert(campaigns)
          .values({
            ...{ subtitulo, manifestoHtml, themeColor, heroImageUrl, ogTitle, ogDescription, ogImageUrl },
            titulo: cut(original.titulo, campaignLimits.titulo, ' (cópia)'),
            slug: await freeSlug(tx, original.slug),
            sheetTab: await freeSheetTab(tx, original.sheetTab),
            meta: original.meta,
            countingMode: original.countingMode,
            shareTexts: original.shareTexts,
            isActive: false,
            status: 'draft',
            ordem: firstPosition,
            alteradaPor: username,
          })
          .returning()
        const copy = requireRow(row)
        await storeManifestoVersion(tx, copy)
        await audit(tx, copy.slug, [{ field: 'Cópia de', before: '', after: original.slug }])
        return copy
      }),

    deleteDraft: (id: number, audit: Audit): Promise<void> =>
      commit(async (tx) => {
        const draft = await lockCampaign(tx, id)
        if (draft.status !== 'draft') throw new AppError('conflict', texts.deleteNotDraft)
        if (await isSigned(tx, draft.slug)) throw new AppError('conflict', texts.deleteSigned)
        if (await isImporting(tx, draft.slug)) throw new AppError('conflict', texts.deleteImporting)
        const versions = await tx
          .select({ html: manifestos.html })
          .from(manifestos)
          .where(eq(manifestos.campaignId, id))
        const images = [...imagesOf(draft), ...versions.flatMap(({ html }) => imagesInHtml(html))]
        await lockImages(tx, images)
        await tx.delete(campaigns).where(eq(campaigns.id, id))
        for (const url of new Set(images)) await dropUnusedImage(tx, url)
        await audit(tx, draft.slug, [{ field: 'Título', before: draft.titulo, after: '' }])
      }),

    async reorder({ id: movedId, vizinha, lado }: CampaignMove, audit: Audit): Promise<CampaignSummary[]> {
      await commit(async (tx) => {
        const { id, slug } = campaigns
        // Locked before they are read in order: a query that waits for the locks sorts the values from before.
        await tx.select({ id }).from(campaigns).orderBy(id).for('update')
        const before = await tx
          .select({ id, slug })
          .from(campaigns)
          .orderBy(...displayOrder)
        const [moved, neighbour] = [movedId, vizinha].map((wanted) => before.find((each) => each.id === wanted))
        if (!moved || !neighbour) throw new AppError('conflict', texts.listChanged)
        const ids = moveItem(before, movedId, vizinha, lado === 'antes' ? 'before' : 'after').map((each) => each.id)
        const position = sql`array_position(array[${sql.join(ids, sql`, `)}]::bigint[], ${id})`
        await tx.update(campaigns).set({ ordem: position })
        await audit(tx, moved.slug)
      })
      return list()
    },
  }
}

async function isImporting(tx: Orm, slug: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select 1 from imports where campanha = ${slug} and status = 'running' limit 1`)
  return rows.length > 0
}

const scheduleOf = ({ publishAt, closeAt }: CampaignRow): Schedule => ({
  publishAt: publishAt && minuteOf(publishAt),
  closeAt: closeAt && minuteOf(closeAt),
})

const timeOf = (minute: string | null) => (minute === null ? null : timeOfMinute(minute))

const describeSchedule = ({ publishAt, closeAt }: Schedule) => ({
  publishAt: publishAt?.replace('T', ' '),
  closeAt: closeAt?.replace('T', ' '),
})

function checkSchedule({ status }: CampaignRow, { publishAt, closeAt }: Schedule, now: Date): void {
  const refuse = (field: keyof Schedule, message: string) =>
    new AppError('invalid', message, { errors: { [field]: message } })
  if (publishAt !== null && status !== 'draft') throw refuse('publishAt', texts.publishNotDraft)
  if (closeAt !== null && status !== 'draft' && status !== 'live') throw refuse('closeAt', texts.closeNotLive)
  if (publishAt !== null && timeOfMinute(publishAt) <= now) throw refuse('publishAt', texts.publishPast)
  if (closeAt !== null && timeOfMinute(closeAt) <= now) throw refuse('closeAt', texts.closePast)
  if (publishAt !== null && closeAt !== null && closeAt <= publishAt) throw refuse('closeAt', texts.closeBeforePublish)
}

/** The text with a suffix, cut so that both fit. */
const cut = (text: string, max: number, suffix: string) => text.slice(0, max - suffix.length).trimEnd() + suffix

async function freeSlug(tx: Orm, slug: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = cut(slug, campaignLimits.slug, number === 1 ? '-copia' : `-copia-${number}`)
    const [taken] = await tx
      .select({ id: campaigns.id })
      .from(campaigns)
      .leftJoin(campaignOldSlugs, eq(campaignOldSlugs.campaignId, campaigns.id))
      .where(or(eq(campaigns.slug, candidate), eq(campaignOldSlugs.slug, candidate)))
      .limit(1)
    if (!taken) return candidate
  }
}

/** Every campaign has a tab of its own, otherwise its signatures would mix with those of the original. */
async function freeSheetTab(tx: Orm, sheetTab: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = cut(sheetTab, campaignLimits.sheetTab, number === 1 ? ' (cópia)' : ` (cópia ${number})`)
    const [taken] = await tx.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.sheetTab, candidate))
    if (!taken) return candidate
  }
}
