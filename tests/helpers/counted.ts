import { signatureCounts } from '#server/db/signature-counts.ts'

/** What the database counts, folded or not; as the table of an SQL statement. */
export const counted = `(
  select campanha, estado, hora, sum(n)::int as n from ${signatureCounts} counts group by 1, 2, 3 having sum(n) <> 0) counted`

export const countTables = 'peticoes_por_hora, signature_count_changes, signature_totals'
