// The kinds of people and where each is kept: one shape for all lists, whatever the columns of a table are called.
import type { NewsConsent, PeopleKind } from '#contract/admin/people.ts'
import { newsConsentSql } from '#server/db/news-consent.ts'
import { type WordColumns, wordsOf } from '#server/features/people/words.ts'

export interface Kind {
  name: PeopleKind
  table: string
  /** SQL for the words by which the record `p` is found. */
  words: string
  /** What lists show of the record `p`. */
  listed: string
  /** What an export says of it, and the record's own page. */
  whole: string
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
  cpfCifrado?: Buffer
  createdAt: Date
}

/** All of a record that may be read by who asks for it. */
export interface WholeRow extends ListedRow {
  emailCanonico: string
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

interface KindColumns extends WordColumns {
  table: string
  more?: string[]
  isConfirmable?: boolean
}

function kindOf(name: PeopleKind, { table, more = [], isConfirmable = false, ...words }: KindColumns): Kind {
  const shown = Object.entries(words).map(([shownAs, column]) => `${column} as "${shownAs}"`)
  const cpf = name === 'lideres' ? ['p."cpfCifrado"'] : []
  const confirmed = isConfirmable ? ['p."confirmadoEm"'] : []
  const consent = `${newsConsentSql('p')} as novidades`
  const listed = ['p.id', 'p.email', 'p.whatsapp', 'p."createdAt"', ...shown, ...cpf, ...confirmed, consent]
  const whole = [...listed, 'p."emailCanonico"', 'p."versaoConsentimento"', ...more]
  return { name, table, words: wordsOf(name, words), listed: listed.join(), whole: whole.join(), isConfirmable }
}

const place = { cidade: 'p.cidade', estado: 'p.estado' }

export const kinds: Record<PeopleKind, Kind> = {
  assinaturas: kindOf('assinaturas', {
    table: 'peticoes',
    nome: 'p.nome',
    ...place,
    campanha: 'p.campanha',
    more: ['p."redesSociais"'],
    isConfirmable: true,
  }),
  voluntarios: kindOf('voluntarios', { table: 'contacts', nome: 'p.name', tarefas: 'p.tasks' }),
  influenciadores: kindOf('influenciadores', {
    table: 'influenciadores',
    nome: 'p.name',
    ...place,
    tarefas: 'p.tasks',
    more: ['p."redesSociais"'],
  }),
  lideres: kindOf('lideres', {
    table: 'lideres',
    nome: 'p.nome',
    ...place,
    tarefas: 'p.disponibilidade',
    more: [
      'p.redes_sociais as "redesSociais"',
      ...['p.genero', 'p.profissao', 'p.experiencia', 'p.motivacao', 'p."cpfConfere"'],
      ...[`to_char(p.nascimento, 'YYYY-MM-DD') as nascimento`, 'p.endereco', 'p.cep'],
    ],
  }),
}
