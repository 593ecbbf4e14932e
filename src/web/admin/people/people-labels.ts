import { kindLabels, type PeopleKind } from '#contract/admin/people.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'

export function formatPeopleCount(tipo: PeopleKind, { total, exato }: { total: number; exato: boolean }): string {
  const { one, many } = kindLabels[tipo]
  return `${exato ? '' : 'mais de '}${pluralize(total, one, many)}`
}

export const formatDay = (day: string) => day.split('-').reverse().join('/')

/** A number that starts with + contains the country code. */
export function whatsappLink(whatsapp: string): string {
  const digits = whatsapp.replace(/\D/g, '')
  const hasCountryCode = whatsapp.trim().startsWith('+') || digits.length > 11
  return `https://wa.me/${hasCountryCode ? digits : `55${digits}`}`
}
