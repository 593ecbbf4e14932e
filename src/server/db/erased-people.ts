// The erasure list in the database. The journal of every node has a copy.
import { sql } from 'drizzle-orm'
import type { ErasedPerson } from '#server/core/removal-journal.ts'
import type { Orm } from '#server/db/database.ts'
import type { RunSql } from '#server/db/run-sql.ts'

export async function insertErasedPerson(tx: Pick<Orm, 'execute'>, person: ErasedPerson) {
  const { mailboxHmac, erasedAt, byOwner } = person
  await tx.execute(sql`
    insert into erased_people ("mailboxHmac", "erasedAt", "byOwner")
    select ${mailboxHmac}::bytea, ${erasedAt.toISOString()}::timestamptz, ${byOwner}
    where not exists (select from erased_people
      where "mailboxHmac" = ${mailboxHmac}::bytea and "erasedAt" = ${erasedAt.toISOString()}::timestamptz)`)
}

/** People who were erased after a time, the first ones first. */
export const readErasedSince = (query: RunSql, since: Date): Promise<ErasedPerson[]> =>
  query('select "mailboxHmac", "erasedAt", "byOwner" from erased_people where "erasedAt" > $1 order by "erasedAt"', [
    since.toISOString(),
  ])
