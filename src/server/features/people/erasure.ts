// Erases one record of a person, as the person may ask. Its words leave the search with it, by a trigger of its table, its line of the
// spreadsheet is queued for removal, and what was mailed to its address leaves the data folder.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { AppError } from '#server/core/errors.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { rememberRemoval } from '#server/db/removed-requests.ts'
import { kinds } from '#server/features/people/kinds.ts'
import { forgetSubject } from '#server/outbox/emails/permission.ts'
import { subjectOfForm } from '#server/outbox/emails/records.ts'

export interface Erasure {
  /** Once it resolves the record is nowhere in the database, nor in the mails that this node keeps. */
  erase(tipo: PeopleKind, id: string, audit: Audit): Promise<void>
}

export interface ErasureDeps {
  database: Database
  removals: RemovalJournal
  /** Takes a signature back, with its place in the ledger; false if there is none. */
  removeSignature(id: string, inTransaction: (tx: Orm) => Promise<void>): Promise<boolean>
  forgetEmails(address: string): Promise<void>
  /** Something waits to be delivered. */
  onQueued(): void
}

const forms = {
  voluntarios: { tab: 'Voluntarios', model: 'voluntario' },
  influenciadores: { tab: 'Influenciadores', model: 'influenciador' },
  lideres: { tab: 'Lideres', model: 'lider' },
} as const

export function createErasure({ database, removals, removeSignature, forgetEmails, onQueued }: ErasureDeps): Erasure {
  async function removeForm(
    tipo: keyof typeof forms,
    id: string,
    audited: (tx: Orm) => Promise<void>,
  ): Promise<boolean> {
    const { tab, model } = forms[tipo]
    const { table } = kinds[tipo]
    await removals.append('removed', id)
    await rememberRemoval(database, table, id)
    const wasThere = await database.transaction(async (tx) => {
      const { rows } = await tx.execute<{ emailCanonico: string }>(sql`
        with gone as (delete from ${sql.identifier(table)} where id = ${id} returning id, "emailCanonico"),
        queued as (
          insert into outbox (tipo, dados)
          select 'planilha-remover', jsonb_build_object('aba', ${tab}::text, 'id', id) from gone)
        select "emailCanonico" from gone`)
      const [gone] = rows
      if (!gone) return false
      await forgetSubject(tx, gone.emailCanonico, subjectOfForm(model))
      await audited(tx)
      return true
    })
    onQueued()
    return wasThere
  }

  return {
    async erase(tipo, id, audit) {
      const audited = (tx: Orm) => audit(tx, `${tipo} ${id}`)
      const { table } = kinds[tipo]
      const [person] = await database.query<{ email: string }>('', `select email from ${table} where id = $1`, [id])
      // Before the record goes: if a file cannot be removed, the address is still known when it is tried again.
      if (person) await forgetEmails(person.email)
      const wasThere = await (tipo === 'assinaturas' ? removeSignature(id, audited) : removeForm(tipo, id, audited))
      if (!wasThere) throw new AppError('not-found', adminMessages.people.notFound)
    },
  }
}
