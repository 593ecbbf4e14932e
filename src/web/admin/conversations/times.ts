// Days and hours as they are in Brasília, whatever the clock of the machine says.
const timeZone = 'America/Sao_Paulo'
const dayAndYear = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'long' })
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', year: '2-digit' })
const hour = new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })

export const hourOf = (moment: string) => hour.format(new Date(moment))
export const fullTimeOf = (moment: string) => `${dayAndYear.format(new Date(moment))}, ${hourOf(moment)}`

const dayMs = 24 * 3_600_000

/** The day of a moment in words, as seen from another. */
export function dayOf(moment: string, now = new Date()): string {
  const day = dayAndYear.format(new Date(moment))
  if (day === dayAndYear.format(now)) return 'Hoje'
  return day === dayAndYear.format(new Date(now.getTime() - dayMs)) ? 'Ontem' : day
}

/** As short as it can be told. */
export function shortTimeOf(moment: string, now = new Date()): string {
  const day = dayOf(moment, now)
  if (day === 'Hoje') return hourOf(moment)
  return day === 'Ontem' ? `Ontem, ${hourOf(moment)}` : dayAndMonth.format(new Date(moment))
}
