import type { PeopleFilters } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import type { Database } from '#server/db/database.ts'
import { signatureCounts } from '#server/db/signature-counts.ts'

/**
 * The exact number of signatures from the hourly counts, which are far fewer than the signatures. Undefined if a filter
 * needs data that the counts do not contain, or if they include signatures that were erased by date.
 */
export async function countFromTotals(database: Database, filters: PeopleFilters): Promise<number | undefined> {
  const { campanha, estado, de, ate, ...others } = filters
  if (Object.values(others).some(Boolean)) return undefined
  const [sum] = await database.query<{ n: number; includesErased: boolean }>(
    '',
    // Days in Brazil begin at a full hour, so that hours add up to days.
    `select coalesce(sum(n), 0)::int as n,
      exists (select from erased_signature_cities ${campanha ? 'where campanha = $1' : ''}) as "includesErased"
    from ${signatureCounts} counts where ($1::text is null or campanha = $1)
    and ($2::text is null or estado = $2) and ($3::timestamptz is null or hora >= $3) and ($4::timestamptz is null or hora < $4)`,
    [campanha ?? null, estado ?? null, de ? startOfDay(de) : null, ate ? startOfDay(dayAfter(ate)) : null],
  )
  return sum?.includesErased ? undefined : (sum?.n ?? 0)
}
