// Routes with which administrators manage campaigns.
import {
  activateCampaign,
  checkSlug,
  createCampaign,
  deactivateCampaign,
  drawShareCard,
  listCampaignLinks,
  listCampaigns,
  listVersions,
  readStoredCampaign,
  readVersion,
  updateCampaign,
} from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { formatRoundedCount, shareSize } from '#contract/share.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { StoredCampaigns } from '#server/features/campaigns/stored-campaigns.ts'
import type { Versions } from '#server/features/campaigns/versions.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'
import type { ShareImages } from '#server/http/share-images.ts'

interface CampaignAdminServices {
  stored: StoredCampaigns
  versions: Versions
  images: ShareImages
  site: Pick<SiteService, 'brand'>
}

const { campaign: texts } = adminMessages

export function registerCampaignAdmin(app: App, services: CampaignAdminServices): void {
  const { stored, versions, images, site } = services

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
      const campaign = await stored.setActive(params.id, isActive, audit)
      return { success: true, message: isActive ? texts.activated : texts.deactivated, campaign }
    })
  }

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
