// Errands of people whose network comes and goes.
import { networkInterfaces } from 'node:os'
import type { BrowserContext, Page } from '@playwright/test'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import { asAdministrator } from '#tests/e2e/admin.ts'
import { startSite } from '#tests/e2e/site.ts'
import {
  expect,
  expectAccessible,
  fillSignature,
  holdBack,
  open,
  shownCount,
  siteUrl,
  takePicture,
  test,
  withoutWorker,
} from '#tests/e2e/visitor.ts'
import { wholeChromiumOptions } from '#tests/helpers/chromium.ts'
import { aCampaign, type SignatureFields } from '#tests/helpers/factories.ts'
import { startServer } from '#tests/helpers/server-process.ts'

// Background Sync, by which a phone sends after its page is gone.
test.use({ launchOptions: wholeChromiumOptions() })

const sign = { name: 'Assinar a petição' }
const keptHeading = { name: 'Sua assinatura está guardada, ainda não enviada' }

const question = { name: 'Esta assinatura é sua?' }

/** Says that what an earlier visit left is one's own. */
const claim = (page: Page) => page.getByRole('button', { name: 'Sim, é minha' }).click()

// What is counted here nobody else signs meanwhile.
const counted = '/p/contra-pec-da-impunidade'
const counting = '/api/campaigns/contra-pec-da-impunidade'

const hasNetwork = Object.values(networkInterfaces()).some((own) => own?.some(({ internal }) => !internal))

// biome-ignore lint/correctness/noEmptyPattern: only the project is asked for
test.beforeEach(({}, { project }) => {
  test.skip(project.name !== 'phone', 'a network has no width')
  test.skip(!hasNetwork, 'on a machine without a network Chromium sends nothing in the background')
})
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|status of 40[034]/ })

/** Takes background sync away, in the browser. A page is blank at first, and there is no such class on blank pages. */
function withoutSync(): void {
  if ('ServiceWorkerRegistration' in globalThis) Reflect.deleteProperty(ServiceWorkerRegistration.prototype, 'sync')
}

const isOnShelf = (page: Page, path: string) =>
  page.evaluate(async (wanted) => Boolean(await caches.match(wanted)), path)

/** The worker has put the open page away, with all that it needs. */
async function waitForShelf(page: Page, path: string): Promise<void> {
  await expect.poll(() => isOnShelf(page, path)).toBe(true)
}

const storedCount = async (page: Page): Promise<number> =>
  (await (await page.request.get(`${counting}/count`)).json()).count

/** One more than before, and still so when a second one would show too. */
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

test('a signer on a bus signs without a network, and it counts once when the network is back', {
  tag: '@quick',
}, async ({ page, context }) => {
  await open(page, counted)
  const stored = await storedCount(page)
  const before = await shownCount(page)
  const { email } = await fillSignature(page)
  const ids = sentIds(context)

  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeFocused()
  await expectAccessible(page)
  await takePicture(page, 'assinatura-guardada-phone', { fullPage: true, scale: 'css' })
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByText('Ainda sem internet. Sua assinatura continua guardada.')).toBeVisible()

  await context.setOffline(false)
  await expect(page.locator('.toast').getByText('Assinatura enviada')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  await expect.poll(() => shownCount(page)).toBe(before + 1)
  expect(new Set(ids).size).toBe(1)

  // The same address again is not counted: what arrived is one signature.
  const [requestId = ''] = ids
  const again = await page.request.post(`${counting}/signatures`, {
    data: { nome: 'Fulana de Tal', email, whatsapp: '11900000000', cidade: 'Exemplo', estado: 'SP' },
    headers: { 'x-request-id': requestId },
  })
  expect(again.status()).toBe(201)
  await expectOneMore(page, stored)
})

