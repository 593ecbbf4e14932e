// The log: one JSON line per event, and never a person in it. The last warnings and errors stay in memory, for administrators to see.
import { type DestinationStream, type Logger, pino } from 'pino'
import { createRecentFailures, type RecentFailure } from '#server/core/recent-failures.ts'

export interface Log extends Logger {
  recentFailures(): RecentFailure[]
}

const warning = 40

export function createLog(level: string, destination?: DestinationStream): Log {
  const failures = createRecentFailures()
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: {
        logMethod(given, method, at) {
          const [about, message] = given as [{ err?: unknown; route?: string }, string | undefined]
          // Of the error its name and code alone: the log is for the operator, this is for every administrator. So too words without
          // anything before them are left out: none of ours are, and those of a library may quote an address.
          if (at >= warning && message) {
            const { type, code } = describeError(about.err)
            failures.note({ message, route: about.route, type, code })
          }
          method.apply(this, given)
        },
      },
    },
    destination,
  )
  return Object.assign(logger, { recentFailures: failures.list })
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
