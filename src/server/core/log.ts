// The log: one JSON line per event, and never a person in it.
import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } },
    destination,
  )
}

interface MaybeDatabaseError extends Error {
  code?: string
  severity?: string
  routine?: string
  constraint?: string
}

/** Messages of database and parsing errors quote the values they stumbled on, so only their codes are kept. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name, code, severity, routine, constraint, cause, message, stack = '' } = error as MaybeDatabaseError
  const quotesValues =
    severity !== undefined || cause !== undefined || error instanceof SyntaxError || name.endsWith('ZodError')
  return {
    type: name,
    code,
    ...(quotesValues ? { routine, constraint } : { message }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
    // The stack repeats the message, and a message of several lines can hold one that looks like a place.
    at: stack
      .replace(message, '')
      .split('\n')
      .filter((line) => line.startsWith('    at ')),
  }
}
