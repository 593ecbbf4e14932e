// Simulated people who submit forms over real connections, one after the other, and record every response.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'

/** The outcome of one request, as the client sees it. */
export type Outcome =
  | `${number}`
  /** A 503 that does not say when to retry. */
  | '503 without Retry-After'
  /** The connection was refused: no server listens. */
  | 'refused'
  /** A new connection closed before its first response: the server may never have accepted it from the listen queue. */
  | 'not accepted'
  /**
   * A connection that had delivered a response before, so that the server had accepted it, closed without a full
   * response.
   */
  | 'cut'
  | 'no answer'

export interface SignersSettings {
  /** With several nodes, a retry goes to the next one. */
  url: string | string[]
  people?: number
  paths?: string[]
  /** After a request without acknowledgement: retry it with the same request id, or stop. */
  otherwise: 'retry' | 'leave'
  /** Total number of submissions; without it, the signers continue until they are stopped. */
  total?: number
  onAcknowledged?(email: string, requestId: string): void
}

export interface Signers {
  /** E-mail and request id of every acknowledged submission. */
  acknowledged: Map<string, string>
  /** Number of requests by outcome. */
  outcomes(): Partial<Record<Outcome, number>>
  /** Number of submissions that took more than one request. */
  retried(): number
  /** Duration of the slowest single request. */
  slowestMs(): number
  /** Waits for this many more acknowledgements. */
  more(count: number): Promise<void>
  /** Stops the signers. With `retry`, each first completes its current submission. */
  stop(): Promise<void>
  /** Resolves when all signers have ended by themselves. */
  gone(): Promise<void>
}

/** All forms: the three kinds of petition and the three registrations, with and without JavaScript. */
export const everyForm = [
  '/api/peticoes',
  '/api/abaixo-assinado',
  '/api/campaigns/brasilquerpaz/signatures',
  '/peticao',
  '/p/juros',
  '/api/contacts',
  '/',
  '/api/lideres',
  '/api/formulario-lideres',
]

/** The payload by path. All other paths take a signature. */
const formOf: Record<string, () => { email: string }> = {
  '/api/contacts': () => aContact(),
  '/': () => aContact(),
  '/api/lideres': () => anInfluencer(),
  '/api/formulario-lideres': () => aLeader(),
}

const states = ['SP', 'RJ', 'BA', 'AM', 'DF', 'RS', 'PE']
const timeoutMs = 20_000

export function startSigners({
  url,
  people = 32,
  paths = ['/api/peticoes'],
  otherwise,
  total,
  onAcknowledged,
}: SignersSettings): Signers {
  const acknowledged = new Map<string, string>()
  const outcomes: Partial<Record<Outcome, number>> = {}
  let started = 0
  let retried = 0
  let slowestMs = 0
  let stopping = false

  const urls = [url].flat()

  async function sign(agent: Agent): Promise<'signed' | 'given up'> {
    const number = started++
    const requestId = crypto.randomUUID()
    const path = paths[number % paths.length] ?? '/api/peticoes'
    const form = formOf[path]?.() ?? aSignature({ estado: states[number % states.length] ?? 'SP' })
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now()
      const outcome = await post({ agent, url: urls[(number + attempt) % urls.length] + path, requestId, form })
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (outcome === '201' || outcome === '303') {
        acknowledged.set(form.email, requestId)
        onAcknowledged?.(form.email, requestId)
        return 'signed'
      }
      const final = otherwise === 'leave' || (/^\d+$/.test(outcome) && outcome !== '503')
      if (final) return 'given up'
      if (attempt === 1) retried++
      await delay(100)
    }
  }

  async function runSigner(): Promise<void> {
    // The connection stays open after the last request, as in a browser.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping && (total === undefined || started < total)) {
      if ((await sign(agent)) === 'given up' && otherwise === 'leave') break
    }
  }

  let allEnded = false
  const all = Promise.all(Array.from({ length: people }, runSigner)).finally(() => {
    allEnded = true
  })
  return {
    acknowledged,
    outcomes: () => ({ ...outcomes }),
    retried: () => retried,
    slowestMs: () => Math.round(slowestMs),
    async more(count) {
      const goal = acknowledged.size + count
      while (acknowledged.size < goal) {
        if (allEnded) throw new Error(`everybody has left: ${JSON.stringify(outcomes)}`)
        await delay(5)
      }
    },
    async stop() {
      stopping = true
      await all
    },
    async gone() {
      await all
    },
  }
}

interface Post {
  agent: Agent
  url: string
  requestId: string
  form: object
}

function post({ agent, url, requestId, form }: Post): Promise<Outcome> {
  return new Promise((resolve) => {
    const isApi = new URL(url).pathname.startsWith('/api/')
    const body = isApi ? JSON.stringify(form) : encodeForm(form)
    const headers = {
      'content-type': isApi ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
    }
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('error', () => resolve('cut'))
      answer.on('end', () => {
        const { statusCode = 0 } = answer
        const lacksRetryAfter = statusCode === 503 && !Number(answer.headers['retry-after'])
        resolve(lacksRetryAfter ? '503 without Retry-After' : `${statusCode}`)
      })
    })
    sent.setTimeout(timeoutMs, () => {
      resolve('no answer')
      sent.destroy()
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (sent.reusedSocket) resolve('cut')
      else resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'not accepted')
    })
    sent.end(body)
  })
}

/** Encodes a form as a browser without JavaScript does: a list repeats its field. */
function encodeForm(form: object): string {
  const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}
