import type { JsonSchema } from '#server/features/api-docs/openapi.ts'

const typeNames: Record<string, string> = {
  string: 'texto',
  number: 'número',
  integer: 'número inteiro',
  boolean: 'true ou false',
  object: 'objeto',
  array: 'lista',
}

/** The type and the limits of a value, in Portuguese. */
export function schemaInWords(schema: JsonSchema): string {
  const { anyOf, type, enum: options, const: constant, items, pattern, contentMediaType, maxLength } = schema
  if (anyOf) return [...new Set(anyOf.map((option) => schemaInWords(option as JsonSchema)))].join(', ou ')
  if (constant !== undefined) return JSON.stringify(constant)
  if (options) return `um de: ${options.map((option) => (option === '' ? '(vazio)' : option)).join(', ')}`
  if (contentMediaType) return 'arquivo JPEG, PNG ou WebP'
  if (pattern && maxLength === undefined) return `texto no formato ${pattern}`
  const types = [type ?? []].flat().map((each) => typeNames[each] ?? each)
  const isSimpleList = items && !(items as JsonSchema).properties
  const facts = [
    types.join(' ou ') || 'qualquer valor',
    range(schema.minLength, maxLength, ' caracteres'),
    range(schema.minimum, schema.maximum),
    range(undefined, schema.maxItems, ' itens'),
    isSimpleList && `cada item: ${schemaInWords(items as JsonSchema)}`,
  ]
  return facts.filter(Boolean).join(', ')
}

function range(min: number | undefined, max: number | undefined, unit = ''): string {
  // Integers without a limit of their own have that of JavaScript.
  const isLimit = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
  const limits = [isLimit(min) && `de ${min}`, isLimit(max) && `até ${max}`].filter(Boolean)
  return limits.length > 0 ? limits.join(' ') + unit : ''
}
