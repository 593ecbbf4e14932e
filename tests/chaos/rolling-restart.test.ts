// Past one machine: nodes behind the nginx, the pgbouncer and the PostgreSQL with a synchronous standby of deploy/, one node restarted after the other, one database after the other gone.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { type Deployment, directTo, openDeployment } from '#tests/chaos/deployment.ts'
import { countTables } from '#tests/helpers/counted.ts'
import { aContact } from '#tests/helpers/factories.ts'
import { postForm } from '#tests/helpers/forms.ts'
import { type Door, openDoor } from '#tests/helpers/nginx.ts'
import { listens, rowsOf } from '#tests/helpers/postgres.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { stateOf } from '#tests/helpers/standby.ts'

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

async function shownCount({ url }: Door): Promise<number> {
  const answer = await fetch(`${url}/api/peticoes/count`)
  return ((await answer.json()) as { count: number }).count
}

/** Every row of what people sent and of what follows from it, as one digest each. */
async function digests(url: string): Promise<unknown> {
  const tables = ['peticoes', ...countTables.split(', '), 'contacts', 'outbox']
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
    const { status } = await postForm(`${door.url}/embed/voluntarios`, contact, { redirect: 'manual' })
    if (status === 303) volunteers.push(contact.email)
    return status
  })

  for (const [index, node] of nodes.entries()) {
    await signers.more(200)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const askWhetherReady = async () => {
      const [answer] = await once(request(`${node.url}/saude/pronto`, { agent }).end(), 'response')
      answer.resume()
      return [answer.statusCode, answer.headers.connection]
    }
    expect(await askWhetherReady()).toEqual([200, 'keep-alive'])
    const stopped = node.stop()
    // A balancer that already has a connection is told that the node leaves.
    await expect.poll(() => listens(node.port), { timeout: 5_000, interval: 10 }).toBe(false)
    expect(await askWhetherReady()).toEqual([503, 'close'])
    expect(await stopped).toBe(0)
    await signers.more(200)
    nodes[index] = await startOne(node.port)
    // As long as nginx may leave a node aside: two seconds, counted in whole ones, after the last try that failed.
    await delay(4_000)
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

  // Their requests got their ids from nginx.
  const contacts = await rowsOf<{ email: string; requestId: string }>(
    primary.url('mobiliza'),
    'select email, "requestId" from contacts',
  )
  expect(contacts.map(({ email }) => email).sort()).toEqual(volunteers.sort())
  const told = new Map(signers.acknowledged)
  for (const { email, requestId } of contacts) told.set(email, requestId)
  expect(await auditBooks(direct, told)).toEqual(inOrder)
  expect(await stateOf(primary, standby.name)).toBe('quorum')
  const here = await digests(primary.url('mobiliza'))
  await expect.poll(() => digests(standby.url('mobiliza')), { timeout: 5_000 }).toEqual(here)

  expect(log.filter((line) => line.includes('cache=HIT')).length).toBeGreaterThan(100)
  expect(log.join('\n')).not.toMatch(/fulana|beltrana|example\.org/)
  for (const node of nodes) expect(node.output()).not.toMatch(/"level":[56]0|fulana|beltrana/)
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
  await rowsOf(primary.url('mobiliza'), `truncate peticoes, ${countTables}, contacts, outbox`)
  const node = await startOne()
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
