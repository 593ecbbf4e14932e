// Routes with which administrators manage campaigns.
import {
  activateCampaign,
  changeCampaignStatus,
  checkSlug,
  createCampaign,
  deactivateCampaign,
  deleteDraft,
  downloadDelivery,
  downloadDeliveryWithNames,
  drawShareCard,
  duplicateCampaign,
  listCampaignLinks,
  listCampaigns,
  listVersions,
  readStoredCampaign,
  readVersion,
  reorderCampaigns,
  restoreVersion,
  scheduleCampaign,
  updateCampaign,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { formatRoundedCount, shareSize } from '#contract/share.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { Delivery } from '#server/features/campaigns/delivery.ts'
import type { Lifecycle } from '#server/features/campaigns/lifecycle.ts'
import type { StoredCampaigns } from '#server/features/campaigns/stored-campaigns.ts'
import type { Versions } from '#server/features/campaigns/versions.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import { mountStream } from '#server/http/mount-stream.ts'
import type { ShareImages } from '#server/http/share-images.ts'

interface CampaignAdminServices {
  stored: StoredCampaigns
  lifecycle: Lifecycle
  delivery: Delivery
  versions: Versions
  images: ShareImages
  site: Pick<SiteService, 'brand'>
}

const { campaign: texts } = adminMessages

export function registerCampaignAdmin(app: App, services: CampaignAdminServices): void {
  const { stored, lifecycle, delivery, versions, images, site } = services

  mountForAdministrators(app, listCampaigns, async () => ({ success: true, campaigns: await stored.list() }))

  mountForAdministrators(app, readStoredCampaign, async (_, { params }) => ({
    success: true,
    campaign: await stored.one(params.id),
  }))

  mountForAdministrators(app, createCampaign, async (fields, { administrator: { username }, audit }) => {
    const campaign = await stored.create(fields, { username, audit })
    return { success: true, message: texts.created, campaign }
  })

  mountForAdministrators(app, updateCampaign, async (edit, { params, administrator: { username }, audit }) => {
    const { campaign, newVersion } = await stored.update(params.id, edit, { username, audit })
    return { success: true, message: newVersion ? texts.savedVersion(newVersion) : texts.saved, campaign }
  })

  for (const [endpoint, isActive] of [
    [activateCampaign, true],
    [deactivateCampaign, false],
  ] as const) {
    mountForAdministrators(app, endpoint, async (_, { params, audit }) => {
      const campaign = await lifecycle.setActive(params.id, isActive, audit)
      return { success: true, message: isActive ? texts.activated : texts.deactivated, campaign }
    })
  }

  mountForAdministrators(app, changeCampaignStatus, async ({ status }, { params, audit }) => {
    const before = await stored.one(params.id)
    const campaign = await lifecycle.setStatus(params.id, status, audit)
    const message = { live: before.status === 'draft' ? texts.published : texts.reopened, ...texts }[status]
    return { success: true, message, campaign }
  })

  mountForAdministrators(app, scheduleCampaign, async ({ antes, ...schedule }, { params, audit }) => {
    const campaign = await lifecycle.schedule(params.id, schedule, { antes, audit })
    return { success: true, message: texts.scheduled, campaign }
  })

  mountForAdministrators(app, duplicateCampaign, async (_, { params, administrator: { username }, audit }) => {
    const campaign = await lifecycle.duplicate(params.id, { username, audit })
    return { success: true, message: texts.duplicated, campaign }
  })

  mountForAdministrators(app, deleteDraft, async (_, { params, audit }) => {
    await lifecycle.deleteDraft(params.id, audit)
    return { success: true, message: texts.deleted }
  })

  mountForAdministrators(app, reorderCampaigns, async (order, { audit }) => {
    const campaigns = await lifecycle.reorder(order, audit)
    return { success: true, message: texts.reordered, campaigns }
  })

  mountForAdministrators(app, checkSlug, async (_, { query }) => {
    const problem = await stored.whySlugIsTaken(query.slug, query.id)
    return { success: true, available: problem === null, message: problem ?? texts.slugLivre }
  })

  mountForAdministrators(app, listCampaignLinks, async (_, { params }) => ({
    success: true,
    links: await stored.links(params.id),
  }))

  mountForAdministrators(app, listVersions, async (_, { params }) => ({
    success: true,
    ...(await versions.of(params.id)),
  }))

  mountForAdministrators(app, readVersion, async (_, { params }) => ({
    success: true,
    html: await versions.text(params.id, params.versao),
  }))

  mountForAdministrators(app, restoreVersion, async ({ revisao }, { params, administrator: { username }, audit }) => {
    const html = await versions.text(params.id, params.versao)
    const { campaign, newVersion } = await stored.restore(params.id, { html, revisao }, { username, audit })
    return { success: true, message: newVersion ? texts.restored(newVersion) : texts.restoredSame, campaign }
  })

  for (const [endpoint, withNames] of [
    [downloadDelivery, false],
    [downloadDeliveryWithNames, true],
  ] as const) {
    mountStream(app, { endpoint, contentType: 'application/pdf' }, async ({ params, about }) => {
      const { slug, stream } = await delivery.open(params.id, { withNames })
      about(slug)
      return stream
    })
  }

  mountForAdministrators(app, drawShareCard, async (_, { query, administrator }) => {
    // One key per administrator, so that each has only one preview in the cache.
    const { bytes } = await images.of(`previa de ${administrator.id}`, {
      titulo: query.titulo,
      tema: query.themeColor,
      destaque: formatRoundedCount(query.count),
      chamada: 'Assine agora',
      ...(await site.brand()),
    })
    return { success: true, image: `data:${shareSize.type};base64,${bytes.toString('base64')}` }
  })
}
