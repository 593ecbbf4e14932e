import { signatureCounts } from '#server/db/signature-counts.ts'

/** The signature counts of the database, with pending changes included, as a table expression of SQL. */
export const signatureCountsSql = `(
  select campanha, estado, hora, sum(n)::int as n from ${signatureCounts} counts group by 1, 2, 3 having sum(n) <> 0) counted`

export const countTables = 'peticoes_por_hora, signature_count_changes, signature_totals'
