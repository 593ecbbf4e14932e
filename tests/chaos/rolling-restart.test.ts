// Past one machine: nodes behind the nginx, the pgbouncer and the PostgreSQL with a synchronous standby of deploy/, one node restarted after the other.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { get as getSecurely } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { messages } from '#contract/messages.ts'
import { defaultSite } from '#contract/site.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { type Deployment, directTo, openDeployment } from '#tests/chaos/deployment.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type Door, startNginx } from '#tests/helpers/nginx.ts'
import { listens } from '#tests/helpers/postgres.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { rowsOf, stateOf } from '#tests/helpers/standby.ts'

let deployment: Deployment
beforeAll(async () => {
  deployment = await openDeployment()
})
afterAll(() => deployment.remove())

async function startOne(port?: number): Promise<ServerProcess> {
  const node = await startServer({ ...deployment.settings, ...(port && { port }) })
  onTestFinished(() => node.kill())
  return node
}

async function openDoor(ports: number[]): Promise<Door> {
  const door = await startNginx(ports)
  onTestFinished(async () => {
    await door.stop()
    door.remove()
  })
  return door
}

/** A node in this process, which also says whom it takes the visitor for. */
async function startWithin(env: Record<string, string> = {}) {
  const config = readConfig({ ...deployment.settings.env, ...env })
  const log = createLog('silent')
  const database = openDatabase(await openEngine(config), log)
  const app = await buildApp({ config, site: defaultSite, log, database }, { renderer: await openBuild() })
  app.get('/quem', (request, reply) => reply.header('Cache-Control', 'no-store').send(request.ip))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  return { port, url: `http://127.0.0.1:${port}`, close: () => app.close() }
}

