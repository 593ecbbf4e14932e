// Offline use: signatures stored on the phone, pages opened from the cache, and the live counter.
import { networkInterfaces } from 'node:os'
import type { BrowserContext, Page } from '@playwright/test'
import { campaignClosed } from '#contract/messages.ts'
import { asAdministrator, createCampaign } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { startSite } from '#tests/e2e/site.ts'
import {
  disableServiceWorker,
  displayedCount,
  expect,
  expectAccessible,
  fillSignature,
  holdRequests,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { fullChromiumOptions } from '#tests/helpers/chromium.ts'
import { aSignature, type SignatureFields } from '#tests/helpers/factories.ts'
import { startServer } from '#tests/helpers/server-process.ts'

// The full browser has Background Sync, which sends after the page is closed.
test.use({ launchOptions: fullChromiumOptions() })

const sign = { name: 'Assinar a petição' }
const storedHeading = { name: 'Sua assinatura está guardada, ainda não enviada' }

const question = { name: 'Esta assinatura é sua?' }

/** Confirms that a signature of an earlier visit belongs to the visitor. */
const claim = (page: Page) => page.getByRole('button', { name: 'Sim, é minha' }).click()

// Only the tests of this file sign this campaign, so that its count is exact.
let countedPath: string
let countedApi: string
test.beforeAll(async () => {
  const { slug } = await createCampaign(await asAdministrator())
  countedPath = `/p/${slug}`
  countedApi = `/api/campaigns/${slug}`
})

const hasNetwork = Object.values(networkInterfaces()).some((own) => own?.some(({ internal }) => !internal))

// biome-ignore lint/correctness/noEmptyPattern: only the project is needed
test.beforeEach(({}, { project }) => {
  test.skip(project.name !== 'phone', 'a network has no width')
  test.skip(!hasNetwork, 'on a machine without a network Chromium sends nothing in the background')
})
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|status of 4(0[034]|10)/ })

/** Removes Background Sync in the browser. A new page is blank at first, and blank pages do not have the class. */
function removeBackgroundSync(): void {
  if ('ServiceWorkerRegistration' in globalThis) Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'sync')
}

/** Stops the clock of the page: then it advances only on request. Fails if the second is over before the page knows. */
const pauseClock = (page: Page) => expect(() => page.clock.pauseAt(Date.now() + 1_000)).toPass()

const isCached = (page: Page, path: string) =>
  page.evaluate(async (wanted) => Boolean(await caches.match(wanted)), path)

/** Waits until the service worker has cached the open page with its assets. */
async function waitForCache(page: Page, path: string): Promise<void> {
  await expect.poll(() => isCached(page, path)).toBe(true)
}

const storedCount = async (page: Page): Promise<number> =>
  (await (await page.request.get(`${countedApi}/count`)).json()).count

/** Expects exactly one more signature, also after the time in which a second one would appear. */
async function expectOneMore(page: Page, before: number): Promise<void> {
  await expect.poll(() => storedCount(page)).toBe(before + 1)
  await page.waitForTimeout(1_500)
  expect(await storedCount(page)).toBe(before + 1)
}

const sentIds = (context: BrowserContext) => {
  const ids: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'POST') ids.push(String(request.headers()['x-request-id']))
  })
  return ids
}

