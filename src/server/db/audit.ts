import type { AuditChange } from '#contract/admin/audit-log.ts'
import type { Orm } from '#server/db/database.ts'

/**
 * Writes the audit log entry of the current action, in the transaction of the change, so that neither exists
 * without the other. `subject` names the object of the action.
 */
export type Audit = (tx: Orm, subject?: string, changes?: AuditChange[]) => Promise<void>
