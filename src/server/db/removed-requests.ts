// Requests whose record was removed because its person asked for it. A phone that never received the answer may send the same request
// days later: without this the record would come back.
import type { Database } from '#server/db/database.ts'

const keptDays = 90

/** A digest, of an SQL expression: nothing that identifies the removed record is kept. */
const digestSql = (requestId: string) => `sha256(uuid_send(${requestId}))`

/** Row by row: as a join, it would be planned for the size that the table had at another time. */
export const wasRemovedSql = (requestId: string) =>
  `(select count(*) from removed_requests where digest = ${digestSql(requestId)}) > 0`

/** Committed before the record is deleted: a request that arrives in between still finds the record. */
export async function rememberRemoval({ query }: Database, table: string, id: string): Promise<void> {
  await query(
    '',
    `insert into removed_requests (digest) select ${digestSql('"requestId"')} from ${table} where id = $1
    on conflict (digest) do nothing`,
    [id],
  )
}

export async function wasRemoved({ query }: Database, requestId: string): Promise<boolean> {
  const [row] = await query<{ removed: boolean }>('was-removed', `select ${wasRemovedSql('$1::uuid')} as removed`, [
    requestId,
  ])
  return row?.removed ?? false
}

export async function forgetOldRemovals({ query }: Database): Promise<void> {
  await query(
    'forget-removals',
    `delete from removed_requests where "removedAt" < now() - interval '${keptDays} days'`,
    [],
  )
}
