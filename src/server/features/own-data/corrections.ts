// What people change in their own data: corrections, the withdrawal of a signature, and the erasure of everything.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { ownDataMessages, type RecordKind } from '#contract/own-data.ts'
import { mailboxOf } from '#server/core/canonical-email.ts'
import { AppError } from '#server/core/errors.ts'
import { insertAuditEntry } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { findRecords } from '#server/db/own-data.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import type { OwnDataLinks } from '#server/features/own-data/own-data-link.ts'
import { queueSheetCorrection } from '#server/outbox/sheet/sheet-updates.ts'

const { auditLog } = adminMessages

export interface CorrectionDeps {
  database: Database
  links: OwnDataLinks
  removeSignature(id: string, inTransaction: (tx: Orm) => Promise<void>): Promise<boolean>
  /** Replaces the search terms of the record. */
  reindex(tx: Orm, kind: RecordKind, id: string): Promise<void>
  /** Provided by the people feature. */
  erasePerson(email: string, by: { audit(tx: Orm): Promise<void>; isOwner: true }): Promise<unknown>
  /** Called after deliveries were queued. */
  onQueued(): void
}

interface Correction {
  tipo: RecordKind
  id: string
  values: Record<string, string | null>
}

export function createCorrections(deps: CorrectionDeps) {
  const { database, links, removeSignature, reindex, erasePerson, onQueued } = deps
  const { orm, query, transaction } = database

  /** The record must belong to the address of the link. */
  async function owns(token: string, tipo: RecordKind, id: string): Promise<boolean> {
    const { email } = await links.open(token)
    const { table } = peopleDescriptors[tipo]
    return (await findRecords(orm, email)).some((record) => record.table === table && record.id === id)
  }

  return {
    async correct(token: string, { tipo, id, values }: Correction): Promise<void> {
      if (!(await owns(token, tipo, id))) throw new AppError('not-found', ownDataMessages.recordNotFound)
      const { table } = peopleDescriptors[tipo]
      await transaction(async (tx) => {
        const names = Object.keys(values)
        const { rows } = await tx.execute<Record<string, string | null>>(
          sql`select ${sql.join(
            names.map((name) => sql.identifier(name)),
            sql`, `,
          )} from ${sql.identifier(table)} where id = ${id} for update`,
        )
        const [before] = rows
        if (!before) throw new AppError('not-found', ownDataMessages.recordNotFound)
        const changed = names.filter((name) => before[name] !== values[name])
        if (changed.length === 0) return
        const assignments = changed.map((name) => sql`${sql.identifier(name)} = ${values[name]}`)
        await tx.execute(sql`update ${sql.identifier(table)} set ${sql.join(assignments, sql`, `)} where id = ${id}`)
        if (tipo === 'assinaturas' && changed.includes('estado') && before.estado)
          await countStateChange(tx, id, before.estado)
        await reindex(tx, tipo, id)
        await queueSheetCorrection(tx, { table, id })
        // The names of the fields, not their values: the entry stays after the person is erased.
        const changes = changed.map((field) => ({ field }))
        await auditOwnAction(tx, { action: auditLog.ownDataCorrected, target: `${tipo} ${id}`, changes })
      })
      onQueued()
    },

    /** A signature that was withdrawn before gets the same answer. */
    async withdraw(token: string, id: string): Promise<void> {
      if (await owns(token, 'assinaturas', id)) {
        await removeSignature(id, (tx) =>
          auditOwnAction(tx, { action: auditLog.ownSignatureWithdrawn, target: `assinaturas ${id}` }),
        )
        return
      }
      const others = await query('signature-exists', 'select 1 from peticoes where id = $1', [id])
      if (others.length > 0) throw new AppError('not-found', ownDataMessages.recordNotFound)
    },

    /** The link stops working: the erasure deletes it. */
    async eraseAll(token: string): Promise<void> {
      const { email, canonicalEmail } = await links.open(token)
      // The erasure covers the mailbox with all its tags, and the link proves only this address.
      if (mailboxOf(canonicalEmail) !== canonicalEmail) throw new AppError('invalid', ownDataMessages.eraseNeedsMailbox)
      await erasePerson(email, {
        isOwner: true,
        audit: (tx) => auditOwnAction(tx, { action: auditLog.ownDataErased, target: '' }),
      })
    },
  }
}

/** Moves the signature from one state to another. Its hour and the total stay. */
async function countStateChange(tx: Pick<Orm, 'execute'>, id: string, before: string): Promise<void> {
  await tx.execute(sql`
    insert into signature_count_changes (campanha, estado, hora, n)
    select campanha, change.estado, date_trunc('hour', "createdAt"), change.n
    from peticoes cross join lateral (values (${before}::text, -1), (peticoes.estado::text, 1)) as change(estado, n)
    where id = ${id}`)
}

interface OwnAction {
  action: string
  target: string
  changes?: { field: string }[]
}

/** Without session and network: the log must not tell who the person is. */
export const auditOwnAction = (tx: Orm, action: OwnAction) =>
  insertAuditEntry(tx, { username: auditLog.ownPerson, ...action })
