// A thousand people and an attacker with 50 requests a second behind the same IPv4 address, for five minutes. Nobody of
// the people may be refused with 429. Two addresses at once: behind one the attacker sends valid signatures alone, the
// costliest choice for the others; behind the other one also logins, searches and invalid forms.
import { setTimeout as delay } from 'node:timers/promises'
import { newPeople } from './people.ts'
import { type Measure, percentile } from './report.ts'
import type { Stage } from './stage.ts'

const attacksPerSecond = 50
const password = 'senha-do-ensaio-123'
const json = { 'content-type': 'application/json' }

interface Tally {
  /** Replies by status, of the people. */
  people: Map<number, number>
  attacker: Map<number, number>
  signed: number
  attackerSigned: number
  signingMs: number[]
  /** Statuses of the logins of an administrator with a known browser. */
  logins: number[]
}

interface Network {
  site: string
  address: string
  tally: Tally
}

const newTally = (): Tally => ({
  ...{ people: new Map(), attacker: new Map(), signed: 0, attackerSigned: 0 },
  ...{ signingMs: [], logins: [] },
})

const count = (statuses: Map<number, number>, status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)

export async function benchSharedAddress(stage: Stage): Promise<Measure[]> {
  const { people, seconds } = stage.scale.shared
  const database = await stage.createDatabase('shared_address', { isEmpty: true })
  const site = await stage.startSite({
    // The site trusts the forwarded address of the load, as that of its proxy.
    env: { DATABASE_URL: database.url, TRUST_PROXY: '127.0.0.1', ADMIN_PASSWORD: password },
  })
  const networks: Network[] = ['203.0.113.7', '198.51.100.7'].map((address) => ({
    ...{ site: site.url, address, tally: newTally() },
  }))
  const [valid, mixed] = networks
  if (!valid || !mixed) throw new Error('no networks')
  const stopping = new AbortController()
  const background = [
    attack(valid, () => signature(valid), stopping.signal),
    attack(mixed, mixedAttack(mixed), stopping.signal),
    logInRepeatedly(valid, stopping.signal),
  ]
  const startedAt = performance.now()
  // The attack begins before the people come.
  await delay(2_000)
  await Promise.all(networks.map((network) => crowd(network, { people, seconds })))
  const attackSeconds = (performance.now() - startedAt) / 1_000
  stopping.abort()
  await Promise.all(background)

  const all = networks.map(({ tally }) => tally)
  const sum = (figure: (tally: Tally) => number) => all.reduce((total, tally) => total + figure(tally), 0)
  await database.check(sum(({ signed, attackerSigned }) => signed + attackerSigned))
  const of = (statuses: Map<number, number>, wanted: (status: number) => boolean) =>
    [...statuses].reduce((total, [status, times]) => total + (wanted(status) ? times : 0), 0)
  const measuresOf = ({ people: replies, attacker, signed, signingMs }: Tally, name: string): Measure[] => [
    {
      name: `${name}: replies 429 to ${people.toLocaleString('en')} people`,
      unit: '',
      figure: of(replies, (status) => status === 429),
      bar: { of: 'figure', atMost: 0 },
    },
    {
      name: `${name}: other failures of the people`,
      unit: '',
      figure: of(replies, (status) => status >= 400 && status !== 429),
      bar: { of: 'figure', atMost: 0 },
    },
    { name: `${name}: people who signed`, unit: '', figure: signed, bar: { of: 'figure', atLeast: people } },
    { name: `${name}: p99 of signing`, unit: 'ms', figure: percentile(signingMs, 0.99) },
    {
      name: `${name}: requests of the attacker`,
      unit: '/s',
      figure: of(attacker, () => true) / attackSeconds,
    },
    {
      name: `${name}: of them refused with 429`,
      unit: '',
      figure: of(attacker, (status) => status === 429),
    },
  ]
  return [
    ...measuresOf(valid.tally, 'Attacker with valid signatures'),
    ...measuresOf(mixed.tally, 'Attacker with signatures, logins, searches, invalid forms'),
    {
      name: 'Logins of an administrator with a known browser that failed',
      unit: '',
      figure: valid.tally.logins.filter((status) => status !== 200).length,
      bar: { of: 'figure', atMost: 0 },
    },
  ]
}

