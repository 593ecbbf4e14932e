// Imports of people from CSV and XLSX files: the fields of each kind, and the steps of an import.
import * as z from 'zod/mini'
import { adminMessages } from '#contract/admin/messages.ts'
import { type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, unstorable } from '#contract/fields.ts'
import { foldText } from '#contract/fold-text.ts'
import { messages } from '#contract/messages.ts'
import { maxOriginLength, normalizeOrigin } from '#contract/origin.ts'

const { imports: texts } = adminMessages

export const importLimits = { bytes: 25 * 1024 * 1024, rows: 200_000, columns: 100 } as const

interface ImportField {
  label: string
  required: boolean
  /** Titles of columns, folded, that probably hold the field. */
  titles: string[]
}

const field = (label: string, required: boolean, ...titles: string[]): ImportField => ({
  ...{ label, required },
  titles: [label, ...titles].map(foldText),
})
const name = field('Nome', true, 'nome completo', 'name')
const email = field('E-mail', true, 'email', 'e mail', 'endereco de e-mail', 'correio')
const whatsapp = field('WhatsApp', true, 'telefone', 'celular', 'fone', 'whatsapp e.164', 'phone')
const place = {
  cidade: field('Cidade', true, 'municipio'),
  estado: field('Estado', true, 'uf', 'estado (uf)'),
}
const news = field('Aceita novidades', false, 'novidades', 'aceita receber novidades')
const origin = field('Origem', false)
const networks = (required: boolean) => field('Redes sociais', required, 'instagram', 'rede social')

/** The payload names of each form, in the order of the page. */
export const importFields: Record<PeopleKind, Record<string, ImportField>> = {
  assinaturas: {
    ...{ nome: name, email, whatsapp, ...place },
    ...{ redesSociais: networks(false), aceitaNovidades: news, origem: origin },
  },
  voluntarios: {
    ...{ name, email, whatsapp },
    tasks: field('Tarefas', true, 'tarefa'),
    aceitaNovidades: news,
    origem: origin,
  },
  influenciadores: {
    ...{ name, email, whatsapp, ...place, redesSociais: networks(true) },
    ...{ tasks: field('Tarefas', true, 'tarefa'), aceitaNovidades: news, origem: origin },
  },
  lideres: {
    ...{ nome: name, email, whatsapp, ...place },
    cpf: field('CPF', true),
    nascimento: field('Nascimento', true, 'data de nascimento'),
    genero: field('Gênero', true, 'sexo'),
    profissao: field('Profissão', true, 'ocupacao'),
    endereco: field('Endereço', true, 'rua'),
    cep: field('CEP', true),
    motivacao: field('Motivação', true),
    disponibilidade: field('Disponibilidade', true, 'horarios'),
    experiencia: field('Experiência', false),
    ...{ redes_sociais: networks(false), aceitaNovidades: news, origem: origin },
  },
}

/** The column that probably holds each field. A column is used once. */
export function guessMapping(tipo: PeopleKind, columns: string[]): ImportMapping {
  const folded = columns.map((title) => foldText(title.trim()))
  const used = new Set<number>()
  const entries = Object.entries(importFields[tipo]).flatMap(([key, { titles }]) => {
    const column = titles.map((title) => folded.indexOf(title)).find((index) => index >= 0 && !used.has(index))
    if (column === undefined) return []
    used.add(column)
    return [[key, { coluna: column }]]
  })
  return Object.fromEntries(entries)
}

const source = z.object({
  /** Index of the column. */
  coluna: z.optional(
    z.int(texts.mapping).check(z.minimum(0, texts.mapping), z.maximum(importLimits.columns, texts.mapping)),
  ),
  /** The same value for every row. */
  valor: z.optional(
    z.string(texts.mapping).check(
      z.maxLength(500, texts.mapping),
      z.refine((text) => !unstorable.test(text), messages.fields.caracteres),
    ),
  ),
})
/** By field: the column of the file, or a fixed value. */
const mapping = z.record(z.string(), source)
export type ImportMapping = z.output<typeof mapping>

