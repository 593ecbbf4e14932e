// The counter of the interest-rate petition: the page comes with a number, and asks again as soon as it is alive.
import { countPetition } from '#contract/petitions.ts'
import type { Query, Store } from '#web/api/store.ts'

export const petitionCount: Query<typeof countPetition> = { endpoint: countPetition, staleMs: 0 }

/** Shows one more at once; the next answer of the server replaces it. */
export function addOneSignature(store: Store): void {
  store.change(petitionCount, (known) => ({ ...known, count: known.count + 1 }))
}
