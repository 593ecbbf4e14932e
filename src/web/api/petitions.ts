import { type Campaign, countCampaign } from '#contract/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { countDeputyPetition, countPetition } from '#contract/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'

type CountEndpoint = typeof countPetition | typeof countDeputyPetition | typeof countCampaign
export type CountQuery = Query<CountEndpoint>
export type Count = ReplyOf<CountEndpoint>

// Never fresh: a page arrives with a count, and reads it again after hydration.
export const petitionCount: CountQuery = { endpoint: countPetition, staleMs: 0 }
export const deputyPetitionCount: CountQuery = { endpoint: countDeputyPetition, staleMs: 0 }
export const campaignCount = (slug: string): CountQuery => ({ endpoint: countCampaign, params: { slug }, staleMs: 0 })

/**
 * Adds the user's signature to the displayed count at once. The next reply of the server replaces it. A campaign that
 * counts only confirmed signatures keeps its count.
 */
export function addOneSignature(
  store: Store,
  query: CountQuery,
  { countingMode }: Pick<Campaign, 'countingMode'>,
): void {
  if (countingMode === 'confirmed') return
  store.change(query, (current) => ({
    ...current,
    count: current.count + 1,
    hoje: (current.hoje ?? 0) + 1,
  }))
}
