// Keeps tests that count by day or hour from running across the boundary.
import { setTimeout as delay } from 'node:timers/promises'

const hourMs = 60 * 60_000
const periods = { hour: hourMs, day: 24 * hourMs }
/** Brasília has no daylight saving time. */
const offsetMs = 3 * hourMs

/** Waits for the next day or hour in Brasília if less than `roomMs` remain of the current one. */
export async function avoidBoundary(unit: keyof typeof periods, roomMs = 30_000): Promise<void> {
  const remaining = timeUntilBoundary(unit, Date.now())
  // The clock of the database may differ a little.
  if (remaining < roomMs) await delay(remaining + 500)
}

export function timeUntilBoundary(unit: keyof typeof periods, now: number): number {
  return periods[unit] - ((now - offsetMs) % periods[unit])
}
