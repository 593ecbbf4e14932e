// Always Brasília time, whatever the time zone of the machine.
const timeZone = 'America/Sao_Paulo'
const dayAndYear = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'long' })
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { timeZone, day: '2-digit', month: '2-digit', year: '2-digit' })
const hour = new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit' })

export const hourOf = (time: string) => hour.format(new Date(time))
export const fullTimeOf = (time: string) => `${dayAndYear.format(new Date(time))}, ${hourOf(time)}`

const dayMs = 24 * 3_600_000

/** "Hoje", "Ontem" or the date, relative to `now`. */
export function dayOf(time: string, now = new Date()): string {
  const day = dayAndYear.format(new Date(time))
  if (day === dayAndYear.format(now)) return 'Hoje'
  return day === dayAndYear.format(new Date(now.getTime() - dayMs)) ? 'Ontem' : day
}

/** The time for today, the day and time for yesterday, otherwise the date. */
export function shortTimeOf(time: string, now = new Date()): string {
  const day = dayOf(time, now)
  if (day === 'Hoje') return hourOf(time)
  return day === 'Ontem' ? `Ontem, ${hourOf(time)}` : dayAndMonth.format(new Date(time))
}
