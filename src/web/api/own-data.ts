import { readOwnData } from '#contract/own-data.ts'
import type { Query } from '#web/api/store.ts'

export const ownData = (token: string): Query<typeof readOwnData> => ({
  endpoint: readOwnData,
  params: { token },
  // The page shows the state at the time when it was opened.
  staleMs: Number.POSITIVE_INFINITY,
})
