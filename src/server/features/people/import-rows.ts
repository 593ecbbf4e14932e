// Turns the cells of an imported row into a record, by the rules of the public forms.
import { adminMessages } from '#contract/admin/messages.ts'
import { type PeopleKind, tasksOf } from '#contract/admin/people.ts'
import type { ImportMapping } from '#contract/admin/people-import.ts'
import { applyAsInfluencer, applyAsLeader, genders } from '#contract/applications.ts'
import { contactSchema } from '#contract/contacts.ts'
import { cellOf } from '#contract/csv.ts'
import type { Schema } from '#contract/endpoint.ts'
import { foldText } from '#contract/fold-text.ts'
import { longerFormMessages } from '#contract/longer-form-fields.ts'
import { normalizeOrigin } from '#contract/origin.ts'
import { signatureSchema } from '#contract/petitions.ts'
import { nationalDigits } from '#contract/phone.ts'
import { states } from '#contract/states.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import type { Encryption } from '#server/core/encryption.ts'
import type { ImportedRecord } from '#server/db/imported-records.ts'
import { encryptReserved } from '#server/db/reserved-data.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'

const { imports: texts } = adminMessages

/** Messages of the forms that address the person. */
const reasons: Record<string, string> = { [longerFormMessages.menorDeIdade]: texts.minor }

/** Stored instead of a version of the privacy text: the person has not seen our form. */
const importedConsent = 'importação'

const schemas: Record<PeopleKind, Schema> = {
  assinaturas: signatureSchema,
  voluntarios: contactSchema,
  influenciadores: applyAsInfluencer.body as Schema,
  lideres: applyAsLeader.body as Schema,
}

const byFoldedLabel = (labels: Record<string, string>) =>
  new Map(Object.entries(labels).flatMap(([key, label]) => [foldText(key), foldText(label)].map((text) => [text, key])))
const stateByName = byFoldedLabel(states)
const genderByName = byFoldedLabel(genders)
const taskByName = {
  assinaturas: new Map<string, string>(),
  voluntarios: byFoldedLabel(tasksOf.voluntarios),
  influenciadores: byFoldedLabel(tasksOf.influenciadores),
  lideres: byFoldedLabel(tasksOf.lideres),
}

const yes = new Set(['sim', 's', 'x', 'yes', 'y', '1', 'true', 'verdadeiro', 'aceita', 'aceito', 'on'])

/** Our own exports protect cells with an apostrophe. */
const withoutGuard = (cell: string) => (cell.startsWith("'") && cellOf(cell.slice(1)) === cell ? cell.slice(1) : cell)

/** Programs that read a number drop its leading zeros. */
const padded = (cell: string, length: number, shortest: number) =>
  /^\d+$/.test(cell) && cell.length >= shortest ? cell.padStart(length, '0') : cell

function isoDate(cell: string): string {
  const [, day = '', month = '', year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(cell) ?? []
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell
}

type Converters = Record<string, (cell: string, tipo: PeopleKind) => unknown>
const tasks: Converters[string] = (cell, tipo) =>
  cell
    .split(/[,;|\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => taskByName[tipo].get(foldText(part)) ?? part)
const converters: Converters = {
  // The forms of signatures and leaders keep the notation.
  whatsapp: (cell, tipo) => (tipo === 'voluntarios' || tipo === 'influenciadores' ? nationalDigits(cell) : cell),
  estado: (cell) => stateByName.get(foldText(cell)) ?? cell,
  genero: (cell) => genderByName.get(foldText(cell)) ?? cell,
  tasks,
  disponibilidade: tasks,
  aceitaNovidades: (cell) => yes.has(foldText(cell)),
  nascimento: isoDate,
  cpf: (cell) => padded(cell, 11, 9),
  cep: (cell) => padded(cell, 8, 7),
}

export interface ImportSettings {
  tipo: PeopleKind
  mapping: ImportMapping
  campanha: string | null
  versaoManifesto: number | null
  origem: string | null
  importId: number
  /** The team declared that all people agreed to receive news. Only used without a column that says so. */
  declaresNews: boolean
  encryption: Encryption | undefined
}

/** Only leaders have the reserved fields. */
type ParsedRow = Record<'email' | 'cpf' | 'nascimento' | 'endereco' | 'cep', string> & Record<string, unknown>

export type ImportedRow = { record: ImportedRecord } | { problem: string }

/** A cell that is not mapped is absent. */
function fieldsOf({ tipo, mapping }: Pick<ImportSettings, 'tipo' | 'mapping'>, cells: string[]) {
  const fields: Record<string, unknown> = {}
  for (const [name, { coluna, valor }] of Object.entries(mapping)) {
    const cell = withoutGuard((coluna === undefined ? valor : cells[coluna])?.trim() ?? '')
    if (cell !== '') fields[name] = converters[name]?.(cell, tipo) ?? cell
  }
  return fields
}

export function readImportedRow(settings: ImportSettings, cells: string[]): ImportedRow {
  const { tipo, mapping, campanha, versaoManifesto, importId, declaresNews, encryption } = settings
  // The reader of files skips empty rows.
  if (!cells.some(Boolean)) return { problem: texts.erased }
  const fields = fieldsOf(settings, cells)
  const parsed = schemas[tipo].safeParse({
    ...fields,
    honeypot: '',
    ...(tipo === 'lideres' && { aceita_termos: true }),
  })
  if (!parsed.success) {
    const messages = new Set(parsed.error.issues.map(({ message }) => reasons[message] ?? message))
    return { problem: [...messages].slice(0, 3).join('; ') }
  }
  const { honeypot: _, versaoManifesto: __, cpf, nascimento, endereco, cep, ...values } = parsed.data as ParsedRow
  const id = uuidV7()
  const record: ImportedRecord = {
    ...values,
    ...{ id, importId, requestId: crypto.randomUUID(), canonicalEmail: canonicalizeEmail(values.email) },
    aceitaNovidades: mapping.aceitaNovidades ? values.aceitaNovidades : declaresNews,
    versaoConsentimento: importedConsent,
    origem: normalizeOrigin(fields.origem) ?? settings.origem,
    ...(tipo === 'assinaturas' && { campanha, versaoManifesto }),
  }
  if (tipo !== 'lideres') return { record }
  if (!encryption) return { problem: texts.leadersClosed }
  const stored = encryptReserved(encryption, id, { cpf, nascimento, endereco, cep })
  // Nobody has accepted the terms of our form.
  return { record: { ...record, aceita_termos: false, ...inHex(stored) } }
}

/** Records are sent as JSON, which has no bytes. */
const inHex = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
    ]),
  )
