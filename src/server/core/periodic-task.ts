// Repeats a task while the server runs. A failure is logged once per outage, because the task repeats every few seconds.
import type { Log } from '#server/core/log.ts'

interface PeriodicTask {
  log: Log
  periodMs: number
  work(): Promise<void>
  /** The log message of a failure. */
  failure: string
}

export function createPeriodicTask({ log, periodMs, work, failure }: PeriodicTask) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isFailing = false

  async function attempt(): Promise<void> {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, failure)
      isFailing = true
    }
  }

  return {
    /** Runs the task now. Calls at the same time share one run. */
    apply(): Promise<void> {
      running ??= attempt().finally(() => {
        running = undefined
      })
      return running
    },
    start(): void {
      timer = setInterval(() => void this.apply(), periodMs)
      timer.unref()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}
