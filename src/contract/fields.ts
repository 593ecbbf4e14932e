// The kinds of field that forms are made of: each checks and tidies one value, the same way in the browser and on the server.
// Kinds that a signature does not need are in `longer-form-fields.ts`, which petition pages do not load.
import * as z from 'zod/mini'
import { messages } from '#contract/messages.ts'
import { stateCodes } from '#contract/states.ts'

// Control characters and lone surrogates cannot be stored as text; refused here, they never reach the database.
export const unstorable = /[\p{Cc}\p{Cs}]/u
// Invisible direction marks turn a name around the text that follows it in e-mails and lists.
export const invisible = /[\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g

// Most lines are words of Latin letters with one space between them: nothing to tidy, nothing to refuse.
const tidyLine = /^(?:[!-~¡-ɏ]+(?: [!-~¡-ɏ]+)*)?$/

export interface TextRule {
  min?: number
  max: number
  short: string
  long: string
}

/** A check that tidies the value first, then says what is wrong with it, if anything. One step: a rule each would cost twice the time. */
export function tidied(
  tidy: (value: string) => string,
  wrong: (value: string) => string | undefined,
): z.core.CheckFn<string> {
  return (payload) => {
    payload.value = tidy(payload.value)
    const message = wrong(payload.value)
    if (message !== undefined) payload.issues.push({ code: 'custom', message, input: payload.value, continue: false })
  }
}

/** What a kind of line asks for besides. */
interface LineKind {
  change?(value: string): string
  wrong?(value: string): string | undefined
}

/** One line of text: spaces tidied. What is far too long is refused before anything costlier looks at it. */
export function line({ min = 0, max, short, long }: TextRule, { change, wrong }: LineKind = {}) {
  function tidy(value: string): string {
    const isTidy = value.length > max * 4 || tidyLine.test(value)
    const tidied = isTidy ? value : value.replace(invisible, '').replace(/\s+/g, ' ').trim()
    return change ? change(tidied) : tidied
  }
  return z.string(short).check(
    tidied(tidy, (value) => {
      if (value.length > max) return long
      if (!tidyLine.test(value) && unstorable.test(value)) return messages.fields.caracteres
      return value.length < min ? short : wrong?.(value)
    }),
  )
}

/** An optional line: absent and empty are the same thing. */
export function optionalLine(rule: Pick<TextRule, 'max' | 'long'>) {
  return z.pipe(
    z.nullish(line({ ...rule, short: messages.fields.caracteres })),
    z.transform((value) => value || null),
  )
}

// Parts with dots between them, on both sides: no part is empty, those of the domain begin and end with a letter or digit, and the last is letters alone.
const address =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}$/

export function email() {
  const sentence = messages.fields.email
  return line(
    { max: 254, short: sentence, long: sentence },
    { change: (value) => value.toLowerCase(), wrong: (value) => (address.test(value) ? undefined : sentence) },
  )
}

export function stateCode() {
  const sentence = messages.fields.estado
  return z.pipe(
    line({ max: 30, short: sentence, long: sentence }, { change: (value) => value.toUpperCase() }),
    z.enum(stateCodes, sentence),
  )
}

/** A box that a JSON client sends as a boolean and a plain form as "on" or not at all. */
export function checkbox() {
  return z.pipe(
    z.nullish(z.union([z.boolean(), z.enum(['on', 'true', 'false', ''])], messages.fields.marcacao)),
    z.transform((value) => value === true || value === 'on' || value === 'true'),
  )
}

/** The hidden field that only robots fill: whether it was, with whatever. */
export function honeypot() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => Boolean(value)),
  )
}

/** A number that the page filled in by itself, as text in a plain form: nobody is refused for what they did not type. */
export function version() {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value) => {
      const number = typeof value === 'string' ? Number(value) : value
      return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined
    }),
  )
}
