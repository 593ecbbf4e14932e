// At what pace a campaign grows, and when it reaches the next milestone if it keeps to it. Whole hours alone: the open one would pull the pace down.
import { nextMilestone } from '#contract/admin/numbers.ts'

const hourMs = 60 * 60_000
const farthestMs = 10 * 365 * 24 * hourMs

/** By the time each hour began. */
export type Hours = Map<number, number>

export const hourOf = (time: number) => Math.floor(time / hourMs) * hourMs

/** Signatures of this many whole hours up to the open one. */
export function signaturesIn(hours: number, byHour: Hours, now: number): number {
  const open = hourOf(now)
  let sum = 0
  for (const [hour, n] of byHour) if (hour < open && hour >= open - hours * hourMs) sum += n
  return sum
}

/** The last so many hours, the open one last, none left out. */
export function lastHours(count: number, byHour: Hours, now: number): { hour: string; signatures: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const hour = hourOf(now) - (count - 1 - index) * hourMs
    return { hour: new Date(hour).toISOString(), signatures: byHour.get(hour) ?? 0 }
  })
}

export interface Growth {
  count: number
  byHour: Hours
  /** The day of the first signature was before the hours that are known. */
  isOld: boolean
  now: number
}

export function milestoneAhead({ count, byHour, isOld, now }: Growth) {
  const next = nextMilestone(count)
  const missing = next - count
  // A campaign that began this morning is not slowed by the night before it existed.
  const firstHour = isOld ? Number.NEGATIVE_INFINITY : Math.min(...byHour.keys())
  const hours = Math.min(24, (hourOf(now) - firstHour) / hourMs)
  const perHour = hours >= 1 ? signaturesIn(hours, byHour, now) / hours : 0
  const leftMs = (missing / perHour) * hourMs
  const projected =
    leftMs < farthestMs ? { at: new Date(now + leftMs).toISOString(), perHour: round(perHour), hours } : null
  return { next, missing, projected }
}

const round = (value: number) => Math.round(value * 10) / 10

/** Every day from the first to the last, with what it brought. */
export function everyDay(byDay: Map<string, number>, today: string): { day: string; signatures: number }[] {
  const first = [...byDay.keys()].sort()[0]
  if (first === undefined) return []
  const days = []
  for (let at = Date.parse(first); ; at += 24 * hourMs) {
    const day = new Date(at).toISOString().slice(0, 10)
    days.push({ day, signatures: byDay.get(day) ?? 0 })
    if (day >= today) return days
  }
}
