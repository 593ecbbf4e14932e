import { listContents } from '#contract/contents.ts'
import type { Query } from '#web/api/store.ts'

export const contents: Query<typeof listContents> = { endpoint: listContents, staleMs: 0, retries: 3 }
