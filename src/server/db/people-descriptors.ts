// One descriptor per kind of person. Lists, search, exports, the spreadsheet, e-mails and erasure are derived from it.
import { genderNames, type NewsConsent, newsConsents, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import { cellOf } from '#contract/csv.ts'
import { e164Of, formatPhone } from '#contract/phone.ts'
import { localTime } from '#server/core/brazil-time.ts'
import type { Cell } from '#server/core/xlsx.ts'
import { newsConsentSql } from '#server/db/news-consent.ts'
import type { ReadableReservedData, StoredReservedData } from '#server/db/reserved-data.ts'

/** A record with the fields of its kind. */
export interface PersonRow extends StoredReservedData {
  nome: string
  email: string
  whatsapp: string
  cidade?: string
  estado?: string
  campanha?: string
  confirmadoEm?: Date | null
  tarefas?: string[]
  novidades: NewsConsent
  redesSociais?: string | null
  origem: string | null
  genero?: string
  profissao?: string
  experiencia?: string | null
  motivacao?: string
  cpfConfere?: boolean
  /** Only in exports that were requested with it. */
  reserved?: ReadableReservedData
  createdAt: Date
}

/** One column of exports and of the spreadsheet. */
export interface PersonColumn {
  title: string
  key: keyof PersonRow
  /** Reads the value of the record `p`. */
  sql: string
  cell(value: unknown, row: PersonRow): Cell
  /** Generated in a format that no spreadsheet program reads as a formula, whatever its first character. */
  isSafe?: boolean
  /**
   * none: not in the spreadsheet. current: its cell is updated when the record changes. added: also updated, and
   * missing in tabs of earlier versions, which get it after all other columns.
   */
  sheet?: 'none' | 'current' | 'added'
  /** Only in exports, for administrators who ask for it. Never in the spreadsheet. */
  isReserved?: boolean
}

interface PeopleDescriptor {
  table: string
  /** The kind of outbox rows that new records are queued with. */
  outboxKind: string
  emailTemplate: string
  /** The tab of the spreadsheet. Each campaign has a tab of its own. */
  sheetTab: string | null
  /** The first letter of the search terms, so that the kinds do not mix in the index. */
  searchLetter: string
  columns: PersonColumn[]
}

const text = (value: unknown) => (value as string | null | undefined) ?? null
const labels = (names: Record<string, string>) => (value: unknown) =>
  ((value as string[] | undefined) ?? []).map((name) => names[name] ?? name).join(', ')
const yesOrNo = (value: unknown) => (value ? 'sim' : 'não')

const column = (title: string, key: keyof PersonRow, sql = `p."${key}"`): PersonColumn => ({
  ...{ title, key, sql },
  cell: text,
})
const networks = column('Redes sociais', 'redesSociais')
const location = [column('Cidade', 'cidade'), column('Estado', 'estado')]
const contact = (name: string): PersonColumn[] => [
  column('Nome', 'nome', name),
  column('E-mail', 'email'),
  { ...column('WhatsApp', 'whatsapp'), cell: (value) => formatPhone(String(value)) },
]
const tasks = (title: string, sql: string, kind: PeopleKind): PersonColumn => ({
  ...column(title, 'tarefas', sql),
  cell: labels(tasksOf[kind]),
})
const consent: PersonColumn = {
  ...column('Aceita novidades', 'novidades', newsConsentSql('p')),
  cell: (value) => newsConsents[value as NewsConsent],
  sheet: 'current',
}
const e164: PersonColumn = {
  ...column('WhatsApp E.164', 'whatsapp'),
  cell: (value) => e164Of(String(value)),
  isSafe: true,
  sheet: 'added',
}
/** The label of the link or site that the person came from. */
const origin: PersonColumn = { ...column('Origem', 'origem'), sheet: 'added' }
/** In exports only: the spreadsheet of signatures says whether, and that of forms does not. */
const confirmedAt: PersonColumn = {
  ...column('Confirmada em', 'confirmadoEm'),
  cell: (value) => value as Date | null,
  sheet: 'none',
}
const reserved = (
  title: string,
  field: keyof ReadableReservedData,
  stored: Partial<PersonColumn> = {},
): PersonColumn => ({
  ...{ ...column(title, field === 'cpf' ? 'encryptedCpf' : field), ...stored },
  cell: (_, row) => row.reserved?.[field] ?? null,
  isReserved: true,
})

/** In every file. Some ids contain no letter but e, and would be escaped like numbers. */
export const idColumn: PersonColumn = { ...column('ID', 'id'), isSafe: true }
export const timeColumn: PersonColumn = { ...column('Data', 'createdAt'), cell: (value) => value as Date }

export const peopleDescriptors = {
  assinaturas: {
    table: 'peticoes',
    outboxKind: 'assinaturas',
    emailTemplate: 'assinatura',
    sheetTab: null,
    searchLetter: 'a',
    columns: [
      column('Campanha', 'campanha'),
      ...contact('p.nome'),
      ...location,
      networks,
      consent,
      e164,
      { ...column('Confirmada', 'confirmadoEm'), cell: yesOrNo, sheet: 'added' },
      origin,
      confirmedAt,
    ],
  },
  voluntarios: {
    table: 'contacts',
    outboxKind: 'voluntario',
    emailTemplate: 'voluntario',
    sheetTab: 'Voluntarios',
    searchLetter: 'v',
    columns: [...contact('p.name'), tasks('Tarefas', 'p.tasks', 'voluntarios'), consent, e164, origin, confirmedAt],
  },
  influenciadores: {
    table: 'influenciadores',
    outboxKind: 'influenciador',
    emailTemplate: 'influenciador',
    sheetTab: 'Influenciadores',
    searchLetter: 'i',
    columns: [
      ...contact('p.name'),
      ...location,
      networks,
      tasks('Tarefas', 'p.tasks', 'influenciadores'),
      consent,
      e164,
      origin,
      confirmedAt,
    ],
  },
  lideres: {
    table: 'lideres',
    outboxKind: 'lider',
    emailTemplate: 'lider',
    sheetTab: 'Lideres',
    searchLetter: 'l',
    columns: [
      ...contact('p.nome'),
      ...location,
      { ...column('Gênero', 'genero'), cell: (value) => genderNames[String(value)] ?? String(value) },
      column('Profissão', 'profissao'),
      column('Experiência', 'experiencia'),
      column('Motivação', 'motivacao'),
      tasks('Disponibilidade', 'p.disponibilidade', 'lideres'),
      column('Redes sociais', 'redesSociais', 'p.redes_sociais'),
      consent,
      e164,
      origin,
      confirmedAt,
      { ...column('CPF confere', 'cpfConfere'), cell: yesOrNo, sheet: 'none' },
      reserved('CPF', 'cpf'),
      reserved('Nascimento', 'nascimento', { sql: `to_char(p.nascimento, 'YYYY-MM-DD')` }),
      reserved('Endereço', 'endereco'),
      reserved('CEP', 'cep'),
    ],
  },
} as const satisfies Record<PeopleKind, PeopleDescriptor>

type Tables = typeof peopleDescriptors
export type FormKind = Exclude<PeopleKind, 'assinaturas'>
export type FormOutboxKind = Tables[FormKind]['outboxKind']
export type PersonTable = Tables[PeopleKind]['table']

/** The kinds with one form and one tab of the spreadsheet. Signatures have a form and a tab for each campaign. */
const { assinaturas, ...forms } = peopleDescriptors
export const formTables: Tables[FormKind][] = Object.values(forms)
export const allTables: Tables[PeopleKind][] = [assinaturas, ...formTables]

/** `select` statements of all tables, combined. */
export const unionOf = (tables: { table: string }[], select: (table: string) => string) =>
  tables.map(({ table }) => select(table)).join(' union all ')

/** A cell as text, for CSV files and the spreadsheet. */
export function textCell({ cell, key, isSafe }: PersonColumn, row: PersonRow): string {
  const value = cell(row[key], row) ?? ''
  if (value instanceof Date) return localTime(value)
  return isSafe ? value : cellOf(value)
}
