// How people of each kind are named, counted and dated in the lists.
import type { PeopleKind } from '#contract/admin/people.ts'
import { counted } from '#web/admin/ui/amounts.ts'

export const kindNames: Record<PeopleKind, { list: string; one: string; many: string }> = {
  assinaturas: { list: 'Assinaturas', one: 'assinatura', many: 'assinaturas' },
  voluntarios: { list: 'Voluntários', one: 'voluntário', many: 'voluntários' },
  influenciadores: { list: 'Influenciadores', one: 'influenciador', many: 'influenciadores' },
  lideres: { list: 'Líderes', one: 'líder', many: 'líderes' },
}

export function countInWords(tipo: PeopleKind, { total, exato }: { total: number; exato: boolean }): string {
  const { one, many } = kindNames[tipo]
  return `${exato ? '' : 'mais de '}${counted(total, one, many)}`
}

export const dayInWords = (day: string) => day.split('-').reverse().join('/')

/** A number that begins with + names its country itself. */
export function whatsappLink(whatsapp: string): string {
  const digits = whatsapp.replace(/\D/g, '')
  const isWhole = whatsapp.trim().startsWith('+') || digits.length > 11
  return `https://wa.me/${isWhole ? digits : `55${digits}`}`
}
