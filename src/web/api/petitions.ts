// Counters: a page comes with a number, and asks again as soon as it is alive.
import { countCampaign } from '#contract/campaigns.ts'
import { countDeputyPetition, countPetition } from '#contract/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'

type CountEndpoint = typeof countPetition | typeof countDeputyPetition | typeof countCampaign
export type CountQuery = Query<CountEndpoint>

export const petitionCount: CountQuery = { endpoint: countPetition, staleMs: 0 }
export const deputyPetitionCount: CountQuery = { endpoint: countDeputyPetition, staleMs: 0 }
export const campaignCount = (slug: string): CountQuery => ({ endpoint: countCampaign, params: { slug }, staleMs: 0 })

/** Shows one more at once; the next answer of the server replaces it. */
export function addOneSignature(store: Store, query: CountQuery): void {
  store.change(query, (known) => ({ ...known, count: known.count + 1 }))
}
