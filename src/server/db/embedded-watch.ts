// Keeps the engine's thread running: one that dies, or answers nothing any more, is ended and started again, with growing pauses, until it opens.
import { setTimeout as delay } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Log } from '#server/core/log.ts'

const shortestPauseMs = 250
const longestPauseMs = 5_000
/** An engine that lived this long died of something new. */
const steadyMs = 30_000
const openingMs = 60_000
const leavingMs = 3_000
const beatMs = 500

export interface WatchOptions {
  start(): Worker
  log: Log
  /** How long an open engine may be silent. Longer than any statement takes: a thread at work does not answer either. */
  silenceMs: number
}

export interface Watched {
  /** The process is about to leave: nobody may wait any more for an engine that does not answer. */
  hurry(): void
  stop(): Promise<void>
}

/** Rejects when the engine does not open the first time. */
export async function watchEngine({ start, log, silenceMs }: WatchOptions): Promise<Watched> {
  const leaving = new AbortController()
  let mostMs = openingMs
  const startThread = () => listenTo(start(), (open) => Math.min(mostMs, open ? silenceMs : openingMs))
  let thread = startThread()
  await thread.opened
  void keepOpen()

  async function keepOpen(): Promise<void> {
    for (let pauseMs = shortestPauseMs; ; ) {
      const openSince = performance.now()
      await thread.ended
      if (leaving.signal.aborted) return
      const diedAt = performance.now()
      log.error({}, 'embedded database died; it is being opened again')
      if (diedAt - openSince > steadyMs) pauseMs = shortestPauseMs
      for (let open = false; !open; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
        await delay(pauseMs, undefined, { signal: leaving.signal }).catch(() => {})
        if (leaving.signal.aborted) return
        thread = startThread()
        open = await thread.opened.then(
          () => true,
          () => false,
        )
      }
      log.warn({ awayMs: Math.round(performance.now() - diedAt) }, 'embedded database is open again')
    }
  }

  function hurry(): void {
    mostMs = leavingMs
  }

  return {
    hurry,
    async stop() {
      leaving.abort()
      hurry()
      thread.worker.postMessage('stop')
      const late = setTimeout(() => thread.worker.terminate(), leavingMs)
      await thread.ended
      clearTimeout(late)
    },
  }
}

interface Thread {
  worker: Worker
  opened: Promise<void>
  ended: Promise<void>
}

function listenTo(worker: Worker, patienceMs: (open: boolean) => number): Thread {
  // Beats are counted, not time: a machine that slept must not cost the engine its life.
  let unanswered = 0
  let open = false
  const heart = setInterval(() => {
    unanswered += 1
    if (unanswered * beatMs > patienceMs(open)) void worker.terminate()
    else worker.postMessage('answer')
  }, beatMs)
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
      clearInterval(heart)
      resolve()
    }),
  )
  const opened = new Promise<void>((resolve, reject) => {
    worker.once('message', resolve)
    void ended.then(() => reject(new Error('the embedded database did not open', { cause: reason })))
  })
  return { worker, opened, ended }
}