test('a signature kept on the phone counts for a campaign whose address changed meanwhile', async ({
  page,
  context,
}) => {
  const caller = await asAdministrator()
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('POST', '/api/admin/campaigns', aCampaign())
  await open(page, `/p/${campaign.slug}`)
  await waitForShelf(page, `/p/${campaign.slug}`)
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()

  const slug = `${campaign.slug}-novo`
  await caller.ask('PUT', `/api/admin/campaigns/${campaign.id}`, { ...campaign, slug })
  await context.setOffline(false)

  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  const count = async () => (await (await page.request.get(`/api/campaigns/${slug}/count`)).json()).count
  await expect.poll(count).toBe(1)

  // The worker lets the new address through, and the page works there.
  await open(page, `/p/${campaign.slug}`)
  await expect(page).toHaveURL(new RegExp(`/p/${slug}$`))
  await waitForShelf(page, `/p/${slug}`)
})

test('who closes the page finds the signature on the way when they come back', async ({ page, context }) => {
  await open(page, '/p/fim-escala-6x1')
  await waitForShelf(page, '/p/fim-escala-6x1')
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()

  // Without a network the page opens from the phone, and still says what is waiting.
  await open(page, '/p/fim-escala-6x1?utm_source=whatsapp')
  await claim(page)
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()

  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(await page.evaluate(() => indexedDB.databases().then((all) => all.length))).toBe(1)
})

test('the phone sends by itself when the page is gone', { tag: '@quick' }, async ({ page, context }) => {
  await open(page, counted)
  await waitForShelf(page, counted)
  const stored = await storedCount(page)
  await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByText('Pode fechar esta página')).toBeVisible()
  await page.goto('about:blank')
  await context.setOffline(false)

  // What the browser does some time after the network is back.
  const browser = await context.newCDPSession(page)
  const registration = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [known] = registrations
      if (known) resolve(known.registrationId)
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

test('an operator who switches the worker off gets it out of the phones', async ({ newVisitor }) => {
  // Two servers are started here.
  test.setTimeout(300_000)
  const first = await startSite()
  const page = await newVisitor({ baseURL: first.url })
  const shown = async () => [
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
    await page.evaluate(async () => (await caches.keys()).length),
    (await held(page)).length,
  ]
  await page.goto(`${first.url}/peticao`)
  await putAway(page, leftBehind)
  await expect.poll(shown).toEqual([1, 1, 1])
  await first.stop()

  const { port, dataDir } = first
  const second = await startServer({ port, dataDir, env: { SERVICE_WORKER: 'off' } })
  await page.goto(`${second.url}/peticao`)
  await expect.poll(shown).toEqual([0, 0, 0])

  // What is kept from now on stays: no worker is replaced any more.
  await putAway(page, leftBehind)
  await page.reload()
  await expect(page.getByRole('heading', question)).toBeVisible()
  await expect.poll(shown).toEqual([0, 0, 1])
  await page.close()
  await second.stop()
  await first.remove()
})

test('a signature that the server refuses in the end comes back to be corrected', { tag: '@quick' }, async ({
  page,
  context,
}) => {
  // Only the page sends: the worker would find the real server, which has nothing against it.
  await page.addInitScript(withoutSync)
  await open(page, '/peticao')
  const { nome } = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()

  await page.route('**/api/peticoes', (route) =>
    route.fulfill({ status: 400, json: { success: false, message: 'Esta campanha terminou.' } }),
  )
  await context.setOffline(false)
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)

  // Kept once more, it leaves nothing in the form for the next one.
  await page.unroute('**/api/peticoes')
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
  await expect(page.locator('form').getByRole('alert')).toBeEmpty()
})

/** What the phone holds at this moment. */
const held = (page: Page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'mobiliza')) return []
    return new Promise<{ requestId: string; keptAt?: number; sentAt?: number }[]>((resolve) => {
      const opening = indexedDB.open('mobiliza')
      opening.onsuccess = () => {
        const asked = opening.result.transaction('assinaturas').objectStore('assinaturas').getAll()
        asked.onsuccess = () => {
          opening.result.close()
          resolve(asked.result)
        }
      }
    })
  })

/** Puts something into the phone, as a visit before this one has left it. */
const putAway = (page: Page, record: object) =>
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