test('a signature made offline counts once when the network is back, with the origin of its link', {
  tag: '@quick',
}, async ({ page, context }) => {
  await open(page, `${countedPath}?de=roda-de-conversa`)
  const stored = await storedCount(page)
  const before = await displayedCount(page)
  const { email } = await fillSignature(page)
  const ids = sentIds(context)

  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeFocused()
  await expectAccessible(page)
  await takeScreenshot(page, 'assinatura-guardada-phone', { fullPage: true, scale: 'css' })
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByText('Ainda sem internet. Sua assinatura continua guardada.')).toBeVisible()

  await context.setOffline(false)
  await expect(page.locator('.toast').getByText('Assinatura enviada')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  await expect.poll(() => displayedCount(page)).toBe(before + 1)
  expect(new Set(ids).size).toBe(1)
  expect(await rows('select origem from peticoes where email = $1', [email])).toEqual([{ origem: 'roda-de-conversa' }])

  // The same e-mail again is not counted: one signature has arrived.
  const [requestId = ''] = ids
  const again = await page.request.post(`${countedApi}/signatures`, {
    data: { nome: 'Fulana de Tal', email, whatsapp: '11900000000', cidade: 'Exemplo', estado: 'SP' },
    headers: { 'x-request-id': requestId },
  })
  expect(again.status()).toBe(201)
  await expectOneMore(page, stored)
})

test('a stored signature counts for a campaign whose slug has changed', async ({ page, context }) => {
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await open(page, `/p/${campaign.slug}`)
  await waitForCache(page, `/p/${campaign.slug}`)
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()

  const slug = `${campaign.slug}-novo`
  await caller.ask('PUT', `/api/admin/campaigns/${campaign.id}`, { ...campaign, slug })
  await context.setOffline(false)

  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  const count = async () => (await (await page.request.get(`/api/campaigns/${slug}/count`)).json()).count
  await expect.poll(count).toBe(1)

  // The service worker follows the redirect, and the page works at the new URL.
  await open(page, `/p/${campaign.slug}`)
  await expect(page).toHaveURL(new RegExp(`/p/${slug}$`))
  await waitForCache(page, `/p/${slug}`)
})

test('a stored signature of a campaign that has closed meanwhile says so, and nothing is counted', async ({
  page,
  context,
}) => {
  await page.addInitScript(removeBackgroundSync)
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await open(page, `/p/${campaign.slug}`)
  const { nome, email } = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()

  await caller.ask('POST', `/api/admin/campaigns/${campaign.id}/situacao`, { status: 'closed' })
  await expect.poll(async () => (await page.request.get(`/p/${campaign.slug}`)).text()).toContain('Encerrada')
  await context.setOffline(false)

  await expect(page.getByRole('alert').getByText(campaignClosed)).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
  expect(await rows('select from peticoes where email = $1', [email])).toEqual([])
  await open(page, `/p/${campaign.slug}`)
  await expect(page.getByText('Encerrada').first()).toBeVisible()
  await expect(page.getByRole('button', sign)).toHaveCount(0)
})

test('a stored signature of a campaign that ended before the next visit is reported there and deleted', async ({
  page,
  context,
}) => {
  await page.addInitScript(removeBackgroundSync)
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await open(page, `/p/${campaign.slug}`)
  const { email } = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()
  await caller.ask('POST', `/api/admin/campaigns/${campaign.id}/situacao`, { status: 'won' })
  await expect.poll(async () => (await page.request.get(`/p/${campaign.slug}`)).text()).toContain('Vitória')
  const attempt = () =>
    page.request.post(`/api/campaigns/${campaign.slug}/signatures`, { data: aSignature({ honeypot: 'x' }) })
  await expect.poll(async () => (await attempt()).status()).toBe(410)
  // Not before: when a page is left, Chromium may let a last request through although it is offline.
  await page.goto('about:blank')
  await context.setOffline(false)

  await open(page, `/p/${campaign.slug}`)
  const notice = page.getByText('não foi contada: a campanha encerrou')
  await expect(notice).toBeInViewport()
  await expectAccessible(page)
  await takeScreenshot(page, 'assinatura-tarde-phone')
  expect(await rows('select from peticoes where email = $1', [email])).toEqual([])

  await open(page, `/p/${campaign.slug}`)
  await page.waitForLoadState('networkidle')
  await expect(notice).toHaveCount(0)
})

