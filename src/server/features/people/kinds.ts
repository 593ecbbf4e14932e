// What lists and searches read of each kind of people, derived from its descriptor.
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import {
  idColumn,
  type PersonColumn,
  type PersonRow,
  peopleDescriptors,
  timeColumn,
} from '#server/db/people-descriptors.ts'
import { searchVector } from '#server/features/people/search-terms.ts'

export interface Kind {
  name: PeopleKind
  table: string
  /** SQL for the search terms of the record `p`. */
  searchVector: string
  /** Columns of the record `p` in lists. */
  listColumns: string
  /** Columns in exports and on the page of the record. */
  allColumns: string
  isConfirmable: boolean
}

export interface FullRow extends PersonRow {
  canonicalEmail: string
  versaoConsentimento: string
  /** A bigint, which arrives as text. */
  importId: string | null
}

const listedKeys = [
  ...(['id', 'nome', 'email', 'whatsapp', 'cidade', 'estado', 'campanha'] as const),
  ...(['tarefas', 'confirmadoEm', 'novidades', 'encryptedCpf', 'createdAt'] as const),
]
/** A record as lists show it. */
export type ListedRow = Pick<PersonRow, (typeof listedKeys)[number]>

function kindOf(name: PeopleKind): Kind {
  const { table } = peopleDescriptors[name]
  const columns: PersonColumn[] = [idColumn, timeColumn, ...peopleDescriptors[name].columns]
  // Several columns may show the same value.
  const sqlByKey = new Map(columns.map(({ key, sql }) => [key, sql]))
  const select = (keys: Iterable<keyof PersonRow>) =>
    [...keys].flatMap((key) => (sqlByKey.has(key) ? [`${sqlByKey.get(key)} as "${key}"`] : [])).join()
  const encrypted = columns.some(({ isReserved }) => isReserved) ? ', p."encryptedReserved"' : ''
  return {
    name,
    table,
    searchVector: searchVector(peopleDescriptors[name].searchLetter, sqlByKey),
    listColumns: select(listedKeys),
    allColumns: `${select(sqlByKey.keys())}, p."canonicalEmail", p."versaoConsentimento", p."importId"${encrypted}`,
    isConfirmable: sqlByKey.has('confirmadoEm'),
  }
}

export const kinds = Object.fromEntries(peopleKinds.map((name) => [name, kindOf(name)])) as Record<PeopleKind, Kind>