/** Those that wait. */
const waiting = async (page: Page) => (await held(page)).filter(({ sentAt }) => sentAt === undefined).length

/** A tab that waits looks what became of it; it may have done so by itself a moment ago. */
const lookAgain = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')))

async function keepOne(page: Page, context: BrowserContext): Promise<SignatureFields> {
  await context.addInitScript(withoutSync)
  await open(page, '/peticao')
  const signature = await fillSignature(page)
  await context.setOffline(true)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()
  return signature
}

test('a phone without room says that there is no connection, and keeps the form as it is', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => {
    const { put } = IDBObjectStore.prototype
    // Told to be done, and undone at the end: as when the disk is full.
    IDBObjectStore.prototype.put = function (...given) {
      const request = put.apply(this, given)
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
  await expect(page.getByRole('heading', keptHeading)).toHaveCount(0)
})

test('a signature that the phone has forgotten comes back to be sent again, and is not told to be sent', async ({
  page,
  context,
}) => {
  await keepOne(page, context)
  await page.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase('mobiliza').onsuccess = resolve)))
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByRole('alert').getByText('A assinatura não está mais guardada neste aparelho.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).not.toHaveValue('')
  await expect(page.getByLabel('Nome completo')).toBeFocused()
})

test('what somebody else answers in the place of the server is no answer', async ({ page }) => {
  const answers = [
    { status: 200, contentType: 'text/html', body: '<h1>Em manutenção</h1>' },
    { status: 200, contentType: 'text/html', body: '<h1>Em manutenção</h1>' },
    { status: 403, contentType: 'text/html', body: '<h1>Prove que não é um robô</h1>' },
  ]
  await page.addInitScript(withoutSync)
  await page.route('**/api/peticoes', (route) => {
    const answer = answers.shift()
    return answer ? route.fulfill(answer) : route.continue()
  })
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()
  await expect.poll(() => answers.length).toBe(1)
  // A press while the page tries by itself waits for that.
  await expect(async () => {
    await page.getByRole('button', { name: 'Enviar agora' }).click()
    await expect(page.getByText('Ainda não foi possível enviar. Sua assinatura continua guardada.')).toBeVisible()
    expect(answers).toHaveLength(0)
  }).toPass()
  expect(await waiting(page)).toBe(1)

  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
  expect(await waiting(page)).toBe(0)
})

const turnAway = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('who turns away while it is being sent has it kept until the answer is there', async ({ page }) => {
  // Only pages send: the worker would find the real server.
  await page.context().addInitScript(withoutSync)
  const letGo = await holdBack(page, '/api/peticoes', 'POST')
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeVisible()
  expect(await waiting(page)).toBe(0)
  await turnAway(page)
  await expect.poll(() => waiting(page)).toBe(1)
  // Another tab finds it, and cannot send it either.
  const other = await page.context().newPage()
  await other.route('**/api/peticoes', (route) => route.abort())
  await open(other, '/peticao')
  await claim(other)
  await expect(other.getByRole('heading', keptHeading)).toBeVisible()

  letGo()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(await held(page)).toEqual([expect.objectContaining({ body: null, sentAt: expect.any(Number) })])
  await lookAgain(other)
  await expect(other.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
})

test('who turns away while it is being sent and never comes back has it sent by the phone', async ({ page }) => {
  await open(page, counted)
  await waitForShelf(page, counted)
  const stored = await storedCount(page)
  await fillSignature(page)
  // The page's own call never gets through; the worker's does.
  await holdBack(page, `${counting}/signatures`, 'POST')
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('button', { name: 'Enviando...' })).toBeVisible()
  await turnAway(page)
  await expectOneMore(page, stored)
})

