// The names that chatbots and those who set them up give to things, and ours for the same. Drops what was left open: `{{…}}` and empty text.
type Values = Record<string, unknown>

/** By folded name: capitals, `_` and spaces make no difference. */
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

export function inOurNames(given: unknown): unknown {
  // JSON that is called plain text on its way.
  const body = typeof given === 'string' ? json(given, '{') : given
  if (!isRecord(body)) return {}
  const whole = withParts(body)
  const person = whole.subscriber ?? whole.contact ?? whole.contato
  const places = [whole, ...(isRecord(person) ? [folded(person)] : [])]
  const find = (names: string[]) => names.flatMap((name) => places.map((place) => place[name])).find(isThere)
  const first = (field: keyof typeof aliases) => find(aliases[field])
  const flow = oneLine(whole.fluxoorigem)
  return {
    subscriberId: idOf(first('subscriberId')) ?? idOf(isRecord(person) ? folded(person).id : undefined),
    eventId: oneLine(first('eventId')),
    nome:
      oneLine(first('nome')) ??
      oneLine([find(['firstname']), find(['lastname'])].map(oneLine).filter(isThere).join(' ')),
    email: oneLine(first('email')),
    whatsapp: oneLine(first('whatsapp')),
    mensagem: asText(spoken(first('mensagem'))),
    respostaBot: asText(spoken(first('respostaBot'))),
    midiaUrl: webAddress(first('midiaUrl') ?? mediaOf(first('mensagem'))),
    tags: tagsOf(first('tags')),
    customFields: { ...(flow && { fluxo_origem: flow }), ...customFieldsOf(first('customFields')) },
    status: oneLine(first('status'))?.toLowerCase(),
    origem: oneLine(first('origem')),
    quando: momentOf(first('quando')),
  }
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function folded(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [fold(name), value]))
}

/** A plain form writes `campos[cidade]`, some write `campos.cidade`: both are parts of `campos`. */
function withParts(body: Values): Values {
  const parts = Object.entries(body).flatMap(([name, value]) => {
    const [, whole, part] = /^([^[\].]+)[[.]([^[\].]+)\]?$/.exec(name) ?? []
    return whole && part ? [{ whole: fold(whole), part, value }] : []
  })
  const gathered = Object.entries(Object.groupBy(parts, ({ whole }) => whole)).map(([whole, some = []]) => [
    whole,
    Object.fromEntries(some.map(({ part, value }) => [part, value])),
  ])
  return { ...Object.fromEntries(gathered), ...folded(body) }
}

const unresolved = /\{\{[^{}]*\}\}/g

function isThere(value: unknown): boolean {
  if (typeof value === 'string') return value.replace(unresolved, '').trim() !== ''
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

/** What cannot be stored as text is left out: the rest of what somebody said is worth keeping. */
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
  return isThere(value) ? storable(value) : undefined
}

function oneLine(value: unknown): string | undefined {
  const text = asText(Array.isArray(value) ? value[0] : value)
  return typeof text === 'string' ? text.replace(unresolved, '') : undefined
}

function idOf(value: unknown): unknown {
  return typeof value === 'number' ? value : oneLine(value)
}

/** A message may come as `{ text }` or `{ content }`. */
function spoken(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { text, content, body, caption } = folded(value)
  return [text, content, body, caption].find(isThere)
}

function mediaOf(message: unknown): unknown {
  return isRecord(message) ? (folded(message).mediaurl ?? folded(message).url) : undefined
}

function webAddress(value: unknown): string | undefined {
  const text = oneLine(value)?.trim()
  return text && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}

/** A list of texts or of objects, or text with commas. */
function tagsOf(value: unknown): unknown {
  const given = typeof value === 'string' ? (json(value, '[') ?? value.split(',')) : value
  const names = [given ?? []].flat().map((tag) => {
    if (!isRecord(tag)) return oneLine(tag)
    const { name, nome, tag: itself, title, label } = folded(tag)
    return oneLine([name, nome, itself, title, label].find(isThere))
  })
  return [...new Set(names.map((name) => name?.trim()).filter(isThere))]
}

/** An object, its JSON as text, or a list of names with values. */
function customFieldsOf(value: unknown): Values {
  const given = typeof value === 'string' ? json(value, '{') : value
  const listed = Array.isArray(given) ? Object.fromEntries(given.filter(isRecord).map(nameAndValue)) : given
  return isRecord(listed) ? (tidied(listed, 0) as Values) : {}
}

function nameAndValue(field: Values): [name: string, value: unknown] {
  const { name, nome, key, field: itself, value, valor } = folded(field)
  return [oneLine([name, nome, key, itself].find(isThere)) ?? '', value ?? valor]
}

function json(text: string, opening: string): unknown {
  if (!text.trim().startsWith(opening)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const deepest = 4

/** Deeper than this it is refused anyway, so nobody need go there. */
function tidied(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storable(value).trim()
  if (typeof value !== 'object' || value === null || depth > deepest) return value
  if (Array.isArray(value)) return value.filter(isThere).map((part) => tidied(part, depth + 1))
  const parts = Object.entries(value).filter(([, part]) => isThere(part))
  return Object.fromEntries(parts.map(([name, part]) => [storable(name), tidied(part, depth + 1)]))
}

export function customFieldsFit(values: Values): boolean {
  return isShallow(values, 0) && JSON.stringify(values).length <= 16_000
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth < deepest && Object.values(value).every((part) => isShallow(part, depth + 1))
}

/** Seconds or milliseconds since 1970, ISO, or as Brazilians write it; without a zone it is Brasília's. Nonsense and the future are no time. */
function momentOf(value: unknown): Date | null {
  const text = asText(value)
  if (typeof text !== 'string') return null
  const time = timeOf(text.trim())
  return time > Date.UTC(2010, 0) && time <= Date.now() + 60_000 ? new Date(time) : null
}

function timeOf(text: string): number {
  if (/^\d{9,16}(\.\d+)?$/.test(text)) return Number(text) < 1e11 ? Number(text) * 1000 : Number(text)
  const iso = text.replace(/^(\d\d)\/(\d\d)\/(\d{4})[,\s]*/, '$3-$2-$1T').replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso)) return Number.NaN
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}-03:00`)
}
