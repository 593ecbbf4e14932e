// What an export says of people of a kind, column by column.
import { genderNames, newsConsents, type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import { localTime } from '#server/core/brazil-time.ts'
import { byteOrderMark, csvRecord } from '#server/core/csv.ts'
import { e164Of, formatPhone } from '#server/core/phone.ts'
import { cellOf } from '#server/core/spreadsheet-cell.ts'
import { type Cell, writeXlsx } from '#server/core/xlsx.ts'
import type { WholeRow } from '#server/features/people/kinds.ts'
import type { Reserved } from '#server/features/people/people.ts'

export interface Column {
  title: string
  value(row: WholeRow): Cell | undefined
  /** Written by us in a form that no program takes for a formula, whatever it begins with. */
  isSafe?: boolean
}

const yesOrNo = (value: boolean | undefined) => (value ? 'sim' : 'não')
const tasks = (kind: PeopleKind, title: string): Column => ({
  title,
  value: ({ tarefas = [] }) => tarefas.map((task) => tasksOf[kind][task] ?? task).join(', '),
})

const who: Column[] = [
  { title: 'Nome', value: ({ nome }) => nome },
  { title: 'E-mail', value: ({ email }) => email },
  { title: 'WhatsApp', value: ({ whatsapp }) => formatPhone(whatsapp) },
]
const where: Column[] = [
  { title: 'Cidade', value: ({ cidade }) => cidade },
  { title: 'Estado', value: ({ estado }) => estado },
]
const networks: Column = { title: 'Redes sociais', value: ({ redesSociais }) => redesSociais }
const rest: Column[] = [
  { title: 'Novidades', value: ({ novidades }) => newsConsents[novidades] },
  { title: 'WhatsApp E.164', value: ({ whatsapp }) => e164Of(whatsapp), isSafe: true },
  { title: 'Recebido em', value: ({ createdAt }) => createdAt },
  // Some have no letter but e, and would be guarded like a number.
  { title: 'Identificador', value: ({ id }) => id, isSafe: true },
]

const own: Record<PeopleKind, Column[]> = {
  assinaturas: [
    ...where,
    networks,
    { title: 'Campanha', value: ({ campanha }) => campanha },
    { title: 'Confirmada', value: ({ confirmadoEm }) => yesOrNo(Boolean(confirmadoEm)) },
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

function csvCell({ value, isSafe }: Column, row: WholeRow): string {
  const cell = value(row) ?? ''
  if (cell instanceof Date) return localTime(cell)
  return isSafe ? cell : cellOf(cell)
}