test('what two have tried to send and the server has refused is told once, and does not stay on the phone', async ({
  page,
  context,
}) => {
  await context.addInitScript(withoutSync)
  const refusal = { status: 400, json: { success: false, message: 'Esta campanha terminou.' } }
  const answerOnceToldTo = async (tab: Page) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await tab.route('**/api/peticoes', async (route) => {
      await promise
      await route.fulfill(refusal)
    })
    return resolve
  }
  const answerFirst = await answerOnceToldTo(page)
  await open(page, '/peticao')
  await fillSignature(page)
  await page.getByRole('button', sign).click()
  await turnAway(page)
  await expect.poll(() => waiting(page)).toBe(1)
  const other = await context.newPage()
  const answerSecond = await answerOnceToldTo(other)
  const asked = other.waitForRequest('**/api/peticoes')
  await open(other, '/peticao')
  await claim(other)
  await asked

  answerFirst()
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  expect(await held(page)).toEqual([])
  answerSecond()
  await expect(other.getByRole('alert').getByText('A assinatura não está mais guardada')).toBeVisible()
  expect(await held(page)).toEqual([])
})

test('a petition that was taken off the air does not open from the phone any more', async ({ page }) => {
  const gone = '/p/campanha-que-terminou'
  await open(page, '/peticao')
  await waitForShelf(page, '/peticao')
  await page.evaluate(async (path) => (await caches.open('mobiliza-1')).put(path, new Response('Assine')), gone)
  await page.goto(gone)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Campanha não encontrada')
  await expect.poll(() => isOnShelf(page, gone)).toBe(false)
  expect(await isOnShelf(page, '/peticao')).toBe(true)
})

test('on a shared phone the next one is not disturbed by what waits, nor thanked for it', async ({ page, context }) => {
  await withoutWorker(page)
  await keepOne(page, context)
  // Nothing gets through yet.
  await page.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')

  const release = await holdBack(page, '/assets/entry-browser*.js')
  await page.goto('/peticao', { waitUntil: 'commit' })
  await page.getByLabel('Nome completo').fill('Sicrano que escreve')
  await page.unroute('**/api/peticoes')
  release()
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect.poll(() => waiting(page)).toBe(0)
  await expect(page.getByLabel('Nome completo')).toHaveValue('Sicrano que escreve')
  await expect(page.getByRole('heading', { name: /Obrigado/ })).toHaveCount(0)
})

test('who left finds what waits, also where the browser brought back the words in the fields', async ({
  page,
  context,
}) => {
  await withoutWorker(page)
  const { email } = await keepOne(page, context)
  await page.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)

  const release = await holdBack(page, '/assets/entry-browser*.js')
  await page.goto('/peticao', { waitUntil: 'commit' })
  await page.getByLabel('Nome completo').fill('Fulana que volta')
  await page.getByLabel('E-mail').fill(email)
  release()
  await expect(page.getByRole('heading', keptHeading)).toBeVisible()
})

test('the marks of what was sent long ago do not stay on the phone', async ({ page }) => {
  await open(page, '/peticao')
  const mark = { path: '/api/peticoes', body: null }
  await putAway(page, { ...mark, requestId: 'antiga', sentAt: Date.now() - 3_700_000 })
  await putAway(page, { ...mark, requestId: 'recente', sentAt: Date.now() - 1_000 })
  await open(page, '/peticao')
  await expect.poll(() => held(page)).toEqual([expect.objectContaining({ requestId: 'recente' })])
})

test('a refusal that an earlier version of the site has kept is still told', async ({ page }) => {
  await open(page, '/peticao')
  const body = { nome: 'Fulana de Antes', email: 'antes@example.org' }
  await putAway(page, { requestId: 'antiga', path: '/api/peticoes', body, refused: 'Esta campanha terminou.' })
  await open(page, '/peticao')
  await claim(page)
  await expect(page.getByRole('alert').getByText('Esta campanha terminou.')).toBeVisible()
  await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana de Antes')
})

const leftBehind = {
  requestId: 'antiga',
  path: '/api/peticoes',
  body: { nome: 'Maria de Antes', email: 'maria.de.antes@example.org', whatsapp: '11987654321' },
  refused: { message: 'Esta campanha terminou.', errors: {} },
}

