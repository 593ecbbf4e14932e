// How people of each kind are named, counted and dated in the lists.
import type { PeopleKind } from '#contract/admin/people.ts'

export const kindNames: Record<PeopleKind, { list: string; one: string; many: string }> = {
  assinaturas: { list: 'Assinaturas', one: 'assinatura', many: 'assinaturas' },
  voluntarios: { list: 'Voluntários', one: 'voluntário', many: 'voluntários' },
  influenciadores: { list: 'Influenciadores', one: 'influenciador', many: 'influenciadores' },
  lideres: { list: 'Líderes', one: 'líder', many: 'líderes' },
}

export const inWords = (number: number) => number.toLocaleString('pt-BR')

export function countInWords(tipo: PeopleKind, { total, exato }: { total: number; exato: boolean }): string {
  const { one, many } = kindNames[tipo]
  return `${exato ? '' : 'mais de '}${inWords(total)} ${total === 1 ? one : many}`
}

const timeZone = 'America/Sao_Paulo'
const short = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone })

export const momentInWords = (moment: string) => short.format(new Date(moment))
export const dayInWords = (day: string) => day.split('-').reverse().join('/')
