// Restarts the thread of the embedded engine, with growing pauses, when it dies or no longer answers.
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Log } from '#server/core/log.ts'

const minPauseMs = 250
const maxPauseMs = 5_000
/** An engine that ran this long failed for a new reason: the pauses start again at the minimum. */
const stableAfterMs = 30_000
const openTimeoutMs = 60_000
const stopTimeoutMs = 3_000
const heartbeatMs = 500

interface SupervisorOptions {
  start(): Worker
  log: Log
  /** How long an open engine may be silent. Longer than any statement, because a busy thread does not answer. */
  heartbeatTimeoutMs: number
}

export interface SupervisedEngine {
  /** Shortens the timeouts because the process is stopping: nothing may wait for an engine that does not answer. */
  shortenTimeouts(): void
  stop(): Promise<void>
}

/** Rejects if the engine does not open at the first attempt. */
export async function superviseEngine({
  start,
  log,
  heartbeatTimeoutMs,
}: SupervisorOptions): Promise<SupervisedEngine> {
  const stopping = new AbortController()
  let limitMs = openTimeoutMs
  const startThread = () => monitor(start(), (open) => Math.min(limitMs, open ? heartbeatTimeoutMs : openTimeoutMs))
  let thread = startThread()
  await thread.opened
  void keepOpen()

  async function keepOpen(): Promise<void> {
    for (let pauseMs = minPauseMs; ; ) {
      const openSince = performance.now()
      await thread.ended
      if (stopping.signal.aborted) return
      const diedAt = performance.now()
      log.error({}, 'embedded database died; it is being opened again')
      if (diedAt - openSince > stableAfterMs) pauseMs = minPauseMs
      for (let open = false; !open; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        thread = startThread()
        open = await thread.opened.then(
          () => true,
          () => false,
        )
      }
      log.warn({ awayMs: Math.round(performance.now() - diedAt) }, 'embedded database is open again')
    }
  }

  function shortenTimeouts(): void {
    limitMs = stopTimeoutMs
  }

  return {
    shortenTimeouts,
    async stop() {
      stopping.abort()
      shortenTimeouts()
      thread.worker.postMessage('stop')
      const terminateTimer = setTimeout(() => thread.worker.terminate(), stopTimeoutMs)
      await thread.ended
      clearTimeout(terminateTimer)
    },
  }
}

interface Thread {
  worker: Worker
  opened: Promise<void>
  ended: Promise<void>
}

function monitor(worker: Worker, timeoutMs: (open: boolean) => number): Thread {
  // Counts heartbeats, not time: after the machine slept, the engine must not be terminated.
  let unanswered = 0
  let open = false
  const heartbeat = setInterval(() => {
    unanswered += 1
    if (unanswered * heartbeatMs > timeoutMs(open)) void worker.terminate()
    else worker.postMessage('ping')
  }, heartbeatMs)
  worker.on('message', () => {
    open = true
    unanswered = 0
  })
  let reason: unknown
  worker.on('error', (error) => {
    reason = error
  })
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      clearInterval(heartbeat)
      resolve()
    }),
  )
  const opened = new Promise<void>((resolve, reject) => {
    worker.once('message', resolve)
    void ended.then(() => reject(new Error('the embedded database did not open', { cause: reason })))
  })
  return { worker, opened, ended }
}
