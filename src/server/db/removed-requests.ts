// Requests whose record was removed at the person's wish. A phone that received no response may send such a
// request again days later: without this table the record would come back.
import type { Database } from '#server/db/database.ts'

/**
 * Only a digest is stored, which cannot be guessed without the request id. It includes the address, because a
 * form that is sent again with a corrected address keeps its request id and is another record.
 */
const digestSql = (requestId: string, canonicalEmail: string) =>
  `sha256(uuid_send(${requestId}) || convert_to(${canonicalEmail}, 'UTF8'))`

/** Takes SQL expressions. A subquery per row, because a join would be planned for an outdated size of the table. */
export const wasRemovedSql = (requestId: string, canonicalEmail: string) =>
  `(select count(*) from removed_requests where digest = ${digestSql(requestId, canonicalEmail)}) > 0`

/** Must be committed before the record is deleted: a request that arrives in between still finds the record. */
export async function recordRemovedRequest({ query }: Database, table: string, id: string): Promise<void> {
  await query(
    '',
    `insert into removed_requests (digest) select ${digestSql('"requestId"', '"canonicalEmail"')} from ${table} where id = $1
    on conflict (digest) do nothing`,
    [id],
  )
}

export interface RequestKey {
  requestId: string
  canonicalEmail: string
}

export async function wasRemoved({ query }: Database, { requestId, canonicalEmail }: RequestKey): Promise<boolean> {
  const text = `select ${wasRemovedSql('$1::uuid', '$2::text')} as removed`
  const [row] = await query<{ removed: boolean }>('was-removed', text, [requestId, canonicalEmail])
  return row?.removed ?? false
}
