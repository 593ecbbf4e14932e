import { listCities } from '#contract/cities.ts'
import type { Query } from '#web/api/store.ts'

export const cities = (uf: string): Query<typeof listCities> => ({
  endpoint: listCities,
  params: { uf },
  // The list does not change while a form is open.
  staleMs: Number.POSITIVE_INFINITY,
})
