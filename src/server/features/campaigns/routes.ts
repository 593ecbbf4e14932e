// Public routes of campaigns: reading, counting and signing, and the image for shared links.
import {
  type Campaign,
  campaignPath,
  countCampaign,
  listActiveCampaigns,
  readCampaign,
  signCampaign,
} from '#contract/campaigns.ts'
import { campaignImagePath, formatRoundedCount, shareCall } from '#contract/share.ts'
import { themes } from '#contract/themes.ts'
import { memoize } from '#server/core/memoize.ts'
import type { Deps } from '#server/deps.ts'
import { registerCampaignAdmin } from '#server/features/campaigns/admin-routes.ts'
import { createCampaignChanges } from '#server/features/campaigns/campaign-changes.ts'
import { createCampaigns } from '#server/features/campaigns/campaigns.ts'
import { type CountedCities, createDelivery } from '#server/features/campaigns/delivery.ts'
import { createLifecycle } from '#server/features/campaigns/lifecycle.ts'
import { createCampaignSchedule } from '#server/features/campaigns/schedule.ts'
import { createStoredCampaigns } from '#server/features/campaigns/stored-campaigns.ts'
import { createVersions, type SignedVersions } from '#server/features/campaigns/versions.ts'
import { type PetitionServices, sign } from '#server/features/petitions/routes.ts'
import { type App, mount } from '#server/http/mount.ts'
import { type ShareImages, sendShareImage } from '#server/http/share-images.ts'

interface CampaignParts {
  petitions: PetitionServices
  breakdown: SignedVersions & CountedCities
  images: ShareImages
  refreshMs: number
  /** The clock and the period of the schedule. */
  now: () => Date
  scheduleMs: number
}

const campaignReply = memoize((campaign: Campaign) => ({ success: true, campaign }))

export function registerCampaigns(app: App, { database, site, log }: Deps, parts: CampaignParts) {
  const { petitions, breakdown, images, refreshMs, now, scheduleMs } = parts
  const { counts } = petitions
  const campaigns = createCampaigns(database, log, refreshMs)
  campaigns.onChange(counts.expire)

  mount(app, listActiveCampaigns, async () => {
    const [listed, totals, { deputado }] = await Promise.all([campaigns.listed(), counts.totals(), site.current()])
    return {
      success: true,
      campaigns: listed.map((campaign) => ({
        ...campaign,
        path: campaignPath(campaign.slug, deputado.slug),
        count: totals.get(campaign.slug) ?? campaign.baseCount,
      })),
    }
  })

  mount(app, readCampaign, async (_, { params }) => campaignReply(await campaigns.active(params.slug)))

  mount(app, countCampaign, async (_, { params }) => {
    const { slug, counted } = await counts.of(params.slug)
    // The page adds the campaign's baseCount.
    return { success: true, count: counted, hoje: await counts.today(slug) }
  })

  mount(app, signCampaign, (signature, { params, requestId }) => sign(petitions, params.slug, signature, requestId))

  app.get<{ Params: { slug: string } }>(campaignImagePath, { config: { access: 'anyone' } }, async (request, reply) => {
    const { slug } = request.params
    const [campaign, count, brand] = await Promise.all([campaigns.active(slug), counts.of(slug), site.brand()])
    const image = await images.of(campaign.slug, {
      titulo: campaign.titulo,
      tema: themes.find((theme) => theme === campaign.themeColor) ?? 'red',
      destaque: formatRoundedCount(count.baseCount + count.counted),
      chamada: shareCall(campaign.status),
      ...brand,
    })
    return sendShareImage(request, reply, image)
  })

  function showChanges(): void {
    campaigns.expire()
    app.responses.invalidate()
  }
  const schedule = createCampaignSchedule({ database, log, now, periodMs: scheduleMs, onChanged: showChanges })
  app.addHook('onListen', async () => schedule.start())
  app.addHook('onClose', () => schedule.stop())

  const changes = createCampaignChanges({ database, counts, publicCampaigns: campaigns, site })
  registerCampaignAdmin(app, {
    stored: createStoredCampaigns(database, changes),
    lifecycle: createLifecycle(changes, now),
    delivery: createDelivery({ database, counts, breakdown, site }),
    versions: createVersions({ database, counts, breakdown }),
    images,
    site,
  })
  return { campaigns }
}
