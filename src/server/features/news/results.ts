// Signatures and sign-ups that came through the links of a news item. Nothing else is recorded about readers.
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { newsOrigin } from '#contract/news.ts'
import type { Log } from '#server/core/log.ts'
import { createSwrCache, type SwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { firstIdAt, maxClockSkewMs } from '#server/db/uuid-v7.ts'

type Results = Record<PeopleKind, number>

/** Origins have no index, and open pages poll. */
const periodMs = 60_000
const maxCached = 50

interface ResultsDeps {
  database: Database
  log: Log
}

export function createResults({ database, log }: ResultsDeps) {
  const caches = new Map<string, SwrCache<Results>>()

  function cacheOf(id: number, publishedAt: string): SwrCache<Results> {
    const key = `${id} ${publishedAt}`
    const known = caches.get(key)
    if (known) return known
    const [oldest] = caches.keys()
    if (oldest !== undefined && caches.size >= maxCached) caches.delete(oldest)
    const cache = createSwrCache(() => countResults(database, id, publishedAt), {
      periodMs,
      onFailure: (error) => log.warn({ err: error }, 'results of news not counted'),
    })
    caches.set(key, cache)
    return cache
  }

  return {
    async of({ id, publicadaEm }: { id: number; publicadaEm: string | null }): Promise<Results> {
      return publicadaEm === null ? noResults() : cacheOf(id, publicadaEm).get()
    },
  }
}

const noResults = () => Object.fromEntries(peopleKinds.map((kind) => [kind, 0])) as Results

/** Reads only the records since the publication, which the id contains approximately. */
async function countResults({ query }: Database, id: number, publishedAt: string): Promise<Results> {
  const counts = noResults()
  const since = firstIdAt(Date.parse(publishedAt) - maxClockSkewMs)
  for (const kind of peopleKinds) {
    const { table } = peopleDescriptors[kind]
    const [row] = await query<{ n: number }>(
      `news-results-${kind}`,
      `select count(*)::int as n from ${table} where id > $1 and origem = $2`,
      [since, newsOrigin(id)],
    )
    counts[kind] = row?.n ?? 0
  }
  return counts
}