test('a stored signature is displayed after a reload and sent when the network is back', async ({ page, context }) => {
  await open(page, '/p/fim-escala-6x1')
  await waitForCache(page, '/p/fim-escala-6x1')
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()

  // Offline, the page opens from the cache and shows the stored signature.
  await open(page, '/p/fim-escala-6x1?utm_source=whatsapp')
  await claim(page)
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(await page.evaluate(() => indexedDB.databases().then((all) => all.length))).toBe(1)
})

test('the service worker sends a stored signature when the page is closed', { tag: '@quick' }, async ({
  page,
  context,
}) => {
  await open(page, countedPath)
  await waitForCache(page, countedPath)
  const stored = await storedCount(page)
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByText('Pode fechar esta página')).toBeVisible()
  await page.goto('about:blank')
  await context.setOffline(false)

  // The browser dispatches this event some time after the network is back.
  const browser = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [current] = registrations
      if (current) resolve(current.registrationId)
    })
  })
  await browser.send('ServiceWorker.enable')
  await browser.send('ServiceWorker.dispatchSyncEvent', {
    origin: siteUrl(),
    registrationId: await registration,
    tag: 'assinaturas',
    lastChance: false,
  })
  await expectOneMore(page, stored)
})

test('SERVICE_WORKER=off removes the service worker and its data from phones', async ({ newVisitor }) => {
  // Starts two servers.
  test.setTimeout(300_000)
  const first = await startSite()
  const page = await newVisitor({ baseURL: first.url })
  const shown = async () => [
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
    await page.evaluate(async () => (await caches.keys()).length),
    (await storedRecords(page)).length,
  ]
  await page.goto(`${first.url}/peticao`)
  await storeRecord(page, earlierRecord)
  await expect.poll(shown).toEqual([1, 1, 1])
  await first.stop()

  const { port, dataDir } = first
  const second = await startServer({ port, dataDir, env: { SERVICE_WORKER: 'off' } })
  await page.goto(`${second.url}/peticao`)
  await expect.poll(shown).toEqual([0, 0, 0])

  // Signatures stored from now on stay: no service worker is being removed.
  await storeRecord(page, earlierRecord)
  await page.reload()
  await expect(page.getByRole('heading', question)).toBeVisible()
  await expect.poll(shown).toEqual([0, 0, 1])
  await page.close()
  await second.stop()
  await first.remove()
})

test('a stored signature that the server rejects returns to the form', { tag: '@quick' }, async ({ page, context }) => {
  // Only the page sends: the service worker would reach the real server, which accepts the signature.
  await page.addInitScript(removeBackgroundSync)
  await open(page, '/peticao')
  const { nome } = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()

  await page.route('**/api/peticoes', (route) =>
    route.fulfill({ status: 400, json: { success: false, message: 'Esta campanha terminou.' } }),
  )
  await context.setOffline(false)
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)

  // Stored again, it leaves the form empty for the next signature.
  await page.unroute('**/api/peticoes')
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
  await expect(page.locator('form').getByRole('alert')).toBeEmpty()
})

/** The records stored on the phone. */
const storedRecords = (page: Page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'mobiliza')) return []
    return new Promise<{ requestId: string; keptAt?: number; sentAt?: number }[]>((resolve) => {
      const opening = indexedDB.open('mobiliza')
      opening.onsuccess = () => {
        const request = opening.result.transaction('assinaturas').objectStore('assinaturas').getAll()
        request.onsuccess = () => {
          opening.result.close()
          resolve(request.result)
        }
      }
    })
  })

/** Stores a record, as an earlier visit would have left it. */
const storeRecord = (page: Page, record: object) =>
  page.evaluate(
    (left) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('mobiliza', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('assinaturas', { keyPath: 'requestId' })
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('assinaturas', 'readwrite')
          transaction.objectStore('assinaturas').put(left)
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    record,
  )

/** Number of signatures that are not sent yet. */
const unsentCount = async (page: Page) =>
  (await storedRecords(page)).filter(({ sentAt }) => sentAt === undefined).length

/** Makes a tab check its stored signature. It may also have done so by itself shortly before. */
const checkAgain = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))

