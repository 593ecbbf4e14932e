// The load generator, a process of its own: sends so many requests over so many connections and tells its parent how it went.
import autocannon, { type Client, type Request } from 'autocannon'
import { type StateCode, stateCodes } from '#contract/states.ts'

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

// Hundred thousands of inhabitants (census of 2022): signatures come from where people live, and the ledger is written by state.
const inhabitants: Record<StateCode, number> = {
  ...{ AC: 8, AL: 31, AM: 39, AP: 7, BA: 141, CE: 88, DF: 28, ES: 38, GO: 71, MA: 68, MG: 205, MS: 28, MT: 37, PA: 81 },
  ...{ PB: 40, PE: 91, PI: 33, PR: 114, RJ: 161, RN: 33, RO: 16, RR: 6, RS: 109, SC: 76, SE: 22, SP: 444, TO: 15 },
}
const homes = stateCodes.flatMap((code) => Array<StateCode>(inhabitants[code]).fill(code))
/** Steps that share no divisor with the length visit every home once before they come round. */
const homeOf = (n: number) => homes[(n * 997) % homes.length]

function signature(n: number): string {
  return JSON.stringify({
    nome: `Fulano de Tal ${n}`,
    email: `fulano-${n}@example.org`,
    whatsapp: '(00) 00000-0000',
    cidade: 'Cidade Exemplo',
    estado: homeOf(n),
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
