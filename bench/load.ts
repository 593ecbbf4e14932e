// The load generator, a process of its own: sends so many requests over so many connections and tells its parent how it went.
import autocannon, { type Client, type Request } from 'autocannon'
import { stateCodes } from '#contract/states.ts'

export interface Load {
  url: string
  /** Signatures all differ; `addresses` ends every path with another number; `same` repeats one GET. */
  kind: 'signatures' | 'addresses' | 'same'
  encoding?: string
  connections: number
  seconds: number
}

export interface Outcome {
  perSecond: number
  p99Ms: number
  /** All answers of the process, warm-up included. */
  answered: number
}

const { url, kind, encoding = 'identity', connections, seconds }: Load = JSON.parse(process.argv[2] ?? '')
const { pathname } = new URL(url)
let sent = 0
let answered = 0

const kinds: Record<Load['kind'], Request> = {
  signatures: {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    setupRequest: (request) => ({ ...request, body: signature(sent++) }),
  },
  addresses: {
    headers: { 'accept-encoding': encoding },
    setupRequest: (request) => ({ ...request, path: `${pathname}/${sent++}` }),
  },
  same: { headers: { 'accept-encoding': encoding } },
}

function signature(n: number): string {
  return JSON.stringify({
    nome: `Fulano de Tal ${n}`,
    email: `fulano-${n}@example.org`,
    whatsapp: '(00) 00000-0000',
    cidade: 'Cidade Exemplo',
    estado: stateCodes[n % stateCodes.length],
    redesSociais: '@fulano',
    aceitaNovidades: n % 2 === 0,
    honeypot: '',
  })
}

// Turning compressed bytes into text took two thirds of the generator's time: it, not the server, was the limit.
function dropBodies(client: Client): void {
  client.pipelinedRequests.addBody = () => {}
}

// An amount instead of a time: no request is cut off, so that what was answered can be compared with what was stored.
async function send(amount: number): Promise<Omit<Outcome, 'answered'>> {
  const startedAt = performance.now()
  let endedAt = startedAt
  const run = autocannon({ url, connections, amount, sampleInt: 100, requests: [kinds[kind]], setupClient: dropBodies })
  run.on('response', () => {
    endedAt = performance.now()
  })
  const result = await run
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] !== amount)
    throw new Error(`${url}: ${amount} sent, ${result['2xx']} 2xx, ${result.non2xx} others, ${result.errors} errors`)
  answered += amount
  return { perSecond: amount / ((endedAt - startedAt) / 1000), p99Ms: result.latency.p99 }
}

const first = await send(20 * connections)
// Long enough for the engine to have compiled what is hot.
const warm = await send(Math.ceil(first.perSecond * seconds * 1.5))
const measured = await send(Math.ceil(warm.perSecond * seconds))
process.send?.({ ...measured, answered } satisfies Outcome)
