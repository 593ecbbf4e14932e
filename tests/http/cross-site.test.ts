// Every changing route, taken from the router, refuses cross-site requests, also from a second origin in Chromium.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhookPath, webhookSecret } from '#tests/helpers/chatbot.ts'
import { headlessChromium } from '#tests/helpers/chromium.ts'
import { aChatbotCall, aContact, aSignature } from '#tests/helpers/factories.ts'
import { postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'
import { findHeadlessChromium } from '#tests/helpers/tools.ts'

const message = 'Este envio veio de outro site e não foi aceito. Abra a nossa página e envie por ela.'
const publicUrl = 'https://mobiliza.example.org'
const foreign = 'https://outro.example.net'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret })
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const accessBySecret = ['webhook', 'signed', 'link']
const changingRoutes = () => site.app.policies.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
const checkedRoutes = () => changingRoutes().filter(({ access }) => !accessBySecret.includes(access))
const addressOf = (url: string) => site.url + url.replace(/:\w+/g, 'juros').replace('*', 'x')

const fromOtherSites: [name: string, headers: Record<string, string>][] = [
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['cross-site, whatever Origin says', { 'sec-fetch-site': 'cross-site', origin: publicUrl }],
  ['a foreign Origin from a browser without Sec-Fetch-Site', { origin: foreign }],
  ['an Origin that only begins like ours', { origin: `${publicUrl}.example.net` }],
  ['an Origin that only ends like ours', { origin: 'https://nao-mobiliza.example.org' }],
  ['Origin: null from a browser without Sec-Fetch-Site', { origin: 'null' }],
  ['a sibling subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example.org' }],
]

