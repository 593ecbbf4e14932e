// The audit log of administrator actions. Entries are written together with the action and never changed.
import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { type AuditEntry, auditEntriesPerPage } from '#contract/admin/audit-log.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { insertAuditEntry } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { adminActions } from '#server/db/schema.ts'
import type { RecordAudit } from '#server/http/mount.ts'

interface AuditFilter extends Cursors {
  pessoa?: string | undefined
  tipo?: string | undefined
  sessao?: string | undefined
  rede?: string | undefined
  /** Days in Brasília time, both inclusive. */
  de?: string | undefined
  ate?: string | undefined
}

export interface AuditLog {
  record: RecordAudit
  list(
    filter: AuditFilter,
  ): Promise<{ total: number; deeds: AuditEntry[]; antes: string | null; depois: string | null }>
  filters(): Promise<{ people: string[]; kinds: string[] }>
}

const startOf = (day: string): SQL => sql`${day}::date::timestamp at time zone 'America/Sao_Paulo'`
const endOf = (day: string): SQL => sql`(${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo'`

export function createAuditLog({ orm }: Database): AuditLog {
  return {
    async record({ administrator, action, subject, changes = [] }, tx = orm) {
      const { username, session, address } = administrator
      await insertAuditEntry(tx, { username, action, target: subject, changes, session, address })
    },

    async list({ pessoa, tipo, sessao, rede, de, ate, antes, depois }) {
      const filter = and(
        pessoa ? eq(adminActions.username, pessoa) : undefined,
        tipo ? eq(adminActions.action, tipo) : undefined,
        sessao ? eq(adminActions.session, sessao) : undefined,
        rede ? eq(adminActions.address, rede) : undefined,
        de ? sql`${adminActions.createdAt} >= ${startOf(de)}` : undefined,
        ate ? sql`${adminActions.createdAt} < ${endOf(ate)}` : undefined,
      )
      const [counted] = await orm.select({ total: count() }).from(adminActions).where(filter)
      const { id } = adminActions
      const fetched = await orm
        .select()
        .from(adminActions)
        .where(and(filter, antes ? lt(id, Number(antes)) : undefined, depois ? gt(id, Number(depois)) : undefined))
        .orderBy(depois ? asc(id) : desc(id))
        .limit(auditEntriesPerPage + 1)
      const { rows, ...cursors } = cursorPage(fetched, { size: auditEntriesPerPage, isFirst: !antes, depois }, (row) =>
        String(row.id),
      )
      const entries = rows.map(({ id, username, action, target, changes, session, address, createdAt }) => ({
        ...{ id, username, deed: action, subject: target, changes, session, network: address },
        at: createdAt.toISOString(),
      }))
      return { total: counted?.total ?? 0, deeds: entries, ...cursors }
    },

    async filters() {
      const people = await orm.selectDistinct({ name: adminActions.username }).from(adminActions).orderBy(sql`1`)
      const kinds = await orm.selectDistinct({ name: adminActions.action }).from(adminActions).orderBy(sql`1`)
      return { people: people.map(({ name }) => name), kinds: kinds.map(({ name }) => name) }
    },
  }
}