test('what an earlier visitor left is not shown: the next one is asked, can delete it, and finds an empty form', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, '/peticao')
  await putAway(page, leftBehind)
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
    await takePicture(page, `assinatura-de-quem-${width}`, { scale: 'css' })
  }

  await page.getByRole('button', { name: 'Apagar deste aparelho' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('Nome completo')).toHaveValue('')
  await expect.poll(() => held(page)).toEqual([])
})

test('who says that it is not theirs signs with an empty form, and it stays for its owner', async ({ page }) => {
  await open(page, '/peticao')
  await putAway(page, leftBehind)
  await open(page, '/peticao')
  await page.getByRole('button', { name: 'Não é minha' }).click()
  await expect(page.getByLabel('Nome completo')).toBeFocused()
  await expect(page.getByLabel('E-mail')).toHaveValue('')
  expect(await held(page)).toEqual([expect.objectContaining({ requestId: 'antiga' })])
})

test('a signature stays on the phone for seven days; one without a date counts from now', async ({ page }) => {
  const day = 86_400_000
  await open(page, '/peticao')
  await putAway(page, { ...leftBehind, requestId: 'velha', keptAt: Date.now() - 7 * day - 60_000 })
  await putAway(page, { ...leftBehind, requestId: 'recente', path: '/api/outra', keptAt: Date.now() - 6 * day })
  await putAway(page, { ...leftBehind, requestId: 'sem-data', path: '/api/outra' })
  const before = Date.now()
  await open(page, '/peticao')
  await expect
    .poll(async () => (await held(page)).map(({ requestId }) => requestId).sort())
    .toEqual(['recente', 'sem-data'])
  await expect(page.getByRole('heading', question)).toHaveCount(0)
  const dated = (await held(page)).find(({ requestId }) => requestId === 'sem-data')
  expect(dated?.keptAt).toBeGreaterThanOrEqual(before)
})

test('a page that was kept more than seven days ago is not opened from the phone', async ({ page, context }) => {
  await open(page, '/peticao')
  await waitForShelf(page, '/peticao')
  const age = (days: number) =>
    page.evaluate(async (past) => {
      const cache = await caches.open('mobiliza-1')
      const kept = (await cache.match('/peticao')) as Response
      const headers = new Headers(kept.headers)
      headers.set('date', new Date(Date.now() - past * 86_400_000).toUTCString())
      await cache.put('/peticao', new Response(await kept.text(), { headers }))
    }, days)

  await age(6)
  await context.setOffline(true)
  await page.goto('/peticao')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await age(8)
  await expect(page.goto('/peticao')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)

  // With the network it opens again, and is kept anew.
  await context.setOffline(false)
  await open(page, '/peticao')
  await expect.poll(() => isOnShelf(page, '/peticao')).toBe(true)
})

/** One is kept, and its next try is on its way until it is let go. */
async function keepOneUnderWay(page: Page, context: BrowserContext): Promise<() => void> {
  await withoutWorker(page)
  await keepOne(page, context)
  const letGo = await holdBack(page, '/api/peticoes', 'POST')
  const tried = page.waitForRequest('**/api/peticoes')
  await context.setOffline(false)
  await tried
  return letGo
}

test('who presses while it is already being tried waits for that answer', async ({ page, context }) => {
  const letGo = await keepOneUnderWay(page, context)
  await page.getByRole('button', { name: 'Enviar agora' }).click()
  await expect(page.getByText('Tentando enviar...')).toBeVisible()
  letGo()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
})

test('who goes on to another signature while the first is being tried is not thanked for that one', async ({
  page,
  context,
}) => {
  const letGo = await keepOneUnderWay(page, context)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  await page.getByLabel('Nome completo').fill('Sicrano que escreve')
  letGo()
  await expect.poll(() => waiting(page)).toBe(0)
  await page.waitForTimeout(300)
  await expect(page.getByLabel('Nome completo')).toHaveValue('Sicrano que escreve')
})

