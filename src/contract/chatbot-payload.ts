// Maps the field names that chatbots send to our names. Drops unresolved placeholders (`{{…}}`) and empty texts.
type Values = Record<string, unknown>

/** Accepted names, folded: case, `_` and spaces are ignored. */
const aliases = {
  subscriberId: ['subscriberid', 'subscriber'],
  eventId: ['eventid', 'idevento'],
  nome: ['nome', 'name', 'fullname', 'nomecompleto'],
  email: ['email'],
  whatsapp: ['whatsapp', 'phone', 'telefone', 'celular', 'phonenumber'],
  mensagem: ['mensagem', 'message', 'text', 'texto', 'lastinput', 'lastmessage', 'ultimamensagem'],
  respostaBot: ['respostabot', 'resposta', 'reply', 'botreply'],
  midiaUrl: ['midiaurl', 'mediaurl'],
  tags: ['tags', 'etiquetas'],
  customFields: ['customfields', 'campos', 'fields', 'campospersonalizados'],
  status: ['status'],
  origem: ['origem'],
  quando: ['ts', 'timestamp'],
} satisfies Record<string, string[]>

const fold = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

export function normalizeChatbotCall(payload: unknown): unknown {
  // Some chatbots send JSON with the content type of plain text.
  const body = typeof payload === 'string' ? json(payload, '{') : payload
  if (!isRecord(body)) return {}
  const fields = nestFields(body)
  const person = fields.subscriber ?? fields.contact ?? fields.contato
  const sources = [fields, ...(isRecord(person) ? [folded(person)] : [])]
  const find = (names: string[]) => names.flatMap((name) => sources.map((source) => source[name])).find(hasValue)
  const aliased = (field: keyof typeof aliases) => find(aliases[field])
  const flow = oneLine(fields.fluxoorigem)
  return {
    subscriberId: idOf(aliased('subscriberId')) ?? idOf(isRecord(person) ? folded(person).id : undefined),
    eventId: oneLine(aliased('eventId')),
    nome:
      oneLine(aliased('nome')) ??
      oneLine([find(['firstname']), find(['lastname'])].map(oneLine).filter(hasValue).join(' ')),
    email: oneLine(aliased('email')),
    whatsapp: oneLine(aliased('whatsapp')),
    mensagem: asText(messageText(aliased('mensagem'))),
    respostaBot: asText(messageText(aliased('respostaBot'))),
    midiaUrl: httpUrl(aliased('midiaUrl') ?? mediaOf(aliased('mensagem'))),
    tags: tagsOf(aliased('tags')),
    customFields: { ...(flow && { fluxo_origem: flow }), ...customFieldsOf(aliased('customFields')) },
    status: oneLine(aliased('status'))?.toLowerCase(),
    origem: oneLine(aliased('origem')),
    quando: parseTime(aliased('quando')),
  }
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function folded(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [fold(name), value]))
}

/** Folds the names. Groups `campos[cidade]` (HTML forms) and `campos.cidade` (some chatbots) into one `campos`. */
function nestFields(body: Values): Values {
  const parts = Object.entries(body).flatMap(([name, value]) => {
    const [, parent, part] = /^([^[\].]+)[[.]([^[\].]+)\]?$/.exec(name) ?? []
    return parent && part ? [{ parent: fold(parent), part, value }] : []
  })
  const grouped = Object.entries(Object.groupBy(parts, ({ parent }) => parent)).map(([parent, children = []]) => [
    parent,
    Object.fromEntries(children.map(({ part, value }) => [part, value])),
  ])
  return { ...Object.fromEntries(grouped), ...folded(body) }
}

const unresolved = /\{\{[^{}]*\}\}/g

function hasValue(value: unknown): boolean {
  if (typeof value === 'string') return value.replace(unresolved, '').trim() !== ''
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

/** Removes characters that cannot be stored and keeps the rest of the text. */
function storable(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
}

function asText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  return hasValue(value) ? storable(value) : undefined
}

function oneLine(value: unknown): string | undefined {
  const text = asText(Array.isArray(value) ? value[0] : value)
  return typeof text === 'string' ? text.replace(unresolved, '') : undefined
}

function idOf(value: unknown): unknown {
  return typeof value === 'number' ? value : oneLine(value)
}

/** A message can be an object such as `{ text }` or `{ content }`. */
function messageText(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { text, content, body, caption } = folded(value)
  return [text, content, body, caption].find(hasValue)
}

function mediaOf(message: unknown): unknown {
  return isRecord(message) ? (folded(message).mediaurl ?? folded(message).url) : undefined
}

function httpUrl(value: unknown): string | undefined {
  const text = oneLine(value)?.trim()
  return text && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}

/** Accepts an array of strings or objects, or a comma-separated string. */
function tagsOf(value: unknown): unknown {
  const list = typeof value === 'string' ? (json(value, '[') ?? value.split(',')) : value
  const names = [list ?? []].flat().map((tag) => {
    if (!isRecord(tag)) return oneLine(tag)
    const { name, nome, tag: tagName, title, label } = folded(tag)
    return oneLine([name, nome, tagName, title, label].find(hasValue))
  })
  return [...new Set(names.map((name) => name?.trim()).filter(hasValue))]
}

/** Accepts an object, its JSON as a string, or an array of name-value objects. */
function customFieldsOf(value: unknown): Values {
  const parsed = typeof value === 'string' ? json(value, '{') : value
  const fields = Array.isArray(parsed) ? Object.fromEntries(parsed.filter(isRecord).map(nameAndValue)) : parsed
  return isRecord(fields) ? (cleaned(fields, 0) as Values) : {}
}

function nameAndValue(field: Values): [name: string, value: unknown] {
  const { name, nome, key, field: fieldName, value, valor } = folded(field)
  return [oneLine([name, nome, key, fieldName].find(hasValue)) ?? '', value ?? valor]
}

function json(text: string, opening: string): unknown {
  if (!text.trim().startsWith(opening)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const maxDepth = 4

/** Stops at `maxDepth`: `customFieldsFit` rejects deeper values. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storable(value).trim()
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.filter(hasValue).map((part) => cleaned(part, depth + 1))
  const parts = Object.entries(value).filter(([, part]) => hasValue(part))
  return Object.fromEntries(parts.map(([name, part]) => [storable(name), cleaned(part, depth + 1)]))
}

export function customFieldsFit(values: Values): boolean {
  return isShallow(values, 0) && JSON.stringify(values).length <= 16_000
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < maxDepth && Object.values(value).every((part) => isShallow(part, depth + 1))
}

/**
 * Accepts seconds or milliseconds since 1970, ISO 8601, or `dd/mm/yyyy hh:mm`; without a zone, Brasília time.
 * Invalid and future times give null.
 */
function parseTime(value: unknown): Date | null {
  const text = asText(value)
  if (typeof text !== 'string') return null
  const time = parseTimestamp(text.trim())
  return time > Date.UTC(2010, 0) && time <= Date.now() + 60_000 ? new Date(time) : null
}

function parseTimestamp(text: string): number {
  if (/^\d{9,16}(\.\d+)?$/.test(text)) return Number(text) < 1e11 ? Number(text) * 1000 : Number(text)
  const iso = text.replace(/^(\d\d)\/(\d\d)\/(\d{4})[,\s]*/, '$3-$2-$1T').replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso)) return Number.NaN
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}-03:00`)
}