async function send({ site, address }: Network, path: string, init: RequestInit = {}) {
  const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': address }
  const answer = await fetch(site + path, { ...init, headers, redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

const nextPerson = newPeople()

async function signature(network: Network): Promise<number> {
  const { status } = await send(network, '/api/peticoes', { method: 'POST', headers: json, body: nextPerson().body })
  if (status === 201) network.tally.attackerSigned += 1
  return status
}

/** Four of ten requests are valid signatures. */
function mixedAttack(network: Network): () => Promise<number> {
  const post = async (path: string, body: string, headers: Record<string, string> = json) =>
    (await send(network, path, { method: 'POST', headers, body })).status
  const get = async (path: string) => (await send(network, path)).status
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const attacks = [
    () => signature(network),
    () => post('/api/admin/login', JSON.stringify({ username: 'admin', password: 'senha-errada-123' })),
    () => signature(network),
    () => get('/api/municipios/SP'),
    () => post('/api/peticoes', '{'),
    () => signature(network),
    () => post('/api/admin/login', JSON.stringify({ username: 'outra', password: 'senha-errada-123' })),
    () => get('/api/admin/pessoas/assinaturas?busca=silva'),
    () => signature(network),
    () => post('/peticao', 'nome=', form),
  ]
  let sent = 0
  return async () => (await attacks[sent++ % attacks.length]?.()) ?? 0
}

/** At planned times, whether or not earlier requests were answered. */
async function attack({ tally }: Network, request: () => Promise<number>, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  const running = new Set<Promise<void>>()
  for (let sent = 0; !signal.aborted; sent++) {
    await delay(Math.max(0, startedAt + (sent * 1_000) / attacksPerSecond - performance.now()))
    const one = request()
      .then((status) => void count(tally.attacker, status))
      .catch(() => void count(tally.attacker, 0))
      .finally(() => running.delete(one))
    running.add(one)
  }
  await Promise.all(running)
}

async function logInRepeatedly(network: Network, signal: AbortSignal): Promise<void> {
  const logIn = (device?: string) =>
    send(network, '/api/admin/login', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username: 'admin', password, ...(device && { device }) }),
    })
  const first = await logIn()
  const { device } = JSON.parse(first.text) as { device?: string }
  network.tally.logins.push(first.status)
  while (!signal.aborted) {
    await delay(20_000, undefined, { signal }).catch(() => {})
    network.tally.logins.push((await logIn(device)).status)
  }
}

/** They come at random times. */
async function crowd(network: Network, { people, seconds }: { people: number; seconds: number }): Promise<void> {
  const visits = Array.from({ length: people }, async (_, n) => {
    await delay(Math.random() * 0.85 * seconds * 1_000)
    await visit(network, n, 0.15 * seconds * 1_000)
  })
  await Promise.all(visits)
}

/** Opens the page with its files, reads the count while typing, and signs; some retry, some have no scripts. */
async function visit(network: Network, n: number, maxMs: number): Promise<void> {
  const { tally } = network
  const get = async (path: string) => {
    const { status, text } = await send(network, path)
    count(tally.people, status)
    return text
  }
  const page = await get('/peticao')
  const files = new Set([...page.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path))
  await Promise.all([...files].map(get))
  await get('/api/peticoes/count')
  await delay((0.2 + 0.6 * Math.random()) * maxMs)
  await get('/api/peticoes/count')

  const { body } = nextPerson()
  const requestId = crypto.randomUUID()
  const asJson = { method: 'POST', headers: { ...json, 'x-request-id': requestId }, body }
  const isScriptless = n % 20 === 7
  const fields = JSON.parse(body) as Record<string, string | boolean>
  const asForm = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        value === false ? [] : [[name, value === true ? 'on' : String(value)]],
      ),
    ).toString(),
  }
  const startedAt = performance.now()
  const { status } = await (isScriptless ? send(network, '/peticao', asForm) : send(network, '/api/peticoes', asJson))
  tally.signingMs.push(performance.now() - startedAt)
  count(tally.people, status)
  if (status === 201 || status === 303) tally.signed += 1
  // As after a lost reply.
  if (n % 10 === 3 && !isScriptless) count(tally.people, (await send(network, '/api/peticoes', asJson)).status)
}
