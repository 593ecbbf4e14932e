// Deletes what has expired, on every node that delivers: at its start, so that a restored backup keeps nothing longer, and
// every hour.
import { type SQL, sql } from 'drizzle-orm'
import type { LocalMailbox } from '#server/adapters/local-mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { Database } from '#server/db/database.ts'
import { deleteExpiredRows } from '#server/db/retention.ts'
import { createRecordExpiry } from '#server/features/retention/record-expiry.ts'

interface RetentionParts {
  config: Pick<Config, 'retention'>
  database: Database
  log: Log
  throttle: BackgroundThrottle
  mailbox: Pick<LocalMailbox, 'forgetRecipients'>
  /** Called after spreadsheet rows were queued. */
  onQueued(): void
  now?: SQL
}

const periodMs = 3_600_000

export function createRetention({ config, log, now = sql`now()`, ...parts }: RetentionParts) {
  const stopping = new AbortController()
  const expiry = createRecordExpiry({ ...parts, periods: config.retention, signal: stopping.signal, now })
  const task = createPeriodicTask({
    periodMs,
    async work() {
      await deleteExpiredRows(parts.database, config.retention.mensagens, stopping.signal)
      await expiry.eraseExpired()
    },
    onFailure: (error) => log.warn({ err: error }, 'expired data not deleted'),
  })
  return {
    ...task,
    start(): void {
      void task.apply()
      task.start()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await task.stop()
    },
  }
}