async function storeSignature(page: Page, context: BrowserContext): Promise<SignatureFields> {
  await context.addInitScript(removeBackgroundSync)
  await open(page, '/peticao')
  const signature = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()
  return signature
}

test('without storage space a connection error is displayed and the form keeps its data', async ({ page, context }) => {
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    // Reports success and aborts at the end, like a full disk.
    IDBObjectStore.prototype.put = function (...args) {
      const request = put.apply(this, args)
      request.addEventListener('success', () => this.transaction.abort())
      return request
    }
  })
  await open(page, '/peticao')
  const { nome } = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('alert').getByText('Erro de conexão. Verifique sua internet')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
  await expect(page.getByRole('heading', storedHeading)).toHaveCount(0)
})

test('a stored signature that the phone has lost returns to the form and is not reported as sent', async ({
  page,
  context,
}) => {
  await storeSignature(page, context)
  await page.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase('mobiliza').onsuccess = resolve)))
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByRole('alert').getByText('A assinatura não está mais guardada neste aparelho.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).not.toHaveValue('')
  await expect(page.getByLabel('Nome completo')).toBeFocused()
})

test('a response that is not from the server is not accepted as success or failure', async ({ page }) => {
  const answers = [
    { status: 200, contentType: 'text/html', body: '<h1>Em manutenção</h1>' },
    { status: 200, contentType: 'text/html', body: '<h1>Em manutenção</h1>' },
    { status: 403, contentType: 'text/html', body: '<h1>Prove que não é um robô</h1>' },
  ]
  await page.addInitScript(removeBackgroundSync)
  await page.route('**/api/peticoes', (route) => {
    const answer = answers.shift()
    return answer ? route.fulfill(answer) : route.continue()
  })
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()
  await expect.poll(() => answers.length).toBe(1)
  // A press during an automatic attempt waits for that attempt.
  await expect(async () => {
    await page.getByRole('button', { name: 'Enviar agora' }).click()
    await expect(page.getByText('Ainda não foi possível enviar. Sua assinatura continua guardada.')).toBeVisible()
    expect(answers).toHaveLength(0)
  }).toPass()
  expect(await unsentCount(page)).toBe(1)

  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  expect(await unsentCount(page)).toBe(0)
})

const hidePage = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('a signature is stored while the page is hidden during sending, until the response arrives', async ({ page }) => {
  // Only pages send: the service worker would reach the real server.
  await page.context().addInitScript(removeBackgroundSync)
  const release = await holdRequests(page, '/api/peticoes', 'POST')
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeVisible()
  expect(await unsentCount(page)).toBe(0)
  await hidePage(page)
  await expect.poll(() => unsentCount(page)).toBe(1)
  // Another tab finds it, and cannot send it either.
  const other = await page.context().newPage()
  await other.route('**/api/peticoes', (route) => route.abort())
  await open(other, '/peticao')
  await claim(other)
  await expect(other.getByRole('heading', storedHeading)).toBeVisible()

  release()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(await storedRecords(page)).toEqual([expect.objectContaining({ body: null, sentAt: expect.any(Number) })])
  await checkAgain(other)
  await expect(other.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
})

test('a signature whose page stays hidden during sending is sent by the service worker', async ({ page }) => {
  await open(page, countedPath)
  await waitForCache(page, countedPath)
  const stored = await storedCount(page)
  await fillSignature(page)
  // The request of the page never completes; the request of the service worker does.
  await holdRequests(page, `${countedApi}/signatures`, 'POST')
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeVisible()
  await hidePage(page)
  await expectOneMore(page, stored)
})

test('a signature that two tabs send and the server rejects is reported once and removed from the phone', async ({
  page,
  context,
}) => {
  await context.addInitScript(removeBackgroundSync)
  const refusal = { status: 400, json: { success: false, message: 'Esta campanha terminou.' } }
  const answerOnRelease = async (tab: Page) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await tab.route('**/api/peticoes', async (route) => {
      await promise
      await route.fulfill(refusal)
    })
    return resolve
  }
  const answerFirst = await answerOnRelease(page)
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await hidePage(page)
  await expect.poll(() => unsentCount(page)).toBe(1)
  const other = await context.newPage()
  const answerSecond = await answerOnRelease(other)
  const requested = other.waitForRequest('**/api/peticoes')
  await open(other, '/peticao')
  await claim(other)
  await requested

  answerFirst()
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  expect(await storedRecords(page)).toEqual([])
  answerSecond()
  await expect(other.getByRole('alert').getByText('A assinatura não está mais guardada')).toBeVisible()
  expect(await storedRecords(page)).toEqual([])
})

