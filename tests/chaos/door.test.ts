// The door of deploy/: what its nginx does with visitors, whatever the nodes behind it do.
import { once } from 'node:events'
import { createServer as createHttpServer, request } from 'node:http'
import { get as getSecurely } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { httpMessages } from '#contract/messages.ts'
import { defaultSite } from '#contract/site.ts'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createLimits } from '#server/core/limits.ts'
import { createLog } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { createRemovalJournal } from '#server/core/removal-journal.ts'
import { createRush } from '#server/core/rush.ts'
import { openDatabase } from '#server/db/database.ts'
import { openEngine } from '#server/db/engine.ts'
import { createDeliveries } from '#server/outbox/deliveries.ts'
import { createSheetSync } from '#server/outbox/sync-sheet.ts'
import { openBuild } from '#server/ssr/renderer.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { type Door, openDoor } from '#tests/helpers/nginx.ts'
import { rowsOf } from '#tests/helpers/postgres.ts'

let site: PostgresSite
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

/** A node in this process, which also says whom it takes the visitor for. */
async function startNode(env: Record<string, string> = {}) {
  const config = readConfig({ ...site.settings.env, TRUST_PROXY: '127.0.0.1', ...env })
  const log = createLog('silent')
  const database = openDatabase(await openEngine(config), log)
  const metrics = createMetrics()
  const rush = createRush()
  const deliveries = createDeliveries({
    database,
    log,
    metrics,
    rush,
    reminders: false,
    couriers: [],
    mailbox: openLocalMailbox(''),
  })
  const spreadsheet = createSheetSync({ database, settings: config, rush })
  const limits = createLimits()
  const removals = createRemovalJournal(config, log)
  const parts = { config, site: defaultSite, log, database, metrics, limits, rush, deliveries, spreadsheet, removals }
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

test('an answer lost between node and door is asked for again, and what was sent is known for the same', async () => {
  const { cluster } = site
  const node = await startNode()
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
    await statusOf(`${door.url}/embed/voluntarios`, contact),
    await statusOf(`${door.url}/embed/voluntarios`, aContact()),
    await statusOf(`${door.url}/peticao`, signature),
  ]

  expect(answers).toEqual([303, 303, 303])
  expect(lost).toHaveLength(2)
  const stored = await rowsOf<{ email: string; requestId: string }>(
    cluster.url('mobiliza'),
    `select email, "requestId" from contacts where email = '${contact.email}'
    union all select email, "requestId" from peticoes where email = '${signature.email}'`,
  )
  expect(stored).toEqual([contact, signature].map(({ email }, index) => ({ email, requestId: lost[index] })))
})

test('nodes believe the address that nginx tells only when they are told to, and nobody can claim another', async () => {
  const believing = await openDoor([(await startNode()).port])
  const unbelieving = await openDoor([(await startNode({ TRUST_PROXY: '' })).port])

  const taken = [await takenFor(believing), await takenFor(unbelieving)]

  expect(taken).toEqual(['127.0.0.2', '127.0.0.1'])
})

test('the door takes TLS, sends plain visitors there, and keeps to itself what is not for visitors', async () => {
  const node = await startNode()
  const door = await openDoor([node.port])

  const securely = await secureStatus(`${door.tlsUrl}/peticao`, door.certificate)
  const sentOn = await fetch(`${door.redirectUrl}/peticao?de=zap`, { redirect: 'manual' })
  const metrics = await fetch(`${door.url}/metricas`)
  const tooLarge = await postJson(`${door.url}/api/peticoes`, aSignature({ nome: 'x'.repeat(66_000) }))
  const upload = await postJson(`${door.url}/api/admin/imagens`, { imagem: 'x'.repeat(1_000_000) })

  expect(securely).toBe(200)
  expect([sentOn.status, sentOn.headers.get('location')]).toEqual([308, 'https://127.0.0.1/peticao?de=zap'])
  expect([metrics.status, metrics.headers.get('x-request-id')]).toEqual([404, null])
  expect([tooLarge.status, await tooLarge.json()]).toEqual([413, { success: false, message: httpMessages.tooLarge }])
  // There is nothing yet that takes images: the node says so itself.
  expect(upload.headers.get('x-request-id')).not.toBe(null)
})

test('a script that only one version has is found while two versions run', async () => {
  const node = await startNode()
  const otherVersion = createHttpServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(otherVersion, 'listening')
  onTestFinished(() => void otherVersion.close())
  const door = await openDoor([(otherVersion.address() as AddressInfo).port, node.port])
  const scripts = (await (await fetch(`${node.url}/peticao`)).text()).match(/\/assets\/[\w.-]+\.js/g) ?? []

  const statuses = new Set<number>()
  for (const script of scripts) statuses.add((await fetch(door.url + script)).status)

  expect(scripts.length).toBeGreaterThan(2)
  expect([...statuses]).toEqual([200])
})

test('with every node away, kept pages are still served and calls are refused in the words of the site', async () => {
  const node = await startNode()
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
  expect([unkept.status, await unkept.text()]).toEqual([503, expect.stringContaining(httpMessages.unavailable)])
  expect([refused.status, await refused.json()]).toEqual([503, { success: false, message: httpMessages.unavailable }])
  for (const { headers } of [unkept, refused]) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('secrets of links in e-mails do not reach the log', async () => {
  const node = await startNode()
  const door = await openDoor([node.port])
  const secret = 'um-segredo-de-um-email'

  for (const path of ['/confirmar', '/nao-fui-eu', '/descadastrar']) {
    expect((await fetch(`${door.url}${path}/${secret}`)).status).toBe(404)
    expect((await postForm(`${door.url}${path}/${secret}`, {})).status).toBe(404)
    expect((await fetch(`${door.url}/api${path}/${secret}`, { method: 'POST' })).status).toBe(404)
  }
  await door.stop()

  const log = door.accessLog()
  expect(log.filter((line) => /\/(confirmar|nao-fui-eu|descadastrar)\/ /.test(line)).length).toBe(9)
  expect(log.join()).not.toContain(secret)
})

/** Whom the node takes a visitor for, who comes from one address and claims another. */
async function takenFor({ url }: Door): Promise<string> {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' }
  const [answer] = await once(request(`${url}/quem`, { localAddress: '127.0.0.2', headers }).end(), 'response')
  return text(answer)
}

async function secureStatus(url: string, ca: string): Promise<number> {
  const [answer] = await once(getSecurely(url, { ca }), 'response')
  answer.resume()
  return answer.statusCode
}

/** How a form is answered, not going where it leads. */
async function statusOf(url: string, fields: object): Promise<number> {
  return (await postForm(url, fields, { redirect: 'manual' })).status
}
