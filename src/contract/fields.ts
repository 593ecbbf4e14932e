// Form fields, the same for browser and server. Fields that signatures do not need are in `longer-form-fields.ts`,
// which petition pages do not load.
import * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'
import { stateCodes } from '#contract/states.ts'

// Control characters and lone surrogates cannot be stored as text. They are rejected before they reach the database.
export const unstorable = /[\p{Cc}\p{Cs}]/u
// Invisible direction marks in a name reverse the text that follows it in e-mails and lists.
export const invisible = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

// Fast path: most values are Latin words with single spaces. They need no normalization and no character check.
const normalizedLine = /^(?:[!-~¡-ɏ]+(?: [!-~¡-ɏ]+)*)?$/

export interface TextRule {
  min?: number
  max: number
  short: string
  long: string
}

/**
 * Normalizes and validates in one check: two checks take twice the time. `validate` returns an error message.
 * `lengths` are for the description of the API: zod reads them from the schema's `bag`.
 */
export function normalizeAndCheck(
  normalize: (value: string) => string,
  validate: (value: string) => string | undefined,
  lengths: { minimum?: number; maximum: number },
): z.core.$ZodCheck<string> {
  const check: z.core.CheckFn<string> = (payload) => {
    payload.value = normalize(payload.value)
    const message = validate(payload.value)
    if (message !== undefined) payload.issues.push({ code: 'custom', message, input: payload.value, continue: false })
  }
  return { _zod: { check, def: { check: 'custom' }, onattach: [({ _zod }) => Object.assign(_zod.bag, lengths)] } }
}

/** Additional rules for a kind of line. */
interface LineKind {
  transform?(value: string): string
  validate?(value: string): string | undefined
}

/** One line of text with single spaces. Far too long values are rejected without the costly normalization. */
export function line({ min = 0, max, short, long }: TextRule, { transform, validate }: LineKind = {}) {
  function normalize(value: string): string {
    const isUnchanged = value.length > max * 4 || normalizedLine.test(value)
    const normalized = isUnchanged ? value : value.replace(invisible, '').replace(/\s+/g, ' ').trim()
    return transform ? transform(normalized) : normalized
  }
  return z.string(short).check(
    normalizeAndCheck(
      normalize,
      (value) => {
        if (value.length > max) return long
        if (!normalizedLine.test(value) && unstorable.test(value)) return messages.fields.caracteres
        return value.length < min ? short : validate?.(value)
      },
      { minimum: min, maximum: max },
    ),
  )
}

/** Absent and empty both become null. */
export function optionalLine(rule: Pick<TextRule, 'max' | 'long'>) {
  return z.pipe(
    z.nullish(line({ ...rule, short: messages.fields.caracteres })),
    z.transform((value) => value || null),
  )
}

// Both sides are non-empty parts separated by dots. Domain parts begin and end with a letter or digit; the last has
// only letters.
const address =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}$/

export function email() {
  const message = messages.fields.email
  return line(
    { max: 254, short: message, long: message },
    { transform: (value) => value.toLowerCase(), validate: (value) => (address.test(value) ? undefined : message) },
  )
}

export function stateCode() {
  const message = messages.fields.estado
  return z.pipe(
    line({ max: 30, short: message, long: message }, { transform: (value) => value.toUpperCase() }),
    z.enum(stateCodes, message),
  )
}

/** A JSON client sends a boolean; an HTML form sends "on" or nothing. */
export function checkbox() {
  return z.pipe(
    z.nullish(z.union([z.boolean(), z.enum(['on', 'true', 'false', ''])], messages.fields.marcacao)),
    z.transform((value) => value === true || value === 'on' || value === 'true'),
  )
}

/** Hidden field that only robots fill: true if it has any value. */
export function honeypot() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => Boolean(value)),
  )
}

/** A number that the page fills in, as text in an HTML form. An invalid one is ignored: the visitor did not type it. */
export function version() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => {
      const number = typeof value === 'string' ? Number(value) : value
      return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
    }),
  )
}
