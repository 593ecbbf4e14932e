// The kinds of people and their tables: one row shape for all lists, whatever the columns of a table are called.
import type { NewsConsent, PeopleKind } from '#contract/admin/people.ts'
import { newsConsentSql } from '#server/db/news-consent.ts'
import { type SearchColumns, searchVector } from '#server/features/people/search-terms.ts'

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

/** A record as lists show it. */
export interface ListedRow {
  id: string
  nome: string
  email: string
  whatsapp: string
  cidade?: string
  estado?: string
  campanha?: string
  confirmadoEm?: Date | null
  tarefas?: string[]
  novidades: NewsConsent
  encryptedCpf?: Buffer
  createdAt: Date
}

/** A record with all readable fields. */
export interface FullRow extends ListedRow {
  canonicalEmail: string
  versaoConsentimento: string
  redesSociais?: string | null
  genero?: string
  profissao?: string
  experiencia?: string | null
  motivacao?: string
  cpfConfere?: boolean
  nascimento?: string
  endereco?: string
  cep?: string
}

interface KindColumns extends SearchColumns {
  table: string
  extraColumns?: string[]
  isConfirmable?: boolean
}

function kindOf(name: PeopleKind, { table, extraColumns = [], isConfirmable = false, ...columns }: KindColumns): Kind {
  const aliased = Object.entries(columns).map(([alias, column]) => `${column} as "${alias}"`)
  const cpf = name === 'lideres' ? ['p."encryptedCpf"'] : []
  const confirmed = isConfirmable ? ['p."confirmadoEm"'] : []
  const consent = `${newsConsentSql('p')} as novidades`
  const listed = ['p.id', 'p.email', 'p.whatsapp', 'p."createdAt"', ...aliased, ...cpf, ...confirmed, consent]
  const all = [...listed, 'p."canonicalEmail"', 'p."versaoConsentimento"', ...extraColumns]
  return {
    name,
    table,
    searchVector: searchVector(name, columns),
    listColumns: listed.join(),
    allColumns: all.join(),
    isConfirmable,
  }
}

const location = { cidade: 'p.cidade', estado: 'p.estado' }

export const kinds: Record<PeopleKind, Kind> = {
  assinaturas: kindOf('assinaturas', {
    table: 'peticoes',
    nome: 'p.nome',
    ...location,
    campanha: 'p.campanha',
    extraColumns: ['p."redesSociais"'],
    isConfirmable: true,
  }),
  voluntarios: kindOf('voluntarios', { table: 'contacts', nome: 'p.name', tarefas: 'p.tasks' }),
  influenciadores: kindOf('influenciadores', {
    table: 'influenciadores',
    nome: 'p.name',
    ...location,
    tarefas: 'p.tasks',
    extraColumns: ['p."redesSociais"'],
  }),
  lideres: kindOf('lideres', {
    table: 'lideres',
    nome: 'p.nome',
    ...location,
    tarefas: 'p.disponibilidade',
    extraColumns: [
      'p.redes_sociais as "redesSociais"',
      ...['p.genero', 'p.profissao', 'p.experiencia', 'p.motivacao', 'p."cpfConfere"'],
      ...[`to_char(p.nascimento, 'YYYY-MM-DD') as nascimento`, 'p.endereco', 'p.cep'],
    ],
  }),
}
