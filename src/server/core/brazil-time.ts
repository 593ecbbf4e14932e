// Days and hours as they are in America/Sao_Paulo, whatever the clock of the machine is set to.
const timeZone = 'America/Sao_Paulo'

const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
const parts = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

/** The moment at which a day, as `AAAA-MM-DD`, begins. */
export function startOfDay(day: string): Date {
  const usual = new Date(`${day}T00:00:00-03:00`)
  const [, actual = '-03:00'] = /GMT([+-]\d\d:\d\d)/.exec(offset.format(usual)) ?? []
  return new Date(`${day}T00:00:00${actual}`)
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10)
}

/** `15/11/2026 09:30:00` */
export function localTime(moment: Date): string {
  return parts.format(moment).replace(', ', ' ')
}
