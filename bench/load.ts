// The load generator: bursts as fast as the server replies, or streams at a fixed rate. One process runs all jobs, so
// that it is warm after the first.
import autocannon, { type Client, type Request } from 'autocannon'
import { newPeople, peopleAndRepeats, peopleSoFar } from './people.ts'
import { percentile } from './report.ts'
import { type Stream, sendStreams } from './streams.ts'

export interface Burst {
  url: string
  /** `addresses` ends each path with another number; `same` repeats one GET. */
  kind: 'signatures' | 'signatures and repeats' | 'addresses' | 'same'
  encoding?: string
  connections?: number
  seconds: number
}

export interface BurstOutcome {
  perSecond: number
  p99Ms: number
  answered: number
  /** Number of different people who signed. */
  people: number
}

export type Job = { burst: Burst } | { streams: Stream[] }

let addresses = 0

function requestOf({ url, kind, encoding = 'identity' }: Burst): Request {
  const { pathname } = new URL(url)
  if (kind === 'same') return { headers: { 'accept-encoding': encoding } }
  if (kind === 'addresses') {
    return {
      headers: { 'accept-encoding': encoding },
      setupRequest: (request) => ({ ...request, path: `${pathname}/${addresses++}` }),
    }
  }
  const headers = { 'content-type': 'application/json' }
  const next = kind === 'signatures' ? newPeople() : peopleAndRepeats()
  return {
    method: 'POST',
    headers,
    setupRequest(request) {
      const { body, requestId } = next()
      return { ...request, body, ...(requestId && { headers: { ...headers, 'x-request-id': requestId } }) }
    },
  }
}

// Decoding compressed bodies took two thirds of the generator's time and limited the rate instead of the server.
function dropBodies(client: Client): void {
  client.pipelinedRequests.addBody = () => {}
}

// Sends a fixed number of requests. None is cut off, so that responses can be compared with stored rows.
async function send(burst: Burst, amount: number) {
  const { url, connections = 64 } = burst
  const latencies: number[] = []
  const startedAt = performance.now()
  let endedAt = startedAt
  const run = autocannon({
    ...{ url, connections, amount, sampleInt: 100 },
    requests: [requestOf(burst)],
    setupClient: dropBodies,
  })
  run.on('response', (_client, _status, _bytes, milliseconds) => {
    latencies.push(milliseconds)
    endedAt = performance.now()
  })
  const result = await run
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] !== amount)
    throw new Error(`${url}: ${amount} sent, ${result['2xx']} 2xx, ${result.non2xx} others, ${result.errors} errors`)
  return { perSecond: amount / ((endedAt - startedAt) / 1000), p99Ms: percentile(latencies, 0.99) }
}

/** The last rate by kind of burst. It gives the number of requests for the wanted duration. */
const lastRates = new Map<string, number>()

async function sendBurst(burst: Burst): Promise<BurstOutcome> {
  const { url, kind, connections = 64, seconds } = burst
  const peopleBefore = peopleSoFar()
  const name = `${kind} ${url}`
  let answered = 0
  const sendFor = async (rate: number) => {
    const amount = Math.max(connections, Math.ceil(rate * seconds))
    const outcome = await send(burst, amount)
    answered += amount
    lastRates.set(name, outcome.perSecond)
    return outcome
  }
  const rate = lastRates.get(name) ?? (await sendFor((20 * connections) / seconds)).perSecond
  const outcome = await sendFor(rate)
  return { ...outcome, answered, people: peopleSoFar() - peopleBefore }
}

process.on('message', async (job: Job) => {
  process.send?.('burst' in job ? await sendBurst(job.burst) : await sendStreams(job.streams))
})
process.once('disconnect', () => process.exit())