test('a deactivated petition does not open from the cache', async ({ page }) => {
  const deactivated = '/p/campanha-que-terminou'
  await open(page, '/peticao')
  await waitForCache(page, '/peticao')
  await page.evaluate(async (path) => (await caches.open('mobiliza-1')).put(path, new Response('Assine')), deactivated)
  await page.goto(deactivated)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Campanha não encontrada')
  await expect.poll(() => isCached(page, deactivated)).toBe(false)
  expect(await isCached(page, '/peticao')).toBe(true)
})

test('on a shared phone a stored signature does not disturb the next visitor', async ({ page, context }) => {
  await disableServiceWorker(page)
  await storeSignature(page, context)
  // Sending still fails.
  await page.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')

  const release = await holdRequests(page, '/assets/entry-browser*.js')
  await page.goto('/peticao', { waitUntil: 'commit' })
  await page.getByLabel('Nome completo').fill('Sicrano que escreve')
  await page.unroute('**/api/peticoes')
  release()
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect.poll(() => unsentCount(page)).toBe(0)
  await expect(page.getByLabel('Nome completo')).toHaveValue('Sicrano que escreve')
  await expect(page.getByRole('heading', { name: /Obrigado/ })).toHaveCount(0)
})

test('a returning visitor sees the stored signature, also when the browser restored the form fields', async ({
  page,
  context,
}) => {
  await disableServiceWorker(page)
  const { email } = await storeSignature(page, context)
  await page.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)

  const release = await holdRequests(page, '/assets/entry-browser*.js')
  await page.goto('/peticao', { waitUntil: 'commit' })
  await page.getByLabel('Nome completo').fill('Fulana que volta')
  await page.getByLabel('E-mail').fill(email)
  release()
  await expect(page.getByRole('heading', storedHeading)).toBeVisible()
})

test('markers of signatures sent long ago are deleted from the phone', async ({ page }) => {
  await open(page, '/peticao')
  const marker = { path: '/api/peticoes', body: null }
  await storeRecord(page, { ...marker, requestId: 'antiga', sentAt: Date.now() - 3_700_000 })
  await storeRecord(page, { ...marker, requestId: 'recente', sentAt: Date.now() - 1_000 })
  await open(page, '/peticao')
  await expect.poll(() => storedRecords(page)).toEqual([expect.objectContaining({ requestId: 'recente' })])
})

test('a rejection stored by an earlier version of the site is still displayed', async ({ page }) => {
  await open(page, '/peticao')
  const body = { nome: 'Fulana de Antes', email: 'antes@example.org' }
  await storeRecord(page, { requestId: 'antiga', path: '/api/peticoes', body, refused: 'Esta campanha terminou.' })
  await open(page, '/peticao')
  await claim(page)
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana de Antes')
})

const earlierRecord = {
  requestId: 'antiga',
  path: '/api/peticoes',
  body: { nome: 'Maria de Antes', email: 'maria.de.antes@example.org', whatsapp: '11987654321' },
  refused: { message: 'Esta campanha terminou.', errors: {} },
}