const fromOurPages: [name: string, headers: Record<string, string>][] = [
  ['Sec-Fetch-Site: same-origin', { 'sec-fetch-site': 'same-origin', origin: publicUrl }],
  ['same-origin without a referrer policy that shows the origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['a form sent again by the visitor', { 'sec-fetch-site': 'none' }],
  ['the public address, from a browser without Sec-Fetch-Site', { origin: publicUrl }],
  ['no header of a browser at all', {}],
]

describe.each(fromOtherSites)('a request with %s', (_, headers) => {
  test('is refused with a message on every route that changes something', async () => {
    expect(checkedRoutes().length).toBeGreaterThan(30)
    for (const { method, url } of checkedRoutes()) {
      const answer = await fetch(addressOf(url), {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })
      const text = await answer.text()
      expect([method, url, answer.status, text.includes(message)]).toEqual([method, url, 403, true])
      expect(answer.headers.get('content-type')).toContain(url.startsWith('/api/') ? 'application/json' : 'text/html')
    }
  })
})

describe.each(fromOurPages)('a request with %s', (_, headers) => {
  test('is accepted', async () => {
    expect((await postJson(`${site.url}/api/peticoes`, aSignature(), headers)).status).toBe(201)
    expect((await postForm(`${site.url}/peticao`, aSignature(), { headers, redirect: 'manual' })).status).toBe(303)
  })
})

test('behind a proxy that keeps the host, another host name of the site is accepted', async () => {
  const { host } = new URL(site.url)
  for (const origin of [`https://${host}`, `http://${host}`])
    expect((await postJson(`${site.url}/api/peticoes`, aSignature(), { origin })).status).toBe(201)
})

test('an Origin that only ends like the host of the request is refused', async () => {
  const origin = `http://nao${new URL(site.url).host}`
  expect((await postJson(`${site.url}/api/peticoes`, aSignature(), { origin })).status).toBe(403)
})

test('a chatbot and a mail provider may send any Origin, because they know a secret', async () => {
  const headers = { origin: foreign, 'sec-fetch-site': 'cross-site' }
  const chatbot = await postJson(site.url + webhookPath, aChatbotCall(), {
    ...headers,
    'x-webhook-token': webhookSecret,
  })
  expect(chatbot.status).toBe(200)
  const links = changingRoutes().filter(({ access }) => access === 'link')
  expect(links.map(({ url }) => url)).toContain('/descadastrar/:token')
  for (const { url } of links) {
    const path = url.replace(':token', 'A'.repeat(22))
    const answer = await postForm(site.url + path, { 'List-Unsubscribe': 'One-Click' }, { headers })
    // The token does not exist. A 404 shows that it was looked up; some forms lack a field and are refused before.
    expect([404, ...(url.includes('/meus-dados/') ? [400] : [])], url).toContain(answer.status)
  }
})

describe.skipIf(!findHeadlessChromium())('in Chromium', () => {
  let browser: Browser
  let other: Server
  let otherUrl: string
  let seen: { request: IncomingMessage; response: ServerResponse }[] = []
  const watch = (request: IncomingMessage, response: ServerResponse) => seen.push({ request, response })

  beforeAll(async () => {
    browser = await chromium.launch(headlessChromium())
    // For a browser, another name of this machine is another site.
    other = createServer((_, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end('<!doctype html><title>Outro</title><iframe name=f></iframe>'),
    )
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    otherUrl = `http://localhost:${(other.address() as AddressInfo).port}/`
    site.app.server.on('request', watch)
  })
  afterAll(async () => {
    site.app.server.off('request', watch)
    await browser.close()
    other.close()
  })
  beforeEach(() => {
    seen = []
  })

  async function openPage(url: string) {
    const page = await browser.newPage()
    await page.goto(url)
    seen = []
    return page
  }

  /** Sends the fields as a form, as JSON and without CORS; resolves when all have been answered. */
  const sendAll = async (url: string, calls: { method: string; address: string }[], fields: object) => {
    const page = await openPage(url)
    await page.evaluate(
      async ({ calls, fields }) => {
        for (const { method, address } of calls) {
          const body = JSON.stringify(fields)
          const headers = { 'content-type': 'application/json' }
          await fetch(address, { method, headers, body }).catch(() => {})
          if (method !== 'POST') continue
          await fetch(address, { method, mode: 'no-cors', body }).catch(() => {})
          await fetch(address, { method, mode: 'no-cors', body: new URLSearchParams(fields as never) }).catch(() => {})
          for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
            const form = document.createElement('form')
            Object.assign(form, { method, action: address, enctype, target: 'f' })
            for (const [name, value] of Object.entries(fields)) {
              const input = document.createElement('input')
              Object.assign(input, { type: 'hidden', name, value: String(value) })
              form.append(input)
            }
            document.body.append(form)
            const frame = document.querySelector('iframe')
            if (!frame) return
            const answered = new Promise((resolve) => {
              frame.onload = resolve
            })
            form.submit()
            await answered
          }
        }
      },
      { calls, fields },
    )
    await page.close()
  }

  test('no form and no fetch of another site passes the check on any route', async () => {
    const calls = checkedRoutes().map(({ method, url }) => ({ method, address: addressOf(url) }))
    await sendAll(otherUrl, calls, { ...aSignature(), ...aContact() })

    const arrived = seen.filter(({ request }) => !['GET', 'OPTIONS'].includes(request.method ?? ''))
    const posts = calls.filter(({ method }) => method === 'POST')
    // The browser does not send JSON and other methods: its preflight request is not allowed.
    expect(arrived).toHaveLength(5 * posts.length)
    const passed = arrived.filter(({ response }) => response.statusCode !== 403)
    expect(passed.map(({ request, response }) => `${request.url} ${response.statusCode}`)).toEqual([])
    expect(await site.rows('select 1 from peticoes union all select 1 from contacts')).toEqual([])
  }, 120_000)

  test('a sandboxed frame and a page without referrer are refused', async () => {
    const page = await openPage(otherUrl)
    await page.evaluate(
      ({ address, fields }) => {
        const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
        const form = `<meta name="referrer" content="no-referrer"><form method="post" action="${address}">${inputs.join('')}</form>`
        for (const sandbox of ['allow-forms allow-scripts', 'allow-forms allow-scripts allow-same-origin']) {
          const frame = document.createElement('iframe')
          frame.setAttribute('sandbox', sandbox)
          frame.srcdoc = `${form}<script>document.forms[0].submit()</script>`
          document.body.append(frame)
        }
      },
      { address: `${site.url}/peticao`, fields: aSignature() },
    )
    const posts = () =>
      seen
        .filter(({ request, response }) => request.method === 'POST' && response.writableEnded)
        .map(({ request, response }) => [request.headers.origin, response.statusCode])
    await expect.poll(posts, { timeout: 20_000 }).toEqual([
      ['null', 403],
      ['null', 403],
    ])
    await page.close()
  })

  test('our own page can sign, as a form and as JSON', async () => {
    const page = await openPage(`${site.url}/peticao`)
    const status = await page.evaluate(
      async (fields) =>
        (
          await fetch('/api/peticoes', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(fields),
          })
        ).status,
      aSignature(),
    )
    expect(status).toBe(201)
    await page.close()

    const scriptless = await browser.newPage({ javaScriptEnabled: false })
    await scriptless.goto(`${site.url}/peticao`)
    const { nome, email, whatsapp, cidade } = aSignature()
    for (const [name, value] of Object.entries({ nome, email, whatsapp, cidade }))
      await scriptless.locator(`form [name=${name}]`).fill(value)
    await scriptless.locator('form [name=estado]').selectOption('SP')
    await scriptless.locator('form [type=submit]').click()
    await scriptless.waitForURL(/\?obrigado/)
    await scriptless.close()
    expect(await site.rows('select 1 from peticoes')).toHaveLength(2)
  })
})
