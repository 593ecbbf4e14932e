// The municipalities of a state: they do not change while somebody fills in a form.
import { listCities } from '#contract/cities.ts'
import type { Query } from '#web/api/store.ts'

export const cities = (uf: string): Query<typeof listCities> => ({
  endpoint: listCities,
  params: { uf },
  staleMs: Number.POSITIVE_INFINITY,
})