test('a signature of an earlier visitor is not displayed: the next visitor is asked and can delete it', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, '/peticao')
  await storeRecord(page, earlierRecord)
  await open(page, '/peticao')
  await expect(page.getByRole('heading', question)).toBeVisible()
  await expect(page.getByText('m***@example.org')).toBeVisible()
  expect(await page.locator('#pagina').innerText()).not.toMatch(/Maria|maria\.de|98765|terminou/)
  expect(await page.locator('input').count()).toBe(0)
  await expectAccessible(page)
  for (const [width, height] of [
    [360, 640],
    [390, 664],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.getByRole('heading', question).scrollIntoViewIfNeeded()
    await takeScreenshot(page, `assinatura-de-quem-${width}`, { scale: 'css' })
  }

  await page.getByRole('button', { name: 'Apagar deste aparelho' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
  await expect.poll(() => storedRecords(page)).toEqual([])
})

test('a visitor who denies a stored signature gets an empty form, and the signature stays', async ({ page }) => {
  await open(page, '/peticao')
  await storeRecord(page, earlierRecord)
  await open(page, '/peticao')
  await page.getByRole('button', { name: 'Não é minha' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('E-mail')).toHaveValue('')
  expect(await storedRecords(page)).toEqual([expect.objectContaining({ requestId: 'antiga' })])
})

test('a signature stays on the phone for seven days, which count from now if it has no date', async ({ page }) => {
  const day = 86_400_000
  await open(page, '/peticao')
  await storeRecord(page, { ...earlierRecord, requestId: 'velha', keptAt: Date.now() - 7 * day - 60_000 })
  await storeRecord(page, { ...earlierRecord, requestId: 'recente', path: '/api/outra', keptAt: Date.now() - 6 * day })
  await storeRecord(page, { ...earlierRecord, requestId: 'sem-data', path: '/api/outra' })
  const before = Date.now()
  await open(page, '/peticao')
  await expect
    .poll(async () => (await storedRecords(page)).map(({ requestId }) => requestId).sort())
    .toEqual(['recente', 'sem-data'])
  await expect(page.getByRole('heading', question)).toHaveCount(0)
  const dated = (await storedRecords(page)).find(({ requestId }) => requestId === 'sem-data')
  expect(dated?.keptAt).toBeGreaterThanOrEqual(before)
})

test('a page cached more than seven days ago does not open from the cache', async ({ page, context }) => {
  await open(page, '/peticao')
  await waitForCache(page, '/peticao')
  const age = (days: number) =>
    page.evaluate(async (past) => {
      const cache = await caches.open('mobiliza-1')
      const cached = (await cache.match('/peticao')) as Response
      const headers = new Headers(cached.headers)
      headers.set('date', new Date(Date.now() - past * 86_400_000).toUTCString())
      await cache.put('/peticao', new Response(await cached.text(), { headers }))
    }, days)

  await age(6)
  await context.setOffline(true)
  await page.goto('/peticao')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await age(8)
  await expect(page.goto('/peticao')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)

  // Online it opens again and is cached again.
  await context.setOffline(false)
  await open(page, '/peticao')
  await expect.poll(() => isCached(page, '/peticao')).toBe(true)
})

/** Stores a signature whose next attempt stays in flight until it is released. */
async function storeSignatureInFlight(page: Page, context: BrowserContext): Promise<() => void> {
  await disableServiceWorker(page)
  await storeSignature(page, context)
  const release = await holdRequests(page, '/api/peticoes', 'POST')
  const tried = page.waitForRequest('**/api/peticoes')
  await context.setOffline(false)
  await tried
  return release
}

test('pressing the button during an attempt waits for its response', async ({ page, context }) => {
  const release = await storeSignatureInFlight(page, context)
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByText('Tentando enviar...')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
})

test('another signature can be started during an attempt without showing its confirmation', async ({
  page,
  context,
}) => {
  const release = await storeSignatureInFlight(page, context)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await page.getByLabel('Nome completo').fill('Sicrano que escreve')
  release()
  await expect.poll(() => unsentCount(page)).toBe(0)
  await page.waitForTimeout(300)
  await expect(page.getByLabel('Nome completo')).toHaveValue('Sicrano que escreve')
})

test('a stored signature is sent after the next signature succeeds', async ({ page, context }) => {
  await disableServiceWorker(page)
  await storeSignature(page, context)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  // The network is back, but requests fail at first.
  await page.route('**/api/peticoes', (route) => route.abort())
  const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await context.setOffline(false)
  await tried
  await page.unroute('**/api/peticoes')

  await fillSignature(page)
  expect(await unsentCount(page)).toBe(1)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  await expect.poll(() => unsentCount(page)).toBe(0)
})

test('a stored signature that two tabs show is reported as sent in both', async ({ page, context }) => {
  await storeSignature(page, context)
  await context.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)
  const other = await context.newPage()
  await open(other, '/peticao')
  await claim(other)
  await expect(other.getByRole('heading', storedHeading)).toBeVisible()

  await context.unroute('**/api/peticoes')
  for (const tab of [page, other]) {
    await checkAgain(tab)
    await expect(tab.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  }
  expect(await storedRecords(page)).toEqual([expect.objectContaining({ body: null, sentAt: expect.any(Number) })])
})

test('the counter never decreases on an open page', async ({ page }) => {
  const counts = [20_010, 20_005, 20_012]
  await page.route('**/api/peticoes/count', (route) =>
    route.fulfill({ json: { success: true, count: counts.shift() ?? 20_012 } }),
  )
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => displayedCount(page)).toBe(20_010)
  await pauseClock(page)
  await page.clock.runFor(12_000)
  await expect.poll(() => counts.length).toBe(1)
  await page.waitForTimeout(500)
  expect(await displayedCount(page)).toBe(20_010)
  await page.clock.runFor(12_000)
  await expect.poll(() => displayedCount(page)).toBe(20_012)
})

test('a lost response does not count a signature twice', async ({ page, context }) => {
  let lost = 0
  await page.route(`**${countedApi}/signatures`, async (route) => {
    // The server gets the request; the phone never gets the response.
    if (lost++ > 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await open(page, countedPath)
  const stored = await storedCount(page)
  await fillSignature(page)
  const ids = sentIds(context)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(new Set(ids).size).toBe(1)
  await expectOneMore(page, stored)
})

test('setting the clock back does not stop the counter', async ({ page }) => {
  let requests = 0
  await page.route('**/api/peticoes/count', (route) => {
    requests += 1
    return route.fulfill({ json: { success: true, count: 20_000 + requests } })
  })
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => requests).toBeGreaterThanOrEqual(1)
  const before = requests
  await page.clock.setSystemTime(Date.now() - 3 * 3_600_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.clock.runFor(12_000)
  await expect.poll(() => requests).toBeGreaterThan(before)
})

test('the counter polls while the page is visible, pauses while it is hidden, and backs off from a failing server', async ({
  page,
}) => {
  let requests = 0
  let failing = false
  await page.route('**/api/peticoes/count', (route) => {
    requests += 1
    return failing ? route.abort() : route.fulfill({ json: { success: true, count: 20_000 + requests } })
  })
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => requests).toBe(1)
  await pauseClock(page)
  const runSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await page.clock.runFor(1_000)
      await page.waitForTimeout(10)
    }
  }

  await runSeconds(34)
  expect(requests).toBeGreaterThanOrEqual(3)
  expect(requests).toBeLessThanOrEqual(5)
  await expect.poll(() => displayedCount(page)).toBe(20_000 + requests)

  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const beforeRest = requests
  await setVisibility('hidden')
  await runSeconds(40)
  expect(requests).toBe(beforeRest)
  await setVisibility('visible')
  await runSeconds(2)
  await expect.poll(() => requests).toBe(beforeRest + 1)

  failing = true
  const beforeFailing = requests
  await runSeconds(75)
  expect(requests - beforeFailing).toBeLessThanOrEqual(4)
})
