// What an export says of people of a kind, column by column.
import { genderNames, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import { localTime } from '#server/core/brazil-time.ts'
import { byteOrderMark, csvRecord } from '#server/core/csv.ts'
import { cellOf, phoneCellOf } from '#server/core/spreadsheet-cell.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import type { WholeRow } from '#server/features/people/kinds.ts'
import type { Reserved } from '#server/features/people/people.ts'

export interface Column {
  title: string
  value(row: WholeRow): Cell | undefined
  isPhone?: boolean
}

const yesOrNo = (value: boolean | undefined) => (value ? 'sim' : 'não')
const tasks = (kind: PeopleKind, title: string): Column => ({
  title,
  value: ({ tarefas = [] }) => tarefas.map((task) => tasksOf[kind][task] ?? task).join(', '),
})

const who: Column[] = [
  { title: 'Nome', value: ({ nome }) => nome },
  { title: 'E-mail', value: ({ email }) => email },
  { title: 'WhatsApp', value: ({ whatsapp }) => whatsapp, isPhone: true },
]
const where: Column[] = [
  { title: 'Cidade', value: ({ cidade }) => cidade },
  { title: 'Estado', value: ({ estado }) => estado },
]
const networks: Column = { title: 'Redes sociais', value: ({ redesSociais }) => redesSociais }
const rest: Column[] = [
  { title: 'Aceita novidades', value: ({ aceitaNovidades }) => yesOrNo(aceitaNovidades) },
  { title: 'Recebido em', value: ({ createdAt }) => createdAt },
  { title: 'Identificador', value: ({ id }) => id },
]

const own: Record<PeopleKind, Column[]> = {
  assinaturas: [
    ...where,
    networks,
    { title: 'Campanha', value: ({ campanha }) => campanha },
    { title: 'Confirmada em', value: ({ confirmadoEm }) => confirmadoEm },
  ],
  voluntarios: [tasks('voluntarios', 'Tarefas')],
  influenciadores: [...where, networks, tasks('influenciadores', 'Tarefas')],
  lideres: [
    ...where,
    networks,
    { title: 'Gênero', value: ({ genero = '' }) => genderNames[genero] ?? genero },
    { title: 'Profissão', value: ({ profissao }) => profissao },
    tasks('lideres', 'Disponibilidade'),
    { title: 'Experiência', value: ({ experiencia }) => experiencia },
    { title: 'Motivação', value: ({ motivacao }) => motivacao },
    { title: 'CPF confere', value: ({ cpfConfere }) => yesOrNo(cpfConfere) },
  ],
}

export function columnsOf(kind: PeopleKind, reservedOf?: (row: WholeRow) => Reserved): Column[] {
  const reserved: Column[] =
    kind === 'lideres' && reservedOf
      ? [
          { title: 'CPF', value: (row) => reservedOf(row).cpf },
          { title: 'Nascimento', value: ({ nascimento = '' }) => nascimento.split('-').reverse().join('/') },
          { title: 'Endereço', value: ({ endereco }) => endereco },
          { title: 'CEP', value: ({ cep }) => cep },
        ]
      : []
  return [...who, ...own[kind], ...reserved, ...rest]
}

export interface Sheet {
  title: string
  columns: Column[]
  batches: AsyncIterable<WholeRow[]>
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

function csvCell({ value, isPhone }: Column, row: WholeRow): string {
  const cell = value(row) ?? ''
  if (cell instanceof Date) return localTime(cell)
  return isPhone ? phoneCellOf(cell) : cellOf(cell)
}
