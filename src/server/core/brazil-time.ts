// Independent of the time zone of the machine.
const timeZone = 'America/Sao_Paulo'

const offsetFormat = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
const timeFormat = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })

/** The time of a minute (`YYYY-MM-DDTHH:MM`) in Brazil. */
export function timeOfMinute(minute: string): Date {
  const estimate = new Date(`${minute}:00-03:00`)
  const [, actual = '-03:00'] = /GMT([+-]\d\d:\d\d)/.exec(offsetFormat.format(estimate)) ?? []
  return new Date(`${minute}:00${actual}`)
}

/** The minute in Brazil, as `timeOfMinute` takes it. */
export const minuteOf = (time: Date) => localTime(time).slice(0, 16).replace(' ', 'T')

/** Start of a day (`YYYY-MM-DD`) in Brazil. */
export const startOfDay = (day: string) => timeOfMinute(`${day}T00:00`)

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10)
}

/** The day (`YYYY-MM-DD`) in Brazil. */
export const dayOf = (time: Date) => localTime(time).slice(0, 10)

/** `2026-11-15 09:30:00`: the order of the texts is that of the times, and no program takes the month for the day. */
export const localTime = (time: Date) => timeFormat.format(time)
