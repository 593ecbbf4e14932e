// Growth rate and next milestone of a campaign. Only whole hours count: the open hour would lower the rate.
import { nextMilestone } from '#contract/goals.ts'

const hourMs = 60 * 60_000
const maxProjectionMs = 10 * 365 * 24 * hourMs

/** Signatures by start of the hour. */
type CountsByHour = Map<number, number>

export const hourOf = (time: number) => Math.floor(time / hourMs) * hourMs

/** Signatures in the last whole hours, without the open hour. */
export function signaturesIn(hours: number, byHour: CountsByHour, now: number): number {
  const open = hourOf(now)
  let sum = 0
  for (const [hour, n] of byHour) if (hour < open && hour >= open - hours * hourMs) sum += n
  return sum
}

/** The last `count` hours without gaps, ending with the open hour. */
export function lastHours(count: number, byHour: CountsByHour, now: number): { hour: string; signatures: number }[] {
  return Array.from({ length: count }, (_, index) => {
    const hour = hourOf(now) - (count - 1 - index) * hourMs
    return { hour: new Date(hour).toISOString(), signatures: byHour.get(hour) ?? 0 }
  })
}

interface Growth {
  count: number
  byHour: CountsByHour
  /** The first signature is older than all hours in `byHour`. */
  isOld: boolean
  now: number
  /** The count does not grow with the signatures of `byHour`. */
  hasNoRate?: boolean
}

export function projectMilestone({ count, byHour, isOld, now, hasNoRate = false }: Growth) {
  const next = nextMilestone(count)
  const missing = next - count
  // The rate of a new campaign does not include hours before its first signature.
  const firstHour = isOld ? Number.NEGATIVE_INFINITY : Math.min(...byHour.keys())
  const hours = Math.min(24, (hourOf(now) - firstHour) / hourMs)
  const perHour = hours >= 1 && !hasNoRate ? signaturesIn(hours, byHour, now) / hours : 0
  const remainingMs = (missing / perHour) * hourMs
  const projected =
    remainingMs < maxProjectionMs
      ? { at: new Date(now + remainingMs).toISOString(), perHour: round(perHour), hours }
      : null
  return { next, missing, projected }
}

const round = (value: number) => Math.round(value * 10) / 10

/** Every day from the first signature until today, without gaps. */
export function everyDay(byDay: Map<string, number>, today: string): { day: string; signatures: number }[] {
  const first = [...byDay.keys()].sort()[0]
  if (first === undefined) return []
  const days = []
  for (let time = Date.parse(first); ; time += 24 * hourMs) {
    const day = new Date(time).toISOString().slice(0, 10)
    days.push({ day, signatures: byDay.get(day) ?? 0 })
    if (day >= today) return days
  }
}
