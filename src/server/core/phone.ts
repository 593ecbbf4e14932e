// Brazilian phone numbers, however they are written: with or without the country, the ninth digit, signs.

const isForeign = (text: string) => /^\s*\+(?!\s*55)/.test(text)

/** DDD and number; nothing for a number of another country, or for none. */
export function nationalNumber(text: string): string | undefined {
  if (isForeign(text)) return undefined
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  // 55 is also an area code: only what is too long with it has a country code.
  const national = digits.length > 11 ? digits.replace(/^550*/, '') : digits
  return /^[1-9][1-9](9\d{8}|\d{8})$/.test(national) ? national : undefined
}

/** `(11) 98765-4321`, however it was typed; as it was typed when it is no Brazilian number. */
export function formatPhone(text: string): string {
  const digits = text.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '')
  const national = nationalNumber(text) ?? (isForeign(text) ? '' : digits)
  const [, area, first, last] = /^(\d\d)(\d{4,5})(\d{4})$/.exec(national) ?? []
  return area ? `(${area}) ${first}-${last}` : text.trim()
}

/** E.164: `+5511987654321`; empty when what was typed does not tell the country or the area. */
export function e164Of(text: string): string {
  const national = nationalNumber(text)
  if (national) return `+55${national}`
  const digits = text.replace(/\D/g, '')
  return isForeign(text) && /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : ''
}

/** The same for every way to write a number: DDD and the last eight digits. */
export function phoneKey(text: string): string | undefined {
  const national = nationalNumber(text)
  return national && national.slice(0, 2) + national.slice(-8)
}

/** What a search for a phone goes by: its key, or its last eight digits when the area was left out. */
export function typedPhone(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '')
  return phoneKey(text) ?? (digits.length === 8 || digits.length === 9 ? digits.slice(-8) : undefined)
}
