// Log: one JSON line per event, without personal data. Recent warnings and errors stay in memory for administrators.
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
        logMethod(args, method, severity) {
          const [details, message] = args as [{ err?: unknown; route?: string }, string | undefined]
          // Administrators see only the name and code of an error; the log itself is for the operator. Messages without
          // details are skipped: our code always passes details, and a message of a library may quote an address.
          if (severity >= warning && message) {
            const { type, code } = describeError(details.err)
            failures.record({ message, route: details.route, type, code })
          }
          method.apply(this, args)
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

/** Messages of database and parsing errors quote values, so only their codes are logged. */
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
    // The stack repeats the message, and a line of the message can look like a stack frame.
    at: stack
      .replace(message, '')
      .split('\n')
      .filter((line) => line.startsWith('    at ')),
  }
}