/** So many people who do the same again and again, and what they met with. */
function keepDoing(people: number, deed: () => Promise<number>) {
  const outcomes: Record<string, number> = {}
  let stopping = false
  async function onePerson() {
    while (!stopping) {
      await delay(20)
      const outcome = await deed().catch((error) => String(error.cause?.code ?? error))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  const all = Promise.all(Array.from({ length: people }, onePerson))
  return {
    outcomes,
    async stop() {
      stopping = true
      await all
    },
  }
}

/** Every row of what people sent and of what follows from it, as one digest each. */
async function digests(url: string): Promise<unknown> {
  const tables = ['peticoes', 'peticoes_por_hora', 'contacts', 'outbox']
  const columns = tables.map(
    (table) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') from (select t::text as row from ${table} t) rows) as ${table}`,
  )
  return rowsOf(url, `select ${columns.join(', ')}`)
}

test('two nodes restarted one after the other fail nobody who signs, reads or sends a form, and two databases hold the same', async () => {
  const { primary, standby, direct } = deployment
  const nodes = await Promise.all([startOne(), startOne()])
  const door = await openDoor(nodes.map(({ port }) => port))
  const signers = startSigners({
    url: door.url,
    people: 12,
    paths: ['/api/peticoes', '/api/abaixo-assinado', '/api/campaigns/brasilquerpaz/signatures'],
    otherwise: 'leave',
  })
  const pages = ['/', '/peticao', '/p/brasilquerpaz', '/api/peticoes/count', '/api/campaigns/brasilquerpaz']
  const tags = new Map<string, string>()
  let read = 0
  const readers = keepDoing(6, async () => {
    const path = pages[read++ % pages.length] ?? '/'
    const known = tags.get(path)
    const answer = await fetch(door.url + path, { headers: known ? { 'if-none-match': known } : {} })
    await answer.arrayBuffer()
    tags.set(path, answer.headers.get('etag') ?? '')
    return answer.status
  })
  // Browsers without scripts choose no request id.
  const volunteers: string[] = []
  const forms = keepDoing(3, async () => {
    const contact = aContact()
    const answer = await sendForm(`${door.url}/embed/voluntarios`, contact)
    if (answer === 303) volunteers.push(contact.email)
    return answer
  })

  for (const [index, node] of nodes.entries()) {
    await signers.more(200)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const askWhetherReady = () => visit({ url: node.url, path: '/saude/pronto', agent })
    expect((await askWhetherReady()).status).toBe(200)
    const stopped = node.stop()
    // A balancer that already has a connection is told that the node leaves.
    await expect.poll(() => listens(node.port), { timeout: 5_000, interval: 10 }).toBe(false)
    const { status, headers } = await askWhetherReady()
    expect([status, headers.connection]).toEqual([503, 'close'])
    expect(await stopped).toBe(0)
    await signers.more(200)
    nodes[index] = await startOne(node.port)
    // As long as nginx may leave a node aside.
    await delay(2_500)
  }
  await Promise.all([signers.stop(), readers.stop(), forms.stop()])
  const [right] = await rowsOf<{ count: number }>(
    primary.url('mobiliza'),
    `select "baseCount" + (select count(*)::int from peticoes where campanha = slug) as count from campaigns where slug = 'juros'`,
  )
  await expect.poll(() => shownCount(door), { timeout: 2_000 }).toBe(right?.count)
  await door.stop()

  const log = door.accessLog()
  const asked = nodes.map(({ port }) => log.filter((line) => line.includes(`:${port}`)).length)
  const handedOn = log.filter((line) => /answered=\S+, /.test(line))
  console.log(signers.outcomes(), readers.outcomes, forms.outcomes, `asked ${asked}, handed on ${handedOn.length}`)
  expect(Object.keys(signers.outcomes())).toEqual(['201'])
  expect(Object.keys(readers.outcomes)).toEqual(['200', '304'])
  expect(Object.keys(forms.outcomes)).toEqual(['303'])
  expect(Math.min(...asked)).toBeGreaterThan(100)

  expect(await auditBooks(direct, signers.acknowledged)).toEqual(inOrder)
  const contacts = await rowsOf<{ email: string }>(primary.url('mobiliza'), 'select email from contacts')
  expect(contacts.map(({ email }) => email).sort()).toEqual(volunteers.sort())
  expect(await stateOf(primary, standby.name)).toBe('quorum')
  const here = await digests(primary.url('mobiliza'))
  await expect.poll(() => digests(standby.url('mobiliza')), { timeout: 5_000 }).toEqual(here)

  expect(log.filter((line) => line.includes('cache=HIT')).length).toBeGreaterThan(100)
  expect(log.join('\n')).not.toMatch(/fulana|beltrana|example\.org/)
  for (const node of nodes) expect(node.output()).not.toMatch(/"level":[56]0|fulana|beltrana/)
})

test('an answer lost between node and door is asked for again, and what was sent is known for the same', async () => {
  const { primary } = deployment
  const node = await startWithin()
  const lost: string[] = []
  // It has the node do everything that is asked, and then drops the line.
  const unlucky = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', async (head) => {
      const [, id = ''] = /^x-request-id: (.*)\r$/im.exec(String(head)) ?? []
      const [, path = ''] = /^\w+ (\S+)/.exec(String(head)) ?? []
      const [, body = ''] = String(head).split('\r\n\r\n')
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': id }
      await fetch(node.url + path, { method: 'POST', headers, body, redirect: 'manual' })
      lost.push(id)
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(unlucky, 'listening')
  onTestFinished(() => void unlucky.close())
  const door = await openDoor([(unlucky.address() as AddressInfo).port, node.port])
  const [contact, signature] = [aContact(), aSignature()]

  const answers = [
    await sendForm(`${door.url}/embed/voluntarios`, contact),
    await sendForm(`${door.url}/embed/voluntarios`, aContact()),
    await sendForm(`${door.url}/peticao`, signature),
  ]

  expect(answers).toEqual([303, 303, 303])
  expect(lost).toHaveLength(2)
  const stored = await rowsOf<{ email: string; requestId: string }>(
    primary.url('mobiliza'),
    `select email, "requestId" from contacts where email = '${contact.email}'
    union all select email, "requestId" from peticoes where email = '${signature.email}'`,
  )
  expect(stored).toEqual([contact, signature].map(({ email }, index) => ({ email, requestId: lost[index] })))
  const notices = await rowsOf(primary.url('mobiliza'), `select 1 from outbox where tipo = 'assinaturas-repetidas'`)
  expect(notices).toEqual([])
})

test('nodes believe the address that nginx tells only when they are told to, and nobody can claim another', async () => {
  const believing = await openDoor([(await startWithin({ TRUST_PROXY: '127.0.0.1' })).port])
  const unbelieving = await openDoor([(await startWithin({ TRUST_PROXY: '' })).port])
  const claim = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' }

  const seen = [
    await visit({ url: believing.url, path: '/quem', localAddress: '127.0.0.2', headers: claim }),
    await visit({ url: unbelieving.url, path: '/quem', localAddress: '127.0.0.2', headers: claim }),
  ]

  expect(seen.map(({ body }) => body)).toEqual(['127.0.0.2', '127.0.0.1'])
})

test('the door takes TLS, sends plain visitors there, and keeps to itself what is not for visitors', async () => {
  const node = await startWithin()
  const door = await openDoor([node.port])

  const securely = await secureStatus(`${door.tlsUrl}/peticao`, door.certificate)
  const sentOn = await fetch(`${door.redirectUrl}/peticao?de=zap`, { redirect: 'manual' })
  const metrics = await fetch(`${door.url}/metricas`)
  const tooLarge = await postJson(`${door.url}/api/peticoes`, aSignature({ nome: 'x'.repeat(66_000) }))
  const upload = await postJson(`${door.url}/api/admin/imagens`, { imagem: 'x'.repeat(1_000_000) })

  expect(securely).toBe(200)
  expect([sentOn.status, sentOn.headers.get('location')]).toEqual([308, 'https://127.0.0.1/peticao?de=zap'])
  expect([metrics.status, metrics.headers.get('x-request-id')]).toEqual([404, null])
  expect([tooLarge.status, await tooLarge.json()]).toEqual([413, { success: false, message: messages.http.tooLarge }])
  // There is nothing yet that takes images: the node says so itself.
  expect(upload.headers.get('x-request-id')).not.toBe(null)
})

test('with every node away, kept pages are still served and calls are refused in the words of the site', async () => {
  const node = await startWithin()
  const door = await openDoor([node.port])
  expect((await fetch(`${door.url}/peticao`)).status).toBe(200)
  const signed = await postJson(`${door.url}/api/peticoes`, aSignature())
  await node.close()
  // Older than a page may be while there are nodes.
  await delay(2_500)
  const page = await fetch(`${door.url}/peticao`)
  const unkept = await fetch(`${door.url}/privacidade`)
  const refused = await postJson(`${door.url}/api/peticoes`, aSignature())

  expect(signed.status).toBe(201)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Assin')])
  expect([unkept.status, await unkept.text()]).toEqual([503, expect.stringContaining(messages.http.unavailable)])
  expect([refused.status, await refused.json()]).toEqual([503, { success: false, message: messages.http.unavailable }])
  for (const { headers } of [unkept, refused]) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

// The last one: it leaves the arrangement without its first primary.
test('commits wait for the standby until the operator says otherwise, and the standby takes over by one changed line', async () => {
  const { primary, standby } = deployment
  const alone = `alter system set synchronous_standby_names = ''`
  const together = `alter system set synchronous_standby_names = 'ANY 1 (${standby.name})'`
  const apply = async (setting: string) => {
    await rowsOf(primary.url(), setting)
    await rowsOf(primary.url(), 'select pg_reload_conf()')
  }
  await rowsOf(primary.url('mobiliza'), 'truncate peticoes, peticoes_por_hora, outbox')
  const node = await startWithin()
  const signers = startSigners({ url: node.url, people: 12, otherwise: 'retry' })
  await signers.more(100)

  await standby.stop('immediate')
  // What was committed before still has to be answered.
  await delay(500)
  const whenItWent = signers.acknowledged.size
  await delay(1_000)
  expect(signers.acknowledged.size).toBe(whenItWent)
  expect((await fetch(`${node.url}/peticao`)).status).toBe(200)
  await apply(alone)
  await signers.more(100)

  await standby.start()
  await apply(together)
  await expect.poll(() => stateOf(primary, standby.name), { timeout: 10_000 }).toBe('quorum')
  await signers.more(100)
  await primary.kill()
  await standby.promote()
  deployment.turnTo(standby)
  await signers.more(100)
  await signers.stop()

  console.log('failover by hand', signers.outcomes(), `${signers.retried()} retried`)
  expect(await auditBooks(directTo(standby), signers.acknowledged)).toEqual(inOrder)
})

interface Visit {
  url: string
  path: string
  agent?: Agent
  localAddress?: string
  headers?: Record<string, string>
}

async function visit({ url, path, ...options }: Visit) {
  const [answer] = await once(request(url + path, options).end(), 'response')
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

async function shownCount({ url }: Door): Promise<number> {
  const answer = await fetch(`${url}/api/peticoes/count`)
  return ((await answer.json()) as { count: number }).count
}

async function secureStatus(url: string, ca: string): Promise<number> {
  const [answer] = await once(getSecurely(url, { ca }), 'response')
  answer.resume()
  return answer.statusCode
}

/** As a browser without scripts sends a form, not going where it leads. */
async function sendForm(url: string, contact: object): Promise<number> {
  const fields = Object.entries(contact).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  await answer.arrayBuffer()
  return answer.status
}
