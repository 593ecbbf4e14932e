// Whether a refusal speaks Portuguese: what libraries say by themselves is English.
import { expect } from 'vitest'

const english =
  /\b(invalid|input|expected|received|required|error|request|bad|not|found|client|timeout|exceeded|must|should|too|unexpected|body|header|failed|unknown|unrecognized|key|string|number|array|object|boolean|undefined|null|the|is|of|to|unsupported|payload|type|part|limit|reached|forbidden|allowed|unavailable)\b/i

/** `text` is the JSON of a refusal. */
export function expectPortuguese(text: string, said = text): void {
  const { success, message, errors = {}, ...rest } = JSON.parse(text)
  expect({ success, rest: Object.keys(rest).filter((name) => name !== 'current') }, said).toEqual({
    ...{ success: false, rest: [] },
  })
  expect(message, said).toMatch(/^[A-ZÀ-Ú].+\S$/)
  for (const sentence of [message, ...Object.values(errors)]) expect(String(sentence), said).not.toMatch(english)
}
