// Takes a signature back: the row, its count and, later, its row of the spreadsheet, together or not at all.
import { sql } from 'drizzle-orm'
import type { Database, Orm } from '#server/db/database.ts'
import { rememberRemoval } from '#server/db/removed-requests.ts'
import { removeWantedSignatures } from '#server/db/signature-removal.ts'
import { forgetSubject } from '#server/outbox/emails/permission.ts'

interface Gone extends Record<string, unknown> {
  campanha: string
  emailCanonico: string
}

/** False: there is no such signature, or not any more. */
export async function removeSignature(
  database: Database,
  id: string,
  { onQueued, inTransaction }: { onQueued(): void; inTransaction?: ((tx: Orm) => Promise<void>) | undefined },
): Promise<boolean> {
  await rememberRemoval(database, 'peticoes', id)
  const removed = await database.transaction(async (tx) => {
    const { rows } = await tx.execute<Gone>(sql`
      with wanted as (select ${id}::uuid as id), ${sql.raw(removeWantedSignatures)}
      select campanha, "emailCanonico" from gone`)
    const [gone] = rows
    if (!gone) return false
    await forgetSubject(tx, gone.emailCanonico, gone.campanha)
    await inTransaction?.(tx)
    return true
  })
  if (removed) onQueued()
  return removed
}