const importStatus = z.enum(['staged', 'running', 'done', 'failed', 'cancelled'])
export type ImportStatus = z.output<typeof importStatus>
const importSummary = z.object({
  id: z.number(),
  tipo: z.enum(peopleKinds),
  status: importStatus,
  arquivo: z.string(),
  autor: z.string(),
  campanha: z.nullable(z.string()),
  origem: z.nullable(z.string()),
  baseLegal: z.nullable(z.string()),
  total: z.number(),
  processadas: z.number(),
  aceitas: z.number(),
  rejeitadas: z.number(),
  motivo: z.nullable(z.string()),
  criadaEm: z.string(),
})
export type ImportSummary = z.output<typeof importSummary>

const importId = z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,14}$/, texts.notFound)) })

export const stageImport = endpoint({
  method: 'POST',
  path: '/api/admin/importacoes',
  access: 'administrator',
  auditAction: 'Enviou um arquivo para importar',
  body: z.object({
    tipo: z.enum(peopleKinds, adminMessages.people.tipo),
    nome: line({ min: 1, max: 200, short: texts.file, long: texts.file }),
  }),
  reply: z.object({ success: z.boolean(), id: z.number() }),
})

export const listImports = endpoint({
  method: 'GET',
  path: '/api/admin/importacoes',
  access: 'administrator',
  reply: z.object({ success: z.boolean(), importacoes: z.array(importSummary) }),
})

const rejection = z.object({ linha: z.number(), motivo: z.string() })

export const readImport = endpoint({
  method: 'GET',
  path: '/api/admin/importacoes/:id',
  access: 'administrator',
  params: importId,
  reply: z.object({
    success: z.boolean(),
    importacao: importSummary,
    /** Titles of the columns of the file. */
    colunas: z.array(z.string()),
    /** The first rejected lines. */
    rejeitadas: z.array(rejection),
  }),
})

const mappingText = z.pipe(
  z.pipe(
    z.string(texts.mapping),
    z.transform((text, { issues }) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        issues.push({ code: 'custom', message: texts.mapping, input: text })
        return {}
      }
    }),
  ),
  mapping,
)

const previewRow = z.object({ linha: z.number(), celulas: z.array(z.string()), motivo: z.nullable(z.string()) })
export type PreviewRow = z.output<typeof previewRow>

/** The first rows of the file with their errors, by a mapping as JSON. */
export const previewImport = endpoint({
  method: 'GET',
  path: '/api/admin/importacoes/:id/previa',
  access: 'administrator',
  params: importId,
  query: z.object({ mapeamento: mappingText }),
  reply: z.object({
    success: z.boolean(),
    linhas: z.array(previewRow),
    /** Rows of the preview that would be accepted. */
    aceitas: z.number(),
  }),
})

export const startImport = endpoint({
  method: 'POST',
  path: '/api/admin/importacoes/:id/iniciar',
  access: 'administrator',
  auditAction: 'Começou a importar pessoas',
  status: 200,
  params: importId,
  body: z.object({
    mapeamento: mapping,
    campanha: z.optional(line({ max: 100, short: adminMessages.people.campanha, long: adminMessages.people.campanha })),
    origem: z.string(texts.origin).check(
      z.maxLength(maxOriginLength, texts.origin),
      z.refine((text) => normalizeOrigin(text) !== undefined, texts.origin),
    ),
    baseLegal: line({ min: 10, max: 500, short: texts.legalBasis, long: texts.legalBasisLong }),
    /** The team declares that the people on the list agreed to receive news. */
    declaraNovidades: z.boolean(texts.declaration),
  }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

export const cancelImport = endpoint({
  method: 'POST',
  path: '/api/admin/importacoes/:id/cancelar',
  access: 'administrator',
  auditAction: 'Cancelou uma importação',
  status: 200,
  params: importId,
  reply: z.object({ success: z.boolean(), message: z.string() }),
})

/** Replies with a stream, see export-stream.ts. Original cells are included while the file is kept. */
export const exportRejections = endpoint({
  method: 'GET',
  path: '/api/admin/importacoes/:id/rejeitadas',
  access: 'administrator',
  recentLogin: true,
  auditAction: 'Baixou as linhas rejeitadas de uma importação',
  params: importId,
  reply: z.unknown(),
})
