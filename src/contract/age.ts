// Legal age in Brazil, by the day in Brasília.

const adultYears = 18
const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })

/**
 * Whether a person born on `day` (`YYYY-MM-DD`) is an adult at the time `now`. Who was born on 29 February has the
 * birthday on 1 March in other years.
 */
export function isAdult(day: string, now: Date): boolean {
  const comingOfAge = `${Number(day.slice(0, 4)) + adultYears}${day.slice(4)}`
  return dayFormat.format(now) >= comingOfAge
}
