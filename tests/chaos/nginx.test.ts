// The nginx of deploy/ in front of nodes that fail, stop or differ in version.
import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { get as getSecurely } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { httpMessages } from '#contract/messages.ts'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { buildApp } from '#server/app.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { createRemovalJournal } from '#server/core/removal-journal.ts'
import { readSiteFile } from '#server/core/site.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import { openSiteService } from '#server/db/site-settings.ts'
import { createRateLimits } from '#server/http/admission/rate-limits.ts'
import { createDeliveries } from '#server/outbox/deliveries.ts'
import { createMailer } from '#server/outbox/email/email-handler.ts'
import { createSheetSync } from '#server/outbox/sheet/sync-sheet.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { type Nginx, startNginx } from '#tests/helpers/nginx.ts'
import { rowsOf } from '#tests/helpers/postgres.ts'

let site: PostgresSite
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

/** A node in this process, with a route that returns the address it sees for the client. */
async function startServer(env: Record<string, string> = {}) {
  const config = readConfig({ ...site.settings.env, TRUST_PROXY: '127.0.0.1', ...env })
  const log = createLog('silent')
  const database = openDatabase(await openEngine(config), log)
  const metrics = createMetrics()
  const throttle = createBackgroundThrottle()
  const deliveries = createDeliveries({
    database,
    log,
    metrics,
    throttle,
    reminders: async () => false,
    handlers: [],
    mailbox: openLocalMailbox(''),
  })
  const spreadsheet = createSheetSync({ database, settings: config, throttle })
  const limits = createRateLimits()
  const removals = createRemovalJournal(config, log)
  const parts = {
    config,
    site: await openSiteService({ database, log, file: readSiteFile(undefined) }),
    log,
    database,
    metrics,
    limits,
    throttle,
    deliveries,
    mailer: createMailer(config),
    spreadsheet,
    removals,
    erasedMail: { apply: async () => {} },
  }
  const app = await buildApp(parts, { renderer: await openBuild() })
  app.get('/quem', { config: { access: 'anyone' } }, (request, reply) =>
    reply.header('Cache-Control', 'no-store').send(request.ip),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  return { port, url: `http://127.0.0.1:${port}`, close: () => app.close() }
}

test('when a response is lost between node and nginx, nginx repeats the request with the same id and it is stored once', async () => {
  const { cluster } = site
  const node = await startServer()
  const lostIds: string[] = []
  // Forwards each request to the node, then closes the connection without a response.
  const droppingProxy = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', async (head) => {
      const [, id = ''] = /^x-request-id: (.*)\r$/im.exec(String(head)) ?? []
      const [, path = ''] = /^\w+ (\S+)/.exec(String(head)) ?? []
      const [, body = ''] = String(head).split('\r\n\r\n')
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-request-id': id }
      await fetch(node.url + path, { method: 'POST', headers, body, redirect: 'manual' })
      lostIds.push(id)
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(droppingProxy, 'listening')
  onTestFinished(() => void droppingProxy.close())
  const nginx = await startNginx([(droppingProxy.address() as AddressInfo).port, node.port])
  const [contact, signature] = [aContact(), aSignature()]

  const answers = [
    await statusOf(`${nginx.url}/embed/voluntarios`, contact),
    await statusOf(`${nginx.url}/embed/voluntarios`, aContact()),
    await statusOf(`${nginx.url}/peticao`, signature),
  ]

  expect(answers).toEqual([303, 303, 303])
  expect(lostIds).toHaveLength(2)
  const stored = await rowsOf<{ email: string; requestId: string }>(
    cluster.url('mobiliza'),
    `select email, "requestId" from contacts where email = '${contact.email}'
    union all select email, "requestId" from peticoes where email = '${signature.email}'`,
  )
  expect(stored).toEqual([contact, signature].map(({ email }, index) => ({ email, requestId: lostIds[index] })))
})

test('nodes trust the client address of nginx only with TRUST_PROXY, and a client cannot forge it', async () => {
  const trusting = await startNginx([(await startServer()).port])
  const untrusting = await startNginx([(await startServer({ TRUST_PROXY: '' })).port])

  const seenAddresses = [await seenAddress(trusting), await seenAddress(untrusting)]

  expect(seenAddresses).toEqual(['127.0.0.2', '127.0.0.1'])
})

test('nginx serves TLS, redirects plain HTTP to it, hides the metrics and limits the size of requests', async () => {
  const node = await startServer()
  const nginx = await startNginx([node.port])

  const tlsStatus = await secureStatus(`${nginx.tlsUrl}/peticao`, nginx.certificate)
  const redirected = await fetch(`${nginx.redirectUrl}/peticao?de=zap`, { redirect: 'manual' })
  const metrics = await fetch(`${nginx.url}/metricas`)
  const tooLarge = await postJson(`${nginx.url}/api/peticoes`, aSignature({ nome: 'x'.repeat(66_000) }))
  const upload = await postJson(`${nginx.url}/api/admin/imagens`, { imagem: 'x'.repeat(1_000_000) })

  expect(tlsStatus).toBe(200)
  expect([redirected.status, redirected.headers.get('location')]).toEqual([308, 'https://127.0.0.1/peticao?de=zap'])
  expect([metrics.status, metrics.headers.get('x-request-id')]).toEqual([404, null])
  expect([tooLarge.status, await tooLarge.json()]).toEqual([
    413,
    { success: false, message: httpMessages.tooLarge, code: 'too-large' },
  ])
  // The request passed the size limit of nginx: the response comes from the node.
  expect(upload.headers.get('x-request-id')).not.toBe(null)
})

test('a script that only one version has is served while two versions run', async () => {
  const node = await startServer()
  const otherVersion = createHttpServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(otherVersion, 'listening')
  onTestFinished(() => void otherVersion.close())
  const nginx = await startNginx([(otherVersion.address() as AddressInfo).port, node.port])
  const scripts = (await (await fetch(`${node.url}/peticao`)).text()).match(/\/assets\/[\w.-]+\.js/g) ?? []

  const statuses = new Set<number>()
  for (const script of scripts) statuses.add((await fetch(nginx.url + script)).status)

  expect(scripts.length).toBeGreaterThan(2)
  expect([...statuses]).toEqual([200])
})

test('with every node down, cached pages are served and API requests get a 503 with the message of the site', async () => {
  const node = await startServer()
  const nginx = await startNginx([node.port])
  expect((await fetch(`${nginx.url}/peticao`)).status).toBe(200)
  const signed = await postJson(`${nginx.url}/api/peticoes`, aSignature())
  await node.close()
  // Older than the cache period of a page while nodes run.
  await delay(2_500)
  const page = await fetch(`${nginx.url}/peticao`)
  const uncached = await fetch(`${nginx.url}/privacidade`)
  const refused = await postJson(`${nginx.url}/api/peticoes`, aSignature())

  expect(signed.status).toBe(201)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Assin')])
  expect([uncached.status, await uncached.text()]).toEqual([503, expect.stringContaining(httpMessages.unavailable)])
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { success: false, message: httpMessages.unavailable, code: 'unavailable' },
  ])
  for (const { headers } of [uncached, refused]) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('secrets of links in e-mails do not appear in the log', async () => {
  const node = await startServer()
  const nginx = await startNginx([node.port])
  const secret = 'um-segredo-de-um-email'

  for (const path of ['/confirmar', '/nao-fui-eu', '/descadastrar', '/meus-dados']) {
    expect((await fetch(`${nginx.url}${path}/${secret}`)).status).toBe(404)
    expect((await postForm(`${nginx.url}${path}/${secret}`, {})).status).toBe(404)
    expect((await fetch(`${nginx.url}/api${path}/${secret}`, { method: 'POST' })).status).toBe(404)
  }
  await nginx.stop()

  const log = nginx.accessLog()
  expect(log.filter((line) => /\/(confirmar|nao-fui-eu|descadastrar|meus-dados)\/ /.test(line)).length).toBe(12)
  expect(log.join()).not.toContain(secret)
})

/** The client address that the node sees for a client that claims another one. */
async function seenAddress({ url }: Nginx): Promise<string> {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' }
  const [answer] = await once(request(`${url}/quem`, { localAddress: '127.0.0.2', headers }).end(), 'response')
  return text(answer)
}

async function secureStatus(url: string, ca: string): Promise<number> {
  const [answer] = await once(getSecurely(url, { ca }), 'response')
  answer.resume()
  return answer.statusCode
}

/** The status of a form submission, without following the redirect. */
async function statusOf(url: string, fields: object): Promise<number> {
  return (await postForm(url, fields, { redirect: 'manual' })).status
}
