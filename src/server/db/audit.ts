// How an action gets its entry in the audit log: in the transaction that makes the change, so that neither exists without the other.
import type { AuditChange } from '#contract/admin/deeds.ts'
import type { Orm } from '#server/db/database.ts'

/** Writes the entry of the action that is under way. `subject` says what it was done to. */
export type Audit = (tx: Orm, subject?: string, changes?: AuditChange[]) => Promise<void>
