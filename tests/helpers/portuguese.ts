// Checks that error messages are Portuguese. The default messages of libraries are English.
import { expect } from 'vitest'
import { refusalSchema } from '#contract/refusals.ts'

const english =
  /\b(invalid|input|expected|received|required|error|request|bad|not|found|client|timeout|exceeded|must|should|too|unexpected|body|header|failed|unknown|unrecognized|key|string|number|array|object|boolean|undefined|null|the|is|of|to|unsupported|payload|type|part|limit|reached|forbidden|allowed|unavailable)\b/i

/** `text` is the JSON of an error response. */
export function expectPortuguese(text: string, context = text): void {
  const refusal = JSON.parse(text)
  const { success, message, code: _, errors = {}, ...rest } = refusal
  expect({ success, rest: Object.keys(rest).filter((name) => name !== 'current') }, context).toEqual({
    ...{ success: false, rest: [] },
  })
  expect(refusalSchema.safeParse(refusal).error, context).toBeUndefined()
  expect(message, context).toMatch(/^[A-ZÀ-Ú].+\S$/)
  for (const entry of [message, ...Object.values(errors)]) expect(String(entry), context).not.toMatch(english)
}
