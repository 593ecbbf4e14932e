// Signatures and sign-ups that came through the links of a news item. Nothing else is recorded about readers.
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { newsOrigin } from '#contract/news.ts'
import type { Database } from '#server/db/database.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { firstIdAt, maxClockSkewMs } from '#server/db/uuid-v7.ts'

/** Reads only the records since the publication, which the id contains approximately. */
export async function countResults(
  { query }: Database,
  { id, publicadaEm }: { id: number; publicadaEm: string | null },
): Promise<Record<PeopleKind, number>> {
  const counts = Object.fromEntries(peopleKinds.map((kind) => [kind, 0])) as Record<PeopleKind, number>
  if (publicadaEm === null) return counts
  const since = firstIdAt(Date.parse(publicadaEm) - maxClockSkewMs)
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
