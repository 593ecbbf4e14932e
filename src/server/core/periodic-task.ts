// Repeats a task while the server runs.

interface PeriodicTask {
  periodMs: number
  work(): Promise<void>
  /** Called once per outage, because the task repeats every few seconds. */
  onFailure(error: unknown): void
}

export function createPeriodicTask({ periodMs, work, onFailure }: PeriodicTask) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isFailing = false

  async function attempt(): Promise<void> {
    try {
      await work()
      isFailing = false
    } catch (error) {
      if (!isFailing) onFailure(error)
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
