// Brazilian phone numbers in any notation: with or without country code, ninth digit and punctuation.
const isForeign = (text: string) => /^\s*\+(?!\s*55)/.test(text)

/** Area code (DDD) and number; undefined for a foreign or invalid number. */
export function nationalNumber(text: string): string | undefined {
  if (isForeign(text)) return undefined
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  // 55 is also an area code. It is a country code only if the number has more than 11 digits.
  const national = digits.length > 11 ? digits.replace(/^550*/, '') : digits
  return /^[1-9][1-9](9\d{8}|\d{8})$/.test(national) ? national : undefined
}

/**
 * `(11) 98765-4321`; the typed text if it is not a Brazilian number. This is text for every spreadsheet program: digits
 * are a number, and `+55` begins a formula.
 */
export function formatPhone(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '')
  const national = nationalNumber(text) ?? (isForeign(text) ? '' : digits)
  const [, area, first, last] = /^(\d\d)(\d{4,5})(\d{4})$/.exec(national) ?? []
  return area ? `(${area}) ${first}-${last}` : text.trim()
}

/** E.164: `+5511987654321`; empty if the country or the area is unknown. */
export function e164Of(text: string): string {
  const national = nationalNumber(text)
  if (national) return `+55${national}`
  const digits = text.replace(/\D/g, '')
  return isForeign(text) && /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : ''
}

/** Digits with the country code, as `wa.me` needs them. Numbers that are not Brazilian stay as they are. */
export const withCountryCode = (typed: string) => e164Of(typed).slice(1) || typed.replace(/\D/g, '')

/** Equal for every notation of a number: area code and last eight digits. */
export function phoneKey(text: string): string | undefined {
  const national = nationalNumber(text)
  return national && national.slice(0, 2) + national.slice(-8)
}

/** Search key of a typed phone: its phone key, or its last eight digits without an area code. */
export function typedPhone(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  return phoneKey(text) ?? (digits.length === 8 || digits.length === 9 ? digits.slice(-8) : undefined)
}

/** What forms send: `(11) 98765-4321` and `+55 11 98765-4321` are both `11987654321`. */
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
