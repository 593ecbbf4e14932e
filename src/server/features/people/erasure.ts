// Erases one record when the person asks for it. A database trigger removes its search terms. Its spreadsheet row is
// queued for removal. E-mails to its address are removed from the data folder.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { eraseFromImportedFiles } from '#server/adapters/tables/imported-files.ts'
import { AppError } from '#server/core/errors.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { enqueueSql } from '#server/db/outbox.ts'
import { type FormKind, peopleDescriptors } from '#server/db/people-descriptors.ts'
import { recordRemovedRequest } from '#server/db/removed-requests.ts'
import { forgetSuppressedEmails } from '#server/db/suppressed-emails.ts'
import { anonymizeQuota } from '#server/outbox/email/email-quota.ts'
import { quotaKeyOfForm } from '#server/outbox/email/template-data.ts'

interface Erasure {
  /** Resolves when the record is deleted from the database and from the e-mails that this node stores. */
  erase(tipo: PeopleKind, id: string, audit: Audit): Promise<void>
}

interface ErasureDeps {
  database: Database
  removals: RemovalJournal
  /** Removes a signature and its count. False if it does not exist. */
  removeSignature(id: string, inTransaction: (tx: Orm) => Promise<void>): Promise<boolean>
  forgetEmails(address: string): Promise<void>
  /** Called after deliveries were queued. */
  onQueued(): void
}

export function createErasure({ database, removals, removeSignature, forgetEmails, onQueued }: ErasureDeps): Erasure {
  async function removeForm(tipo: FormKind, id: string, writeAudit: (tx: Orm) => Promise<void>): Promise<boolean> {
    const { table, sheetTab, emailTemplate } = peopleDescriptors[tipo]
    const payload = `jsonb_build_object('aba', '${sheetTab}', 'id', id)`
    await removals.appendRemoved(id)
    await recordRemovedRequest(database, table, id)
    const existed = await database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ canonicalEmail: string }>(sql`
        with deleted as (delete from ${sql.identifier(table)} where id = ${id} returning id, "canonicalEmail"),
        ${sql.raw(forgetSuppressedEmails('deleted'))},
        queued as (${sql.raw(enqueueSql('planilha-remover', payload, { clauses: 'from deleted' }))})
        select "canonicalEmail" from deleted`)
      const [deleted] = rows
      if (!deleted) return false
      await anonymizeQuota(tx, deleted.canonicalEmail, quotaKeyOfForm(emailTemplate))
      await writeAudit(tx)
      return true
    })
    onQueued()
    return existed
  }

  return {
    async erase(tipo, id, audit) {
      const writeAudit = (tx: Orm) => audit(tx, `${tipo} ${id}`)
      const { table } = peopleDescriptors[tipo]
      const [person] = await database.query<{ email: string; canonicalEmail: string }>(
        '',
        `select email, "canonicalEmail" from ${table} where id = $1`,
        [id],
      )
      // Before the record is deleted: if a file cannot be removed, a retry can still read the address.
      if (person) {
        await forgetEmails(person.email)
        await eraseFromImportedFiles(database, (address) => address === person.canonicalEmail)
      }
      const existed = await (tipo === 'assinaturas'
        ? removeSignature(id, writeAudit)
        : removeForm(tipo, id, writeAudit))
      if (!existed) throw new AppError('not-found', adminMessages.people.notFound)
    },
  }
}
