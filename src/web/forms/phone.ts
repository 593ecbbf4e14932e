// What people type as a phone number, reduced to the national digits that the contract asks for.

/** `(11) 98765-4321` and `+55 11 98765-4321` are both `11987654321`. */
export function nationalDigits(typed: string): string {
  const text = typed.trim()
  const digits = text.replace(/\D/g, '')
  if (/^(\+\s*|00)55/.test(text)) return withoutTrunkZero(digits.replace(/^(00)?55/, ''))
  // Another country's number must not pass for one of ours: it is left as it is, for the rule to refuse.
  if (text.startsWith('+')) return text
  // 55 is also an area code: only what is too long with it has a country code.
  return withoutTrunkZero(digits.length > 11 ? digits.replace(/^55/, '') : digits)
}

/** The zero that is dialled before an area code is not a part of it. */
const withoutTrunkZero = (digits: string) => digits.replace(/^0(?!0)/, '')
