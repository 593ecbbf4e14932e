// Streams of requests at planned times (open loop). Latency counts from the planned time, also when no connection was
// free, so that a server that pauses for a second shows it.
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'
import { newPeople } from './people.ts'
import { percentile } from './report.ts'

export interface Stream {
  url: string
  kind: 'signatures' | 'same'
  encoding?: string
  connections: number
  /** Without it, each connection sends the next request when it has a response. */
  perSecond?: number
  /** Requests that are due while all connections are busy: `leave` drops them, otherwise they wait. */
  whenBusy?: 'leave'
  /** Start delay in seconds. */
  after?: number
  seconds: number
}

export interface StreamOutcome {
  /** Accepted requests per second of the stream. */
  perSecond: number
  accepted: number
  /** 503 with Retry-After. */
  refused: number
  /** Other responses, and requests without a response. */
  failed: number
  /** Due while all connections were busy, and dropped. */
  left: number
  /** Of accepted requests. */
  p99Ms: number
  refusedP99Ms: number
  /** Seconds from the start of the stream to the last request that was not accepted within 300 ms. */
  lastTrouble: number
}

const normalMs = 300
/** Time after the end of the stream to wait for responses. */
const responseTimeoutMs = 10_000
const openBatchSize = 200

export async function sendStreams(streams: Stream[]): Promise<StreamOutcome[]> {
  const opened = []
  for (const stream of streams) opened.push(await openStream(stream))
  const startedAt = performance.now() + 10
  return Promise.all(opened.map((stream) => stream.run(startedAt)))
}

async function openStream(stream: Stream) {
  const { connections, perSecond, whenBusy, after = 0, seconds } = stream
  const nextRequest = requestsOf(stream)
  const planned = perSecond === undefined ? undefined : Math.round(perSecond * seconds)
  const free = new Set<Connection>()
  const accepted: number[] = []
  const refused: number[] = []
  let failed = 0
  let left = 0
  let lastTrouble = 0
  let startedAt = Number.POSITIVE_INFINITY
  let started = 0
  let inFlight = 0

  function answered(head: string, due: number): void {
    inFlight--
    const durationMs = performance.now() - due
    const isAccepted = head.startsWith('HTTP/1.1 2')
    if (isAccepted) accepted.push(durationMs)
    else if (head.startsWith('HTTP/1.1 503') && /\r\nretry-after: \d/i.test(head)) refused.push(durationMs)
    else failed++
    if (!isAccepted || durationMs > normalMs) lastTrouble = Math.max(lastTrouble, (due - startedAt) / 1000)
  }

  /** Sends the requests that are due, as long as connections are free. */
  function sendDue(): void {
    const now = performance.now()
    const elapsed = (now - startedAt) / 1000
    if (elapsed < 0) return
    const due = perSecond === undefined ? Number.POSITIVE_INFINITY : Math.floor(elapsed * perSecond) + 1
    const last = Math.min(due, planned ?? (elapsed < seconds ? due : started))
    for (const connection of free) {
      if (started >= last) break
      free.delete(connection)
      inFlight++
      connection.send(nextRequest(), perSecond === undefined ? now : startedAt + (started * 1000) / perSecond)
      started++
    }
    if (whenBusy === 'leave' && started < last) {
      left += last - started
      started = last
    }
  }

  const events = {
    answered,
    ready(connection: Connection) {
      free.add(connection)
      sendDue()
    },
    lost: (connection: Connection) => void free.delete(connection),
  }
  const all: Connection[] = []
  while (all.length < connections) {
    const batchSize = Math.min(openBatchSize, connections - all.length)
    for (let i = 0; i < batchSize; i++) all.push(openConnection(stream.url, events))
    while (free.size < all.length) await delay(1)
  }

  return {
    async run(beginsAt: number): Promise<StreamOutcome> {
      startedAt = beginsAt + after * 1000
      const endsAt = startedAt + seconds * 1000
      const isOver = () => performance.now() >= endsAt && inFlight === 0 && started >= (planned ?? started)
      while (!isOver() && performance.now() < endsAt + responseTimeoutMs) {
        sendDue()
        await delay(1)
      }
      for (const connection of all) connection.close()
      return {
        perSecond: accepted.length / seconds,
        accepted: accepted.length,
        refused: refused.length,
        failed: failed + inFlight + Math.max(0, (planned ?? started) - started),
        left,
        p99Ms: percentile(accepted, 0.99),
        refusedP99Ms: percentile(refused, 0.99),
        lastTrouble,
      }
    },
  }
}

function requestsOf({ url, kind, encoding = 'identity' }: Stream): () => string {
  const { host, pathname } = new URL(url)
  if (kind === 'same') {
    const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${encoding}\r\n\r\n`
    return () => request
  }
  const next = newPeople()
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: `
  return () => {
    const { body } = next()
    return `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`
  }
}
