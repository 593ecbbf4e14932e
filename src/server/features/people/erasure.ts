// Erases one record of a person, as the person may ask: the row, its place in the ledger and in the search, and its line in the spreadsheet.

import { adminMessages } from '#contract/admin/messages.ts'
import type { PeopleKind } from '#contract/admin/people.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { kinds } from '#server/features/people/kinds.ts'

// The words of the record go with it by a trigger of its table.
const eraseSignature = `
with gone as (delete from peticoes where id = $1 returning id, campanha, estado, "createdAt"),
ledger as (
  update peticoes_por_hora l set n = l.n - 1 from gone
  where l.campanha = gone.campanha and l.estado = gone.estado and l.hora = date_trunc('hour', gone."createdAt"))
select id from gone`

export interface Erasure {
  /** Once it resolves the record is nowhere in the database. */
  erase(tipo: PeopleKind, id: string): Promise<void>
}

export function createErasure(database: Database): Erasure {
  return {
    async erase(tipo, id) {
      const { table } = kinds[tipo]
      const statement = tipo === 'assinaturas' ? eraseSignature : `delete from ${table} where id = $1 returning id`
      const gone = await database.query('', statement, [id])
      if (gone.length === 0) throw new AppError('not-found', adminMessages.people.notFound)
    },
  }
}
