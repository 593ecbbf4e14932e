// Campaign material: read again whenever its page appears, and tried again when the network stumbles.
import { listContents } from '#contract/carousel.ts'
import type { Query } from '#web/api/store.ts'

export const contents: Query<typeof listContents> = { endpoint: listContents, staleMs: 0, retries: 3 }
