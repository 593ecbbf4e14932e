// What organisers read about the growth of their campaigns.
import { listCityNumbers, listNumbers, readNumbers } from '#contract/admin/numbers.ts'
import type { CampaignsInNumbers } from '#server/features/numbers/numbers.ts'
import { type App, mountForAdministrators } from '#server/http/mount.ts'

export function numberRoutes(app: App, { numbers }: { numbers: CampaignsInNumbers }): void {
  mountForAdministrators(app, listNumbers, async () => ({ success: true, campaigns: await numbers.all() }))

  mountForAdministrators(app, readNumbers, async (_, { params }) => ({
    success: true,
    ...(await numbers.of(params.slug)),
  }))

  mountForAdministrators(app, listCityNumbers, async (_, { params, query }) => ({
    success: true,
    ...(await numbers.cities(params.slug, query)),
  }))
}
