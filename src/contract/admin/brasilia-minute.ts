// A minute in Brasília time, such as `2026-11-20T09:00`, as a `datetime-local` input sends it.
import * as z from 'zod/mini'

export const brasiliaMinute = (error: string) => z.string(error).check(z.refine(isMinute, error))

/** Absent and empty mean none. */
export const optionalMinute = (error: string) =>
  z.pipe(
    z.nullish(z.string(error).check(z.refine((value) => value === '' || isMinute(value), error))),
    z.transform((value) => value || null),
  )

/** Until 2099: the last hours of 9999 are in the year 10000 in UTC, which PostgreSQL does not read. */
function isMinute(value: string): boolean {
  if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d$/.test(value)) return false
  const time = new Date(`${value}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value)
}
