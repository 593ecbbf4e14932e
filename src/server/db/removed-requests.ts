// Requests whose record was removed because its person asked for it. A phone that never received the answer may send the same request
// days later: without this the record would come back.
import type { Database } from '#server/db/database.ts'

/** Only a digest is kept, which nobody can guess without the id. A form with a corrected address keeps its id, and is another record. */
const digestSql = (requestId: string, emailCanonico: string) =>
  `sha256(uuid_send(${requestId}) || convert_to(${emailCanonico}, 'UTF8'))`

/** Of SQL expressions. Row by row: as a join, it would be planned for the size that the table had at another time. */
export const wasRemovedSql = (requestId: string, emailCanonico: string) =>
  `(select count(*) from removed_requests where digest = ${digestSql(requestId, emailCanonico)}) > 0`

/** Committed before the record is deleted: a request that arrives in between still finds the record. */
export async function rememberRemoval({ query }: Database, table: string, id: string): Promise<void> {
  await query(
    '',
    `insert into removed_requests (digest) select ${digestSql('"requestId"', '"emailCanonico"')} from ${table} where id = $1
    on conflict (digest) do nothing`,
    [id],
  )
}

export interface SentRecord {
  requestId: string
  emailCanonico: string
}

export async function wasRemoved({ query }: Database, { requestId, emailCanonico }: SentRecord): Promise<boolean> {
  const text = `select ${wasRemovedSql('$1::uuid', '$2::text')} as removed`
  const [row] = await query<{ removed: boolean }>('was-removed', text, [requestId, emailCanonico])
  return row?.removed ?? false
}
