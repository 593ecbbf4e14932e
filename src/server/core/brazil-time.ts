// Independent of the time zone of the machine.
const timeZone = 'America/Sao_Paulo'

const offsetFormat = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
const timeFormat = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

/** Start of a day (`YYYY-MM-DD`) in Brazil. */
export function startOfDay(day: string): Date {
  const estimate = new Date(`${day}T00:00:00-03:00`)
  const [, actual = '-03:00'] = /GMT([+-]\d\d:\d\d)/.exec(offsetFormat.format(estimate)) ?? []
  return new Date(`${day}T00:00:00${actual}`)
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10)
}

/** `2026-11-15 09:30:00`: the order of the texts is that of the times, and no program takes the month for the day. */
export const localTime = (time: Date) => timeFormat.format(time)
