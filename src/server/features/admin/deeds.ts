// The record of what administrators did: written with every deed, never changed.
import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { type Deed, deedsPerPage } from '#contract/admin/deeds.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import type { Database } from '#server/db/database.ts'
import { adminActions } from '#server/db/schema.ts'
import type { RecordDeed } from '#server/http/mount.ts'

export interface DeedFilter extends Cursors {
  pessoa?: string | undefined
  tipo?: string | undefined
  /** Days in Brasília's time, both included. */
  de?: string | undefined
  ate?: string | undefined
}

export interface Deeds {
  record: RecordDeed
  list(filter: DeedFilter): Promise<{ total: number; deeds: Deed[]; antes: string | null; depois: string | null }>
  filters(): Promise<{ people: string[]; kinds: string[] }>
}

const startOf = (day: string): SQL => sql`${day}::date::timestamp at time zone 'America/Sao_Paulo'`
const endOf = (day: string): SQL => sql`(${day}::date + 1)::timestamp at time zone 'America/Sao_Paulo'`

export function createDeeds({ orm }: Database): Deeds {
  return {
    async record({ administrator, deed, subject, changes = [] }, tx = orm) {
      const { username } = administrator
      await tx.insert(adminActions).values({ username, acao: deed, alvo: subject, changes })
    },

    async list({ pessoa, tipo, de, ate, antes, depois }) {
      const wanted = and(
        pessoa ? eq(adminActions.username, pessoa) : undefined,
        tipo ? eq(adminActions.acao, tipo) : undefined,
        de ? sql`${adminActions.createdAt} >= ${startOf(de)}` : undefined,
        ate ? sql`${adminActions.createdAt} < ${endOf(ate)}` : undefined,
      )
      const [counted] = await orm.select({ total: count() }).from(adminActions).where(wanted)
      const { id } = adminActions
      const read = await orm
        .select()
        .from(adminActions)
        .where(and(wanted, antes ? lt(id, Number(antes)) : undefined, depois ? gt(id, Number(depois)) : undefined))
        .orderBy(depois ? asc(id) : desc(id))
        .limit(deedsPerPage + 1)
      const { rows, ...place } = cursorPage(read, { size: deedsPerPage, isFirst: !antes, depois }, (row) =>
        String(row.id),
      )
      const deeds = rows.map(({ id, username, acao, alvo, changes, createdAt }) => ({
        ...{ id, username, deed: acao, subject: alvo, changes, at: createdAt.toISOString() },
      }))
      return { total: counted?.total ?? 0, deeds, ...place }
    },

    async filters() {
      const people = await orm.selectDistinct({ name: adminActions.username }).from(adminActions).orderBy(sql`1`)
      const kinds = await orm.selectDistinct({ name: adminActions.acao }).from(adminActions).orderBy(sql`1`)
      return { people: people.map(({ name }) => name), kinds: kinds.map(({ name }) => name) }
    },
  }
}
