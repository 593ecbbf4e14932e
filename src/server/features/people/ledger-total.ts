// How many signed, from the ledger, where the filters ask for nothing that it does not know: it is exact, and short against the signatures.
import type { PeopleFilters } from '#contract/admin/people.ts'
import { dayAfter, startOfDay } from '#server/core/brazil-time.ts'
import type { Database } from '#server/db/database.ts'
import { signatureCounts } from '#server/db/signature-counts.ts'

export async function countInLedger(database: Database, filters: PeopleFilters): Promise<number | undefined> {
  const { busca, cidade, confirmada, novidades, campanha, estado, de, ate } = filters
  if (busca || cidade || confirmada || novidades) return undefined
  const [sum] = await database.query<{ n: number }>(
    '',
    // Days begin with an hour in Brazil, so that hours add up to days.
    `select coalesce(sum(n), 0)::int as n from ${signatureCounts} counts where ($1::text is null or campanha = $1)
    and ($2::text is null or estado = $2) and ($3::timestamptz is null or hora >= $3) and ($4::timestamptz is null or hora < $4)`,
    [campanha ?? null, estado ?? null, de ? startOfDay(de) : null, ate ? startOfDay(dayAfter(ate)) : null],
  )
  return sum?.n ?? 0
}
