import { sql } from 'drizzle-orm'
import type { AuditChange } from '#contract/admin/audit-log.ts'
import type { Orm } from '#server/db/database.ts'

/**
 * Writes the audit log entry of the current action, in the transaction of the change, so that neither exists
 * without the other. `subject` names the object of the action.
 */
export type Audit = (tx: Orm, subject?: string, changes?: AuditChange[]) => Promise<void>

interface AuditRow {
  username: string
  action: string
  target: string
  changes?: AuditChange[]
  session?: string | undefined
  address?: string | undefined
}

/** Names only the columns that the role of the site may write; the insert of Drizzle would name all of them. */
export async function insertAuditEntry(tx: Orm, entry: AuditRow): Promise<void> {
  const { username, action, target, changes = [], session = null, address = null } = entry
  await tx.execute(sql`
    insert into admin_actions (username, action, target, changes, session, address)
    values (${username}, ${action}, ${target}, ${JSON.stringify(changes)}::jsonb, ${session}, ${address})`)
}
