// Random requests to every route of the real server process: no 5xx, no end of the process, and no growing memory.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiDescription, createRequests, type FuzzRequest, readRoutes } from '#tests/chaos/fuzz-requests.ts'
import { reportResult } from '#tests/chaos/report.ts'
import { openPostgresSite, type Site } from '#tests/chaos/sites.ts'
import { size } from '#tests/chaos/size.ts'
import { credentials, enter, enterAs } from '#tests/helpers/administrator.ts'
import { collectGarbage } from '#tests/helpers/inspector.ts'
import { freePort } from '#tests/helpers/postgres.ts'
import { seededRandom } from '#tests/helpers/random.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'
import { memoryOf } from '../../bench/resources.ts'

const concurrency = 16
const secret = 'segredo-dos-pedidos-aleatorios'
const editor = 'editora'
const maxGrowthMegabytes = 50
const smallestBodyLimit = 2 * 1024
const closed = ['EPIPE', 'ECONNRESET']
const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

let site: Site
let server: ServerProcess
let inspectorPort = 0
let database: pg.Client
const rows = async <Row extends object>(text: string, values?: unknown[]): Promise<Row[]> =>
  (await database.query<Row>(text, values)).rows
beforeAll(async () => {
  site = await openPostgresSite()
  inspectorPort = await freePort()
  const { env, ...settings } = site.settings
  server = await startServer({
    ...settings,
    env: {
      ...env,
      ADMIN_PASSWORD: credentials.password,
      TRUST_PROXY: '127.0.0.1',
      BOTCONVERSA_WEBHOOK_TOKEN: secret,
      EMAIL_WEBHOOK_SECRET: secret,
      METRICS_TOKEN: secret,
      NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
    },
  })
  const admin = await enter(server)
  database = new pg.Client(env?.DATABASE_URL)
  await database.connect()
  // The first ids: requests may deactivate these accounts.
  for (const username of ['alvo.1', 'alvo.2'])
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, role: 'conteudo' })
  await admin.ask('POST', '/api/admin/equipe', { username: editor, email: 'editora@example.org', role: 'conteudo' })
})
afterAll(async () => {
  agent.destroy()
  await database.end()
  await server.kill()
  await site.remove()
})

/** The status of the response, or the error code of the connection: the server may close it on a broken request. */
function send({ method, path, headers, body }: FuzzRequest): Promise<{ outcome: string; text: string }> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ outcome: error.code ?? 'cut', text: '' })
    try {
      const sent = request(server.url + path, { method, headers, agent }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          if (text.length < 300) text += chunk
        })
        answer.on('end', () => {
          const isShed = answer.statusCode === 503 && answer.headers['retry-after'] !== undefined
          resolve({ outcome: isShed ? '503 with Retry-After' : String(answer.statusCode), text })
        })
        answer.on('error', fail)
      })
      sent.on('error', fail)
      sent.end(body)
    } catch (error) {
      // Node refuses to send some headers and paths.
      fail(error as NodeJS.ErrnoException)
    }
  })
}

/** Without garbage, which alone makes readings vary by 100 MB. The smallest of some seconds: freed pages return slowly. */
async function settledMegabytes(): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5; n += 1) {
    await collectGarbage(inspectorPort)
    await delay(500)
    smallest = Math.min(smallest, memoryOf(server.process.pid ?? 0).megabytes)
  }
  return smallest
}

test('random requests to every route get no 5xx, and the process survives them without growing', async () => {
  const description = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as ApiDescription
  const routes = readRoutes(description).filter(({ path }) => !path.endsWith('/logout'))
  expect(routes.length).toBeGreaterThan(150)
  const random = seededRandom('random requests')
  let tokens: string[] = []
  const next = createRequests(random, { tokens: () => tokens, secret })

  /**
   * Requests may have ended the sessions, or changed the accounts. Sessions are stored directly: requests with wrong
   * passwords may have used up the limits of logins.
   */
  async function renewSessions(): Promise<void> {
    await rows(
      `update admin_users set "isActive" = true, "mustChangePassword" = false,
        role = case username when $1 then 'coordenacao' else 'conteudo' end`,
      [credentials.username],
    )
    const access = { url: server.url, rows }
    const [administrator, ofEditor, ended] = [
      await enter(access),
      await enterAs(access, { username: editor, role: 'conteudo' }),
      await enter(access),
    ]
    await ended.call('POST', '/api/admin/logout')
    tokens = [administrator.token, ofEditor.token, ended.token]
  }

  const outcomes: Record<string, number> = {}
  const failures: string[] = []
  const shed: Record<string, number> = {}

  async function run(total: number): Promise<void> {
    let left = total
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          const route = routes[left % routes.length]
          left -= 1
          if (!route) continue
          const fuzzed = next(route)
          const { outcome: reply, text } = await send(fuzzed)
          // The server stops reading a body that is too large, and closes the connection.
          const isTooLarge = (fuzzed.body?.length ?? 0) > smallestBodyLimit
          const outcome = isTooLarge && closed.includes(reply) ? 'closed, body too large' : reply
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
          const name = `${route.method} ${route.path}`
          if (outcome === '503 with Retry-After') shed[name] = (shed[name] ?? 0) + 1
          if (!/^([1234]\d\d|503 with|closed)/.test(outcome) && failures.length < 20)
            failures.push(
              `${name} ${fuzzed.path.slice(0, 300)} ${outcome} ${text} ${fuzzed.body?.toString('latin1').slice(0, 500)}`,
            )
          if (outcome === 'ECONNREFUSED') left = 0
        }
      }),
    )
  }

  // Readings vary by 20 MB, so the smallest of three is taken at both ends. Caches and pools fill in the first round.
  const rounds = 10
  const readings: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await renewSessions()
    await run(Math.ceil(size.fuzzedRequests / rounds))
    readings.push(await settledMegabytes())
  }
  const warm = Math.min(...readings.slice(0, 3))
  const betweenEnds = (rounds - 1) / (rounds - 3)
  const growth = (Math.min(...readings.slice(-3)) - warm) * betweenEnds
  const crashes = server.process.exitCode === null ? 0 : 1
  reportResult({
    test: 'random requests',
    notes: `${size.fuzzedRequests} requests to ${routes.length} routes; by status ${JSON.stringify(outcomes)}; 5xx other than 503 with Retry-After ${Object.keys(outcomes).filter((each) => /^5\d\d$/.test(each)).length} (bar 0); crashes ${crashes} (bar 0); memory ${warm.toFixed(0)} MB, growth ${growth.toFixed(1)} MB (bar ${maxGrowthMegabytes}); 503 with Retry-After by route ${JSON.stringify(shed)}`,
  })
  expect(failures).toEqual([])
  expect(crashes).toBe(0)
  expect((await fetch(`${server.url}/saude/pronto`)).status).toBe(200)
  expect(growth).toBeLessThan(maxGrowthMegabytes)
}, 3_600_000)
