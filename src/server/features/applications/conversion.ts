// Encrypts the reserved data of leaders that an earlier version has stored, in the background and on any node.
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Encryption } from '#server/core/encryption.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { Database } from '#server/db/database.ts'
import { encryptStoredLeaders } from '#server/db/reserved-data.ts'

/** Repeated: during an upgrade, servers of the earlier version still store records. */
const periodMs = 10 * 60_000

interface ConversionDeps {
  database: Database
  log: Log
  throttle: BackgroundThrottle
}

export function createConversion({ database, log, throttle }: ConversionDeps, encryption: Encryption) {
  const stopping = new AbortController()
  const convertPage = async () => (stopping.signal.aborted ? 0 : encryptStoredLeaders(database, encryption))
  const task = createPeriodicTask({
    periodMs,
    async work() {
      while ((await throttle.run(convertPage, stopping.signal)) > 0);
    },
    onFailure: (error) => log.warn({ err: error }, 'stored data of leaders not encrypted'),
  })
  return {
    start(): void {
      task.start()
      void task.apply()
    },
    stop(): Promise<void> {
      stopping.abort()
      return task.stop()
    },
  }
}
