// The columns of an export, by kind of people.
import { genderNames, newsConsents, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import { byteOrderMark, cellOf, csvRecord } from '#contract/csv.ts'
import { localTime } from '#server/core/brazil-time.ts'
import { e164Of, formatPhone } from '#server/core/phone.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import type { FullRow } from '#server/features/people/kinds.ts'
import type { Reserved } from '#server/features/people/people.ts'

interface Column {
  title: string
  value(row: FullRow): Cell | undefined
  /** Generated in a format that no spreadsheet program reads as a formula, whatever its first character. */
  isSafe?: boolean
}

const yesOrNo = (value: boolean | undefined) => (value ? 'sim' : 'não')
const tasksColumn = (kind: PeopleKind, title: string): Column => ({
  title,
  value: ({ tarefas = [] }) => tarefas.map((task) => tasksOf[kind][task] ?? task).join(', '),
})

const identityColumns: Column[] = [
  { title: 'Nome', value: ({ nome }) => nome },
  { title: 'E-mail', value: ({ email }) => email },
  { title: 'WhatsApp', value: ({ whatsapp }) => formatPhone(whatsapp) },
]
const locationColumns: Column[] = [
  { title: 'Cidade', value: ({ cidade }) => cidade },
  { title: 'Estado', value: ({ estado }) => estado },
]
const networksColumn: Column = { title: 'Redes sociais', value: ({ redesSociais }) => redesSociais }
const commonColumns: Column[] = [
  { title: 'Novidades', value: ({ novidades }) => newsConsents[novidades] },
  { title: 'WhatsApp E.164', value: ({ whatsapp }) => e164Of(whatsapp), isSafe: true },
  { title: 'Recebido em', value: ({ createdAt }) => createdAt },
  // Some ids contain no letter but e; they would be escaped like numbers.
  { title: 'Identificador', value: ({ id }) => id, isSafe: true },
]

const columnsByKind: Record<PeopleKind, Column[]> = {
  assinaturas: [
    ...locationColumns,
    networksColumn,
    { title: 'Campanha', value: ({ campanha }) => campanha },
    { title: 'Confirmada', value: ({ confirmadoEm }) => yesOrNo(Boolean(confirmadoEm)) },
    { title: 'Confirmada em', value: ({ confirmadoEm }) => confirmadoEm },
  ],
  voluntarios: [tasksColumn('voluntarios', 'Tarefas')],
  influenciadores: [...locationColumns, networksColumn, tasksColumn('influenciadores', 'Tarefas')],
  lideres: [
    ...locationColumns,
    networksColumn,
    { title: 'Gênero', value: ({ genero = '' }) => genderNames[genero] ?? genero },
    { title: 'Profissão', value: ({ profissao }) => profissao },
    tasksColumn('lideres', 'Disponibilidade'),
    { title: 'Experiência', value: ({ experiencia }) => experiencia },
    { title: 'Motivação', value: ({ motivacao }) => motivacao },
    { title: 'CPF confere', value: ({ cpfConfere }) => yesOrNo(cpfConfere) },
  ],
}

export function columnsOf(kind: PeopleKind, reservedOf?: (row: FullRow) => Reserved): Column[] {
  const reserved: Column[] =
    kind === 'lideres' && reservedOf
      ? [
          { title: 'CPF', value: (row) => reservedOf(row).cpf },
          { title: 'Nascimento', value: ({ nascimento = '' }) => nascimento.split('-').reverse().join('/') },
          { title: 'Endereço', value: ({ endereco }) => endereco },
          { title: 'CEP', value: ({ cep }) => cep },
        ]
      : []
  return [...identityColumns, ...columnsByKind[kind], ...reserved, ...commonColumns]
}

interface Sheet {
  title: string
  columns: Column[]
  batches: AsyncIterable<FullRow[]>
}

export async function* writeCsv({ columns, batches }: Sheet): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + csvRecord(columns.map(({ title }) => title)))
  for await (const rows of batches) {
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => csvRecord(columns.map((column) => csvCell(column, row)))).join(''))
  }
}

export function writeWorkbook({ title, columns, batches }: Sheet): AsyncGenerator<Buffer> {
  async function* rows(): AsyncGenerator<Cell[][]> {
    for await (const batch of batches) yield batch.map((row) => columns.map((column) => column.value(row) ?? null))
  }
  return writeXlsx({ title, header: columns.map((column) => column.title), rows: rows() })
}

function csvCell({ value, isSafe }: Column, row: FullRow): string {
  const cell = value(row) ?? ''
  if (cell instanceof Date) return localTime(cell)
  return isSafe ? cell : cellOf(cell)
}