test('what waits goes as soon as the next one has signed', async ({ page, context }) => {
  await withoutWorker(page)
  await keepOne(page, context)
  await page.getByRole('button', { name: 'Assinar com outro e-mail' }).click()
  // The network is back, and does not let anything through at first.
  await page.route('**/api/peticoes', (route) => route.abort())
  const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await context.setOffline(false)
  await tried
  await page.unroute('**/api/peticoes')

  await fillSignature(page)
  expect(await waiting(page)).toBe(1)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  await expect.poll(() => waiting(page)).toBe(0)
})

test('a signature that waits in two tabs is told to be sent in both', async ({ page, context }) => {
  await keepOne(page, context)
  await context.route('**/api/peticoes', (route) => route.abort())
  await context.setOffline(false)
  const other = await context.newPage()
  await open(other, '/peticao')
  await claim(other)
  await expect(other.getByRole('heading', keptHeading)).toBeVisible()

  await context.unroute('**/api/peticoes')
  for (const tab of [page, other]) {
    await lookAgain(tab)
    await expect(tab.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  }
  expect(await held(page)).toEqual([expect.objectContaining({ body: null, sentAt: expect.any(Number) })])
})

test('the counter never falls while somebody looks', async ({ page }) => {
  const counts = [20_010, 20_005, 20_012]
  await page.route('**/api/peticoes/count', (route) =>
    route.fulfill({ json: { success: true, count: counts.shift() ?? 20_012 } }),
  )
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => shownCount(page)).toBe(20_010)
  await page.clock.runFor(12_000)
  await expect.poll(() => counts.length).toBe(1)
  await page.waitForTimeout(500)
  expect(await shownCount(page)).toBe(20_010)
  await page.clock.runFor(12_000)
  await expect.poll(() => shownCount(page)).toBe(20_012)
})

test('an answer that is lost on the way does not count twice', async ({ page, context }) => {
  let lost = 0
  await page.route(`**${counting}/signatures`, async (route) => {
    // The server hears it, the phone never hears back.
    if (lost++ > 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await open(page, counted)
  const stored = await storedCount(page)
  await fillSignature(page)
  const ids = sentIds(context)
  await page.getByRole('button', sign).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  expect(new Set(ids).size).toBe(1)
  await expectOneMore(page, stored)
})

test('a clock that is set back does not stop the counter', async ({ page }) => {
  let asked = 0
  await page.route('**/api/peticoes/count', (route) => {
    asked += 1
    return route.fulfill({ json: { success: true, count: 20_000 + asked } })
  })
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => asked).toBeGreaterThanOrEqual(1)
  const before = asked
  await page.clock.setSystemTime(Date.now() - 3 * 3_600_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.clock.runFor(12_000)
  await expect.poll(() => asked).toBeGreaterThan(before)
})

test('the counter follows while somebody looks, rests while nobody does, and tires of a server that fails', async ({
  page,
}) => {
  let asked = 0
  let failing = false
  await page.route('**/api/peticoes/count', (route) => {
    asked += 1
    return failing ? route.abort() : route.fulfill({ json: { success: true, count: 20_000 + asked } })
  })
  await page.clock.install()
  await open(page, '/peticao')
  await expect.poll(() => asked).toBe(1)
  const looking = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await page.clock.runFor(1_000)
      await page.waitForTimeout(10)
    }
  }

  await looking(34)
  expect(asked).toBeGreaterThanOrEqual(3)
  expect(asked).toBeLessThanOrEqual(5)
  await expect.poll(() => shownCount(page)).toBe(20_000 + asked)

  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  const beforeRest = asked
  await setVisibility('hidden')
  await looking(40)
  expect(asked).toBe(beforeRest)
  await setVisibility('visible')
  await looking(2)
  await expect.poll(() => asked).toBe(beforeRest + 1)

  failing = true
  const beforeFailing = asked
  await looking(75)
  expect(asked - beforeFailing).toBeLessThanOrEqual(4)
})
