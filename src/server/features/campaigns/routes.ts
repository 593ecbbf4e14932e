// Campaigns driven by stored data: reading, counting and signing any of them.
import { countCampaign, readCampaign, signCampaign } from '#contract/campaigns.ts'
import type { Campaigns } from '#server/features/campaigns/campaigns.ts'
import { type PetitionServices, sign } from '#server/features/petitions/routes.ts'
import { type App, mount } from '#server/http/mount.ts'

export function campaignRoutes(app: App, services: PetitionServices & { campaigns: Campaigns }): void {
  mount(app, readCampaign, async (_, { params }) => ({
    success: true,
    campaign: await services.campaigns.active(params.slug),
  }))

  // Signatures alone: the page adds the campaign's baseCount.
  mount(app, countCampaign, async (_, { params }) => ({
    success: true,
    count: (await services.tallies.of(params.slug)).signatures,
  }))

  mount(app, signCampaign, (signature, { params, requestId }) => sign(services, params.slug, signature, requestId))
}
