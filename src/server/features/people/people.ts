// Lists of people for administrators: pages, totals, one record. What is reserved leaves encrypted columns on request alone.

import { adminMessages } from '#contract/admin/messages.ts'
import {
  filtersOf,
  type OtherRecord,
  type PeopleFilters,
  type PeopleKind,
  type Person,
  type PersonDetails,
  peopleKinds,
  peoplePerPage,
} from '#contract/admin/people.ts'
import { digitsOf } from '#contract/cpf.ts'
import type { Config } from '#server/core/config.ts'
import { createEncryption } from '#server/core/encryption.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { ask, askForMailbox } from '#server/features/people/asked.ts'
import { createReader } from '#server/features/people/everybody.ts'
import { createFinder, type Place } from '#server/features/people/finder.ts'
import { kinds, type ListedRow, type WholeRow } from '#server/features/people/kinds.ts'
import { countInLedger } from '#server/features/people/ledger-total.ts'
import type { SearchIndex } from '#server/features/people/search-index.ts'

/** Beyond it, how many more hardly matters and takes long to count. */
export const countedAtMost = 10_000

export interface Total {
  total: number
  exato: boolean
}

export interface Reserved {
  /** Unreadable without the key that it was written with. */
  cpf: string | null
  nascimento: string
  endereco: string
  cep: string
}

export interface People {
  page(tipo: PeopleKind, filters: PeopleFilters, place: Place): Promise<{ pessoas: Person[]; hasMore: boolean }>
  count(tipo: PeopleKind, filters: PeopleFilters): Promise<Total>
  details(tipo: PeopleKind, id: string): Promise<{ pessoa: PersonDetails; outros: OtherRecord[] | null }>
  reveal(id: string): Promise<Reserved>
  /** What is reserved of a leader's row. */
  reservedOf(row: WholeRow): Reserved
  /** Every campaign there is, by its title. */
  campaigns(): Promise<{ slug: string; titulo: string }[]>
  everybody(tipo: PeopleKind, filters: PeopleFilters): AsyncGenerator<WholeRow[]>
}

export interface PeopleDeps {
  database: Database
  index: SearchIndex
  config: Pick<Config, 'dataKey'>
}

export function createPeople({ database, index, config: { dataKey } }: PeopleDeps): People {
  const finder = createFinder(database, index)
  const everybody = createReader(database, index)
  const encryption = dataKey ? createEncryption(dataKey) : undefined

  function cpfOf({ cpfCifrado, id }: ListedRow): string | null {
    if (!cpfCifrado) return null
    try {
      return encryption?.decrypt(cpfCifrado, id) ?? null
    } catch {
      // Written with another key: the rest of the record is still good.
      return null
    }
  }

  function shown<Row extends ListedRow>(row: Row) {
    const { cpfCifrado, createdAt, confirmadoEm, ...rest } = row
    return {
      ...rest,
      createdAt: createdAt.toISOString(),
      confirmadoEm: confirmadoEm?.toISOString(),
      ...(cpfCifrado && { cpf: masked(cpfOf(row)) }),
    }
  }

  async function find(tipo: PeopleKind, id: string): Promise<WholeRow> {
    const { whole, table } = kinds[tipo]
    const [row] = await database.query<WholeRow & object>('', `select ${whole} from ${table} p where id = $1`, [id])
    if (!row) throw new AppError('not-found', adminMessages.people.notFound)
    return row
  }

  /** Unknown while the search is being prepared: the record itself can be read all the same. */
  async function othersOf(emailCanonico: string): Promise<OtherRecord[] | null> {
    const ofKind = async (tipo: PeopleKind) => {
      const rows = await finder.page(askForMailbox(kinds[tipo], emailCanonico), { side: 'before' }, peoplePerPage)
      return rows.map(({ id, campanha, createdAt }) => ({ tipo, id, campanha, createdAt: createdAt.toISOString() }))
    }
    try {
      return (await Promise.all(peopleKinds.map(ofKind))).flat()
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  function reservedOf(row: WholeRow): Reserved {
    const { nascimento = '', endereco = '', cep = '' } = row
    return { cpf: cpfOf(row), nascimento, endereco, cep }
  }

  return {
    async page(tipo, filters, place) {
      index.nudge()
      const rows = await finder.page(meant(tipo, filters), place, peoplePerPage + 1)
      const pessoas = rows.slice(0, peoplePerPage).map(shown)
      return { pessoas: place.side === 'after' ? pessoas.reverse() : pessoas, hasMore: rows.length > peoplePerPage }
    },

    async count(tipo, filters) {
      const inLedger = tipo === 'assinaturas' ? await countInLedger(database, filters) : undefined
      if (inLedger !== undefined) return { total: inLedger, exato: true }
      const counted = await finder.count(meant(tipo, filters), countedAtMost + 1)
      return { total: Math.min(counted, countedAtMost), exato: counted <= countedAtMost }
    },

    async details(tipo, id) {
      const { emailCanonico, nascimento, endereco, cep, ...row } = await find(tipo, id)
      const outros = await othersOf(emailCanonico)
      return { pessoa: shown(row), outros: outros?.filter((other) => other.id !== id) ?? null }
    },

    reveal: async (id) => reservedOf(await find('lideres', id)),
    reservedOf,
    campaigns: () => database.query('', 'select slug, titulo from campaigns order by titulo', []),
    everybody: (tipo, filters) => everybody(meant(tipo, filters)),
  }
}

/** A filter that a kind of people does not know would find nobody. */
function meant(tipo: PeopleKind, filters: PeopleFilters) {
  return ask(kinds[tipo], Object.fromEntries(filtersOf[tipo].map((name) => [name, filters[name]])))
}

/** •••.456.789-•• */
function masked(cpf: string | null): string {
  const [, middle] = /^\d{3}(\d{6})\d{2}$/.exec(digitsOf(cpf ?? '')) ?? []
  return middle ? `•••.${middle.slice(0, 3)}.${middle.slice(3)}-••` : '•••.•••.•••-••'
}
