// People who sign or fill in one form after another over real connections, and remember every answer they got.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'

/** How one request ended, as the person saw it. */
export type Outcome =
  | `${number}`
  /** A refusal that does not say when to come back. */
  | '503 without Retry-After'
  /** Nobody listened. */
  | 'refused'
  /** A new connection ended before its first answer: it may never have left the queue of the listening socket. */
  | 'not accepted'
  /** A connection that had answered before, so that the server certainly had it, ended without the whole answer. */
  | 'cut'
  | 'no answer'

export interface SignersSettings {
  /** Of several nodes, who has to try again tries the next one. */
  url: string | string[]
  people?: number
  paths?: string[]
  /** Not acknowledged: try the same request again, with the same id, or go away. */
  otherwise: 'retry' | 'leave'
  /** How many signatures they are after together; without it they go on until they are stopped. */
  total?: number
  onAcknowledged?(email: string, requestId: string): void
}

export interface Signers {
  /** E-mail and request id of everything that was answered with a success. */
  acknowledged: Map<string, string>
  /** How often each outcome was seen. */
  outcomes(): Partial<Record<Outcome, number>>
  /** Signatures that took more than one request. */
  retried(): number
  /** How long the slowest single request took. */
  slowestMs(): number
  /** Waits for this many more to be acknowledged. */
  more(count: number): Promise<void>
  /** Resolves when all have gone. Who retries still brings home the signature in hand. */
  stop(): Promise<void>
  /** Resolves when all have gone by themselves. */
  gone(): Promise<void>
}

/** Every way to leave something with us: the three kinds of petition and the three forms, with and without JavaScript. */
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

/** What is sent where; every other path takes a signature. */
const formOf: Record<string, () => { email: string }> = {
  '/api/contacts': () => aContact(),
  '/': () => aContact(),
  '/api/lideres': () => anInfluencer(),
  '/api/formulario-lideres': () => aLeader(),
}

const states = ['SP', 'RJ', 'BA', 'AM', 'DF', 'RS', 'PE']
const patienceMs = 20_000

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
  let begun = 0
  let retried = 0
  let slowestMs = 0
  let stopping = false

  const urls = [url].flat()

  async function sign(agent: Agent): Promise<'signed' | 'given up'> {
    const number = begun++
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

  async function onePerson(): Promise<void> {
    // Who has finished keeps the connection open, as a browser does.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopping && (total === undefined || begun < total)) {
      if ((await sign(agent)) === 'given up' && otherwise === 'leave') break
    }
  }

  let everybodyLeft = false
  const all = Promise.all(Array.from({ length: people }, onePerson)).finally(() => {
    everybodyLeft = true
  })
  return {
    acknowledged,
    outcomes: () => ({ ...outcomes }),
    retried: () => retried,
    slowestMs: () => Math.round(slowestMs),
    async more(count) {
      const goal = acknowledged.size + count
      while (acknowledged.size < goal) {
        if (everybodyLeft) throw new Error(`everybody has left: ${JSON.stringify(outcomes)}`)
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
    const isCall = new URL(url).pathname.startsWith('/api/')
    const body = isCall ? JSON.stringify(form) : asBrowserSends(form)
    const headers = {
      'content-type': isCall ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-request-id': requestId,
    }
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('error', () => resolve('cut'))
      answer.on('end', () => {
        const { statusCode = 0 } = answer
        const unhelpful = statusCode === 503 && !Number(answer.headers['retry-after'])
        resolve(unhelpful ? '503 without Retry-After' : `${statusCode}`)
      })
    })
    sent.setTimeout(patienceMs, () => {
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

/** Without JavaScript; a list is its field repeated. */
function asBrowserSends(form: object): string {
  const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}
