// The deployment of deploy/: nodes behind nginx, pgbouncer and PostgreSQL with a synchronous standby. Nodes restart
// one after the other, and each database goes down once.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { auditData, noViolations } from '#tests/chaos/audit.ts'
import { type Deployment, directTo, openDeployment } from '#tests/chaos/deployment.ts'
import { countTables } from '#tests/helpers/count-rows.ts'
import { aContact } from '#tests/helpers/factories.ts'
import { postForm } from '#tests/helpers/forms.ts'
import { type Nginx, startNginx } from '#tests/helpers/nginx.ts'
import { listens, rowsOf } from '#tests/helpers/postgres.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'
import { stateOf } from '#tests/helpers/standby.ts'

let deployment: Deployment
beforeAll(async () => {
  deployment = await openDeployment()
})
afterAll(() => deployment.remove())

async function startNode(port?: number): Promise<ServerProcess> {
  const node = await startServer({ ...deployment.settings, ...(port && { port }) })
  onTestFinished(() => node.kill())
  return node
}

/** Clients that repeat an action, and the number of results by outcome. */
function repeatAction(clients: number, action: () => Promise<number>) {
  const outcomes: Record<string, number> = {}
  let stopping = false
  async function runClient() {
    while (!stopping) {
      await delay(20)
      const outcome = await action().catch((error) => String(error.cause?.code ?? error))
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  }
  const all = Promise.all(Array.from({ length: clients }, runClient))
  return {
    outcomes,
    async stop() {
      stopping = true
      await all
    },
  }
}

async function shownCount({ url }: Nginx): Promise<number> {
  const answer = await fetch(`${url}/api/peticoes/count`)
  return ((await answer.json()) as { count: number }).count
}

/** One digest per table of submissions and of the data derived from them. */
async function digests(url: string): Promise<unknown> {
  const tables = ['peticoes', ...countTables.split(', '), 'contacts', 'outbox']
  const columns = tables.map(
    (table) =>
      `(select count(*) || ' ' || coalesce(md5(string_agg(row, '' order by row)), '') from (select t::text as row from ${table} t) rows) as ${table}`,
  )
  return rowsOf(url, `select ${columns.join(', ')}`)
}

test('a rolling restart of two nodes fails no request, and both databases have the same data', async () => {
  const { primary, standby, direct } = deployment
  const nodes = await Promise.all([startNode(), startNode()])
  const nginx = await startNginx(nodes.map(({ port }) => port))
  const signers = startSigners({
    url: nginx.url,
    people: 12,
    paths: ['/api/peticoes', '/api/abaixo-assinado', '/api/campaigns/brasilquerpaz/signatures'],
    otherwise: 'leave',
  })
  const pages = ['/', '/peticao', '/p/brasilquerpaz', '/api/peticoes/count', '/api/campaigns/brasilquerpaz']
  const tags = new Map<string, string>()
  let read = 0
  const readers = repeatAction(6, async () => {
    const path = pages[read++ % pages.length] ?? '/'
    const etag = tags.get(path)
    const answer = await fetch(nginx.url + path, { headers: etag ? { 'if-none-match': etag } : {} })
    await answer.arrayBuffer()
    tags.set(path, answer.headers.get('etag') ?? '')
    return answer.status
  })
  // Browsers without JavaScript send no request id.
  const volunteers: string[] = []
  const forms = repeatAction(3, async () => {
    const contact = aContact()
    const { status } = await postForm(`${nginx.url}/embed/voluntarios`, contact, { redirect: 'manual' })
    if (status === 303) volunteers.push(contact.email)
    return status
  })

  for (const [index, node] of nodes.entries()) {
    await signers.more(200)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const checkReadiness = async () => {
      const [answer] = await once(request(`${node.url}/saude/pronto`, { agent }).end(), 'response')
      answer.resume()
      return [answer.statusCode, answer.headers.connection]
    }
    expect(await checkReadiness()).toEqual([200, 'keep-alive'])
    const stopped = node.stop()
    // A balancer with an open connection learns that the node stops.
    await expect.poll(() => listens(node.port), { timeout: 5_000, interval: 10 }).toBe(false)
    expect(await checkReadiness()).toEqual([503, 'close'])
    expect(await stopped).toBe(0)
    await signers.more(200)
    nodes[index] = await startNode(node.port)
    // nginx may skip a node for two seconds, counted in whole seconds, after the last failed attempt.
    await delay(4_000)
  }
  await Promise.all([signers.stop(), readers.stop(), forms.stop()])
  const [expected] = await rowsOf<{ count: number }>(
    primary.url('mobiliza'),
    `select "baseCount" + (select count(*)::int from peticoes where campanha = slug) as count from campaigns where slug = 'juros'`,
  )
  await expect.poll(() => shownCount(nginx), { timeout: 2_000 }).toBe(expected?.count)
  await nginx.stop()

  const log = nginx.accessLog()
  const requestsByNode = nodes.map(({ port }) => log.filter((line) => line.includes(`:${port}`)).length)
  const retriedByNginx = log.filter((line) => /answered=\S+, /.test(line))
  console.log(
    signers.outcomes(),
    readers.outcomes,
    forms.outcomes,
    `asked ${requestsByNode}, handed on ${retriedByNginx.length}`,
  )
  expect(Object.keys(signers.outcomes())).toEqual(['201'])
  expect(Object.keys(readers.outcomes)).toEqual(['200', '304'])
  expect(Object.keys(forms.outcomes)).toEqual(['303'])
  expect(Math.min(...requestsByNode)).toBeGreaterThan(100)

  // nginx generated the ids of these requests.
  const contacts = await rowsOf<{ email: string; requestId: string }>(
    primary.url('mobiliza'),
    'select email, "requestId" from contacts',
  )
  expect(contacts.map(({ email }) => email).sort()).toEqual(volunteers.sort())
  const acknowledged = new Map(signers.acknowledged)
  for (const { email, requestId } of contacts) acknowledged.set(email, requestId)
  expect(await auditData(direct, acknowledged)).toEqual(noViolations)
  expect(await stateOf(primary, standby.name)).toBe('quorum')
  // Reads both each time: the nodes are running and may still fold count changes.
  await vi.waitFor(
    async () => expect(await digests(standby.url('mobiliza'))).toEqual(await digests(primary.url('mobiliza'))),
    { timeout: 5_000 },
  )

  expect(log.filter((line) => line.includes('cache=HIT')).length).toBeGreaterThan(100)
  expect(log.join('\n')).not.toMatch(/fulana|beltrana|example\.org/)
  for (const node of nodes) expect(node.output()).not.toMatch(/"level":[56]0|fulana|beltrana/)
})

// Must run last: afterwards the first primary is gone.
test('commits wait for the standby until the operator changes it, and pgbouncer switches to the promoted standby', async () => {
  const { primary, standby } = deployment
  const alone = `alter system set synchronous_standby_names = ''`
  const together = `alter system set synchronous_standby_names = 'ANY 1 (${standby.name})'`
  const apply = async (setting: string) => {
    await rowsOf(primary.url(), setting)
    await rowsOf(primary.url(), 'select pg_reload_conf()')
  }
  await rowsOf(primary.url('mobiliza'), `truncate peticoes, ${countTables}, contacts, outbox`)
  const node = await startNode()
  const signers = startSigners({ url: node.url, people: 12, otherwise: 'retry' })
  await signers.more(100)

  await standby.stop('immediate')
  // Responses to earlier commits are still on their way.
  await delay(500)
  const whenStandbyStopped = signers.acknowledged.size
  await delay(1_000)
  expect(signers.acknowledged.size).toBe(whenStandbyStopped)
  expect((await fetch(`${node.url}/peticao`)).status).toBe(200)
  await apply(alone)
  await signers.more(100)

  await standby.start()
  await apply(together)
  await expect.poll(() => stateOf(primary, standby.name), { timeout: 10_000 }).toBe('quorum')
  await signers.more(100)
  await primary.kill()
  await standby.promote()
  deployment.switchTo(standby)
  await signers.more(100)
  await signers.stop()

  console.log('failover by hand', signers.outcomes(), `${signers.retried()} retried`)
  expect(await auditData(directTo(standby), signers.acknowledged)).toEqual(noViolations)
})
