// Streams of requests at planned moments. People do not wait for one another's answers: latency is counted from the moment
// somebody wanted to send, also when no connection was free, so that a server that stops for a second shows it.
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'
import { newPeople } from './people.ts'
import { percentile } from './report.ts'

export interface Stream {
  url: string
  kind: 'signatures' | 'same'
  encoding?: string
  connections: number
  /** Without it, each connection sends again as soon as it was answered. */
  perSecond?: number
  /** What becomes of those who come while all connections are busy: without it they wait. */
  whenBusy?: 'leave'
  /** Seconds after the others. */
  after?: number
  seconds: number
}

export interface StreamOutcome {
  /** Accepted, per second of the stream. */
  perSecond: number
  accepted: number
  /** 503 that say when to come back. */
  refused: number
  /** Other answers, and none. */
  failed: number
  /** Came while all connections were busy, and left. */
  left: number
  /** Of those who were accepted. */
  p99Ms: number
  refusedP99Ms: number
  /** Seconds from the start of the stream to the last who was not accepted within 300 ms. */
  lastTrouble: number
}

const normalMs = 300
/** Who has no answer by then, after the end of the stream, has none. */
const patienceMs = 10_000
const openedTogether = 200

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
  let begun = 0
  let underWay = 0

  function answered(head: string, due: number): void {
    underWay--
    const took = performance.now() - due
    const isAccepted = head.startsWith('HTTP/1.1 2')
    if (isAccepted) accepted.push(took)
    else if (head.startsWith('HTTP/1.1 503') && /\r\nretry-after: \d/i.test(head)) refused.push(took)
    else failed++
    if (!isAccepted || took > normalMs) lastTrouble = Math.max(lastTrouble, (due - startedAt) / 1000)
  }

  /** Sends for those who are due, as long as there are connections for them. */
  function sendDue(): void {
    const now = performance.now()
    const elapsed = (now - startedAt) / 1000
    if (elapsed < 0) return
    const due = perSecond === undefined ? Number.POSITIVE_INFINITY : Math.floor(elapsed * perSecond) + 1
    const last = Math.min(due, planned ?? (elapsed < seconds ? due : begun))
    for (const connection of free) {
      if (begun >= last) break
      free.delete(connection)
      underWay++
      connection.send(nextRequest(), perSecond === undefined ? now : startedAt + (begun * 1000) / perSecond)
      begun++
    }
    if (whenBusy === 'leave' && begun < last) {
      left += last - begun
      begun = last
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
    const together = Math.min(openedTogether, connections - all.length)
    for (let i = 0; i < together; i++) all.push(openConnection(stream.url, events))
    while (free.size < all.length) await delay(1)
  }

  return {
    async run(beginsAt: number): Promise<StreamOutcome> {
      startedAt = beginsAt + after * 1000
      const endsAt = startedAt + seconds * 1000
      const isOver = () => performance.now() >= endsAt && underWay === 0 && begun >= (planned ?? begun)
      while (!isOver() && performance.now() < endsAt + patienceMs) {
        sendDue()
        await delay(1)
      }
      for (const connection of all) connection.close()
      return {
        perSecond: accepted.length / seconds,
        accepted: accepted.length,
        refused: refused.length,
        failed: failed + underWay + Math.max(0, (planned ?? begun) - begun),
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
