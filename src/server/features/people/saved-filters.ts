// Filters that the team has saved. Searched text is not saved: it can be the name of a person who is erased later.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { filtersOf, type PeopleFilters, type PeopleKind } from '#contract/admin/people.ts'
import { maxSavedFilters, type SavedFilter } from '#contract/admin/saved-filters.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import { codeOf, type Database } from '#server/db/database.ts'

const { savedFilters: texts } = adminMessages
const uniqueViolation = '23505'

/** A name that is already taken is a conflict. */
async function withUniqueName<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) !== uniqueViolation) throw error
    throw new AppError('conflict', texts.taken, { errors: { nome: texts.taken } })
  }
}

export function createSavedFilters(database: Database) {
  return {
    async list(tipo: PeopleKind): Promise<SavedFilter[]> {
      const rows = await database.query<Omit<SavedFilter, 'id'> & { id: string }>(
        '',
        'select id, name as nome, filters as filtros, author as autor from saved_filters where kind = $1 order by lower(name), id',
        [tipo],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) }))
    },

    async save(
      tipo: PeopleKind,
      { nome, filtros, author }: { nome: string; filtros: PeopleFilters; author: string },
      audit: Audit,
    ): Promise<void> {
      const chosen = Object.fromEntries(
        filtersOf[tipo].flatMap((name) => (name !== 'busca' && filtros[name] ? [[name, filtros[name]]] : [])),
      )
      if (Object.keys(chosen).length === 0) throw new AppError('invalid', texts.empty)
      const saving = database.transaction(async (tx) => {
        const { rows } = await tx.execute(sql`
          insert into saved_filters (kind, name, filters, author)
          select ${tipo}, ${nome}, ${JSON.stringify(chosen)}::jsonb, ${author}
          where (select count(*) from saved_filters where kind = ${tipo}) < ${maxSavedFilters} returning id`)
        if (rows.length === 0) throw new AppError('invalid', texts.tooMany)
        await audit(tx, `${tipo}, ${nome}`)
      })
      await withUniqueName(saving)
    },

    async rename(tipo: PeopleKind, id: string, nome: string, audit: Audit): Promise<void> {
      const renaming = database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ before: string }>(sql`
          update saved_filters f set name = ${nome} from saved_filters old
          where f.kind = ${tipo} and f.id = ${id} and old.id = f.id returning old.name as before`)
        if (!rows[0]) throw new AppError('not-found', texts.gone)
        await audit(tx, tipo, [{ field: 'nome', before: rows[0].before, after: nome }])
      })
      await withUniqueName(renaming)
    },

    async remove(tipo: PeopleKind, id: string, audit: Audit): Promise<void> {
      await database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ name: string }>(
          sql`delete from saved_filters where kind = ${tipo} and id = ${id} returning name`,
        )
        if (!rows[0]) throw new AppError('not-found', texts.gone)
        await audit(tx, `${tipo}, ${rows[0].name}`)
      })
    },
  }
}
