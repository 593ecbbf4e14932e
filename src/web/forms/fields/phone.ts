import type { FormValues } from '#web/forms/submission/form-values.ts'

/** The national digits, as the contract requires: `(11) 98765-4321` and `+55 11 98765-4321` are both `11987654321`. */
export function nationalDigits(typed: string): string {
  const text = typed.trim()
  const digits = text.replace(/\D/g, '')
  if (/^(\+\s*|00)55/.test(text)) return withoutTrunkZero(digits.replace(/^(00)?55/, ''))
  // A foreign number must not be taken for a Brazilian one: it stays as it is, and validation refuses it.
  if (text.startsWith('+')) return text
  // 55 is also an area code: it is the country code only if the number is too long with it.
  return withoutTrunkZero(digits.length > 11 ? digits.replace(/^55/, '') : digits)
}

/** The zero that is dialled before an area code is not part of the number. */
const withoutTrunkZero = (digits: string) => digits.replace(/^0(?!0)/, '')

export const withNationalDigits = (values: FormValues) => ({
  ...values,
  whatsapp: nationalDigits(String(values.whatsapp ?? '')),
})
