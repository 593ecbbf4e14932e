// Lists of people for administrators. Reserved data is returned only on request; elsewhere the CPF is masked.
import { adminMessages } from '#contract/admin/messages.ts'
import {
  filtersOf,
  type OriginImport,
  type OtherRecord,
  type PeopleFilters,
  type PeopleKind,
  type Person,
  peopleKinds,
  peoplePerPage,
} from '#contract/admin/people.ts'
import { withoutOwner } from '#contract/admin/people-workflow.ts'
import { maskCpf } from '#contract/cpf.ts'
import { type EncryptionKeys, encryptionOf } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { readMailboxState } from '#server/db/mailbox-state.ts'
import {
  decryptCpf,
  decryptReserved,
  type ReadableReservedData,
  type StoredReservedData,
} from '#server/db/reserved-data.ts'
import { type FullRow, kinds, type ListedRow } from '#server/features/people/kinds.ts'
import { createPeopleCount, type Total } from '#server/features/people/people-count.ts'
import { buildMailboxQuery, buildQuery } from '#server/features/people/people-query.ts'
import { createPeopleSearch, type PageCursor } from '#server/features/people/people-search.ts'
import { createPeopleStream } from '#server/features/people/people-stream.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'
import { countFromTotals } from '#server/features/people/signature-total.ts'
import type { WorkflowService } from '#server/features/people/workflow.ts'

interface PeopleDeps {
  database: Database
  index: SearchIndex
  workflow: WorkflowService
  config: EncryptionKeys
}

export type People = ReturnType<typeof createPeople>

export function createPeople({ database, index, workflow, config }: PeopleDeps) {
  const search = createPeopleSearch(database, index)
  const countPeople = createPeopleCount(database, index)
  const streamPeople = createPeopleStream(database, index)
  const encryption = encryptionOf(config)

  const reservedOf = (row: StoredReservedData) => decryptReserved(encryption, row)

  /** Nobody has the id 0. */
  async function idOfOwner(username: string): Promise<string> {
    const [owner] = await database.query<{ id: string }>(
      'owner-id',
      'select id::text from admin_users where username = $1',
      [username],
    )
    return owner?.id ?? '0'
  }

  /** Drops filters that this kind does not support, because they would match no record. */
  async function queryOf(tipo: PeopleKind, filters: PeopleFilters) {
    const { responsavel } = filters
    const ownerId = responsavel && responsavel !== withoutOwner ? await idOfOwner(responsavel) : undefined
    return buildQuery(kinds[tipo], Object.fromEntries(filtersOf[tipo].map((name) => [name, filters[name]])), ownerId)
  }

  function toPerson<Row extends ListedRow>(row: Row) {
    const { encryptedCpf, createdAt, confirmadoEm, ...rest } = row
    return {
      ...rest,
      createdAt: createdAt.toISOString(),
      confirmadoEm: confirmadoEm?.toISOString(),
      ...(encryptedCpf && { cpf: maskCpf(decryptCpf(encryption, row)) }),
    }
  }

  async function find(tipo: PeopleKind, id: string): Promise<FullRow> {
    const { allColumns, table } = kinds[tipo]
    const [row] = await database.query<FullRow & object>('', `select ${allColumns} from ${table} p where id = $1`, [id])
    if (!row) throw new AppError('not-found', adminMessages.people.notFound)
    return row
  }

  async function importOf(importId: string | null): Promise<OriginImport | null> {
    if (!importId) return null
    const [row] = await database.query<Omit<OriginImport, 'id' | 'quando'> & { quando: Date }>(
      '',
      `select "fileName" as arquivo, origem, "legalBasis" as "baseLegal", "createdAt" as quando from imports where id = $1`,
      [importId],
    )
    return row ? { ...row, id: Number(importId), quando: row.quando.toISOString() } : null
  }

  /** Null while the search index is being built; the record itself can still be read. */
  async function othersOf(canonicalEmail: string): Promise<OtherRecord[] | null> {
    const ofKind = async (tipo: PeopleKind) => {
      const rows = await search.page(buildMailboxQuery(kinds[tipo], canonicalEmail), { side: 'before' }, peoplePerPage)
      const others = await workflow.addTo(tipo, rows)
      return others.map(({ id, campanha, status, createdAt }) => ({
        ...{ tipo, id, campanha, status },
        createdAt: createdAt.toISOString(),
      }))
    }
    try {
      return (await Promise.all(peopleKinds.map(ofKind))).flat()
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  return {
    async page(
      tipo: PeopleKind,
      filters: PeopleFilters,
      cursor: PageCursor,
    ): Promise<{ pessoas: Person[]; hasMore: boolean }> {
      index.catchUp()
      const rows = await search.page(await queryOf(tipo, filters), cursor, peoplePerPage + 1)
      const pessoas = (await workflow.addTo(tipo, rows.slice(0, peoplePerPage))).map(toPerson)
      return { pessoas: cursor.side === 'after' ? pessoas.reverse() : pessoas, hasMore: rows.length > peoplePerPage }
    },

    async count(tipo: PeopleKind, filters: PeopleFilters): Promise<Total> {
      const fromCounts = tipo === 'assinaturas' ? await countFromTotals(database, filters) : undefined
      if (fromCounts !== undefined) return { total: fromCounts, exato: true }
      return countPeople(await queryOf(tipo, filters))
    },

    async details(tipo: PeopleKind, id: string) {
      const { canonicalEmail, encryptedReserved, nascimento, endereco, cep, importId, ...row } = await find(tipo, id)
      const [records, [withWorkflow], notas, importacao] = await Promise.all([
        othersOf(canonicalEmail),
        workflow.addTo(tipo, [row]),
        workflow.notesOf(tipo, id),
        importOf(importId),
      ])
      if (!withWorkflow) throw new AppError('not-found', adminMessages.people.notFound)
      const outros = records?.filter((other) => other.id !== id) ?? null
      const ids = [id, ...(outros?.map((other) => other.id) ?? [])]
      const emails = await readMailboxState(database, canonicalEmail, ids)
      return { pessoa: toPerson(withWorkflow), outros, notas, emails, importacao }
    },

    emailOf: async (tipo: PeopleKind, id: string): Promise<string> => (await find(tipo, id)).canonicalEmail,

    reveal: async (id: string): Promise<ReadableReservedData> => reservedOf(await find('lideres', id)),
    reservedOf,
    /** All campaigns, sorted by title. */
    campaigns: (): Promise<{ slug: string; titulo: string }[]> =>
      database.query('', 'select slug, titulo from campaigns order by titulo', []),
    async *stream(tipo: PeopleKind, filters: PeopleFilters): AsyncGenerator<FullRow[]> {
      yield* streamPeople(await queryOf(tipo, filters))
    },
  }
}
