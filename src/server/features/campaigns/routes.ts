// Campaigns driven by stored data: reading, counting and signing any of them, and the picture of a link to one.
import { type Campaign, countCampaign, listActiveCampaigns, readCampaign, signCampaign } from '#contract/campaigns.ts'
import { campaignImagePath, countInWords } from '#contract/share.ts'
import type { Site } from '#contract/site.ts'
import { themes } from '#contract/themes.ts'
import { onceFor } from '#server/core/once-for.ts'
import type { Campaigns, ListedCampaign } from '#server/features/campaigns/campaigns.ts'
import { type PetitionServices, sign } from '#server/features/petitions/routes.ts'
import type { Tally } from '#server/features/petitions/tallies.ts'
import { type App, mount } from '#server/http/mount.ts'
import { type ShareImages, sendPicture } from '#server/http/share-images.ts'

interface CampaignServices extends PetitionServices {
  campaigns: Campaigns
  images: ShareImages
}

const shown = onceFor((campaign: Campaign) => ({ success: true, campaign }))
/** The page adds the campaign's baseCount. */
const signaturesAlone = onceFor(({ signatures }: Tally) => ({ success: true, count: signatures }))

const listed = onceFor((campaigns: ListedCampaign[]) => ({
  success: true,
  campaigns: campaigns.toSorted((one, other) => one.titulo.localeCompare(other.titulo, 'pt-BR')),
}))

export function campaignRoutes(app: App, services: CampaignServices, { movimento }: Site): void {
  mount(app, listActiveCampaigns, async () => listed(await services.campaigns.listed()))

  mount(app, readCampaign, async (_, { params }) => shown(await services.campaigns.active(params.slug)))

  mount(app, countCampaign, async (_, { params }) => signaturesAlone(await services.tallies.of(params.slug)))

  mount(app, signCampaign, (signature, { params, requestId }) => sign(services, params.slug, signature, requestId))

  app.get<{ Params: { slug: string } }>(campaignImagePath, { config: { access: 'anyone' } }, async (request, reply) => {
    const { slug } = request.params
    const [campaign, tally] = await Promise.all([services.campaigns.active(slug), services.tallies.of(slug)])
    const picture = await services.images.of(campaign.slug, {
      titulo: campaign.titulo,
      tema: themes.find((theme) => theme === campaign.themeColor) ?? 'red',
      destaque: countInWords(tally.baseCount + tally.signatures),
      chamada: 'Assine agora',
      movimento,
    })
    return sendPicture(request, reply, picture)
  })
}
