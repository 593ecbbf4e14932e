// Updates many rows in one transaction, but in short statements: the supervisor of the embedded engine takes a statement
// of a minute for an engine that no longer answers.
import type { RunSql } from '#server/db/run-sql.ts'

const rowsAtOnce = 20_000

interface TableUpdate {
  table: string
  /** SQL. */
  set: string
  where?: string
}

/** Must run in a transaction. The cursor does not see the updated rows, so that none is updated twice. */
export async function updateInParts(query: RunSql, { table, set, where = 'true' }: TableUpdate): Promise<void> {
  await query(`declare outdated cursor for select ctid::text as place from ${table} where ${where}`, [])
  for (;;) {
    const rows = await query<{ place: string }>(`fetch ${rowsAtOnce} from outdated`, [])
    if (rows.length === 0) break
    await query(`update ${table} set ${set} where ctid = any($1::tid[])`, [rows.map(({ place }) => place)])
  }
  await query('close outdated', [])
}
