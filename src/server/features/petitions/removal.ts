// Removes a signature on request of the person or by an erasure.
import { sql } from 'drizzle-orm'
import { eraseFromImportedFiles } from '#server/adapters/tables/imported-files.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { recordRemovedRequest } from '#server/db/removed-requests.ts'
import { removeWantedSignatures } from '#server/db/signature-removal.ts'
import type { Deps } from '#server/deps.ts'
import { anonymizeQuota } from '#server/outbox/email/email-quota.ts'

type InTransaction = (tx: Orm) => Promise<void>

interface RemovedSignature extends Record<string, unknown> {
  campanha: string
  canonicalEmail: string
}

/**
 * Deletes a signature, lowers its count and queues the removal of its spreadsheet row, all in one transaction.
 * Returns false if the signature does not exist.
 */
export async function removeSignature(database: Database, id: string, inTransaction?: InTransaction): Promise<boolean> {
  await recordRemovedRequest(database, 'peticoes', id)
  return database.transaction(async (tx) => {
    const { rows } = await tx.execute<RemovedSignature>(sql`
      with wanted as (select ${id}::uuid as id), ${sql.raw(removeWantedSignatures)}
      select campanha, "canonicalEmail" from gone`)
    const [signature] = rows
    if (!signature) return false
    await anonymizeQuota(tx, signature.canonicalEmail, signature.campanha)
    await inTransaction?.(tx)
    return true
  })
}

export type RemoveSignature = (id: string, inTransaction?: InTransaction) => Promise<boolean>

/**
 * First the person is erased from the files of imports, which could store the signature again. The removal is written into the journal before it is done, so that a restore of an older backup repeats it.
 */
export function createSignatureRemoval({ database, removals, deliveries }: Deps): RemoveSignature {
  return async (id, inTransaction) => {
    const [signature] = await database.query<{ canonicalEmail: string }>(
      '',
      'select "canonicalEmail" from peticoes where id = $1',
      [id],
    )
    if (signature) await eraseFromImportedFiles(database, (address) => address === signature.canonicalEmail)
    await removals.appendRemoved(id)
    const removed = await removeSignature(database, id, inTransaction)
    if (removed) deliveries.wake()
    return removed
  }
}
