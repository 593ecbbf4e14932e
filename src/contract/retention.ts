// For how long personal data is kept, in words.
import type { PeopleKind } from '#contract/admin/people.ts'

/** Days. Null: nothing is erased by date. */
export interface RetentionPeriods extends Record<PeopleKind, number | null> {
  /** Messages of the chatbot. */
  mensagens: number | null
}

// A line does not break between the number and its unit.
const amount = (n: number, one: string, many: string) => `${n}\u00a0${n === 1 ? one : many}`

/** "2 anos", "6 meses" or "100 dias". */
function formatPeriod(days: number): string {
  if (days % 365 === 0) return amount(days / 365, 'ano', 'anos')
  if (days % 30 === 0) return amount(days / 30, 'mês', 'meses')
  return amount(days, 'dia', 'dias')
}

const subjects: Record<keyof RetentionPeriods, { name: string; since: string }> = {
  assinaturas: { name: 'assinaturas', since: 'depois do fim da campanha' },
  voluntarios: { name: 'voluntários', since: 'depois do cadastro' },
  influenciadores: { name: 'influenciadores', since: 'depois do cadastro' },
  lideres: { name: 'líderes', since: 'depois do cadastro' },
  mensagens: { name: 'mensagens do robô', since: 'depois de chegarem' },
}
const kinds = Object.keys(subjects) as (keyof RetentionPeriods)[]

interface DescribedPeriod {
  kind: keyof RetentionPeriods
  /** "voluntários". */
  name: string
  /** "2 anos depois do cadastro". */
  period: string
}

/** What is erased by date. */
export const describePeriods = (periods: RetentionPeriods): DescribedPeriod[] =>
  kinds.flatMap((kind) => {
    const { name, since } = subjects[kind]
    const days = periods[kind]
    return days === null ? [] : [{ kind, name, period: `${formatPeriod(days)} ${since}` }]
  })

/** The kinds of data without a period, as in "influenciadores e líderes". */
export const namesWithoutPeriod = (periods: RetentionPeriods): string =>
  new Intl.ListFormat('pt-BR').format(kinds.filter((kind) => periods[kind] === null).map((kind) => subjects[kind].name))
