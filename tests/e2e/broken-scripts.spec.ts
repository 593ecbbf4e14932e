// Errors in our scripts: the server-rendered page stays usable, and the error is reported to the server.
import type { Page, Request } from '@playwright/test'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, fillSignature, open, takeScreenshot, test } from '#tests/e2e/visitor.ts'

test.use({ expectedErrors: /de propósito/ })

const waitForReport = (page: Page) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === '/api/erros-do-navegador')

/** A report has only these fields, and not the message of the error. */
async function expectReport(request: Request, rota: string): Promise<void> {
  expect(request.postDataJSON()).toEqual({
    nome: 'TypeError',
    arquivo: expect.stringMatching(/^\/assets\/[\w.-]+\.js$/),
    linha: expect.any(Number),
    coluna: expect.any(Number),
    rota,
    versao: expect.stringMatching(/^[0-9a-f]{8}$/),
  })
  expect((await request.response())?.status()).toBe(204)
}

/** Makes a browser function throw, at once or when the test sets `broken`. */
const breakIn = (page: Page, where: 'render' | 'effect', whenSet = false) =>
  page.addInitScript(
    ([part, waits]) => {
      const state = window as unknown as { broken: boolean }
      state.broken = !waits
      const fail = () => {
        if (state.broken) throw new TypeError('de propósito, com fulana@example.org')
      }
      const { matchMedia } = window
      const { addEventListener } = document
      if (part === 'render')
        window.matchMedia = (query) => {
          fail()
          return matchMedia.call(window, query)
        }
      else
        document.addEventListener = function (this: Document, ...args: Parameters<typeof addEventListener>) {
          if (args[0] === 'visibilitychange') fail()
          return addEventListener.apply(this, args)
        } as typeof addEventListener
    },
    [where, whenSet] as const,
  )

async function expectPlainFormWorks(page: Page): Promise<void> {
  await expect(page.locator('html')).not.toHaveAttribute('data-viva')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await fillSignature(page)
  const sent = page.waitForRequest((request) => request.isNavigationRequest() && request.method() === 'POST')
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  expect((await (await sent).response())?.status()).toBe(303)
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
}

for (const where of ['render', 'effect'] as const)
  test(`an error in a ${where} leaves the server-rendered page, whose plain form works`, { tag: '@quick' }, async ({
    page,
  }) => {
    await breakIn(page, where)
    const report = waitForReport(page)
    await page.goto('/p/fim-escala-6x1?email=fulana@example.org')
    await expectReport(await report, '/p/:slug')
    await expectPlainFormWorks(page)
  })

test('a later error keeps typed text', async ({ page }) => {
  await breakIn(page, 'render', true)
  await page.clock.install()
  let count = 20_000
  await page.route('**/api/peticoes/count', (route) => route.fulfill({ json: { success: true, count: count++ } }))
  await open(page, '/peticao')
  const { nome, estado } = await fillSignature(page, { estado: 'CE' })
  await page.getByLabel('Quero receber novidades').check()
  const report = waitForReport(page)
  await page.evaluate(() => Object.assign(window, { broken: true }))
  await page.clock.runFor(12_000)
  await expectReport(await report, '/peticao')

  await expect(page.locator('html')).not.toHaveAttribute('data-viva')
  await expect(page.getByLabel('Nome completo')).toHaveValue(nome)
  await expect(page.getByLabel('Estado')).toHaveValue(estado)
  await expect(page.getByLabel('Quero receber novidades')).toBeChecked()
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
})

test('a page reports no more than three errors', async ({ page }) => {
  const reports: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/erros-do-navegador') && reports.push(request.url()))
  await open(page, '/peticao')
  await page.evaluate(() => {
    for (let times = 0; times < 10; times++) {
      const error = new TypeError('de propósito')
      error.stack = `TypeError: de propósito\n    at x (${location.origin}/assets/x.js:1:2)`
      dispatchEvent(new ErrorEvent('error', { error }))
    }
  })
  await expect.poll(() => reports.length).toBe(3)
  await page.waitForTimeout(300)
  expect(reports).toHaveLength(3)
})

test('an error of a foreign script is not reported', async ({ page }) => {
  const reports: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/erros-do-navegador') && reports.push(request.url()))
  await open(page, '/peticao')
  await page.evaluate(() => {
    const error = new Error('de propósito')
    error.stack = 'Error: de propósito\n    at x (chrome-extension://abc/assets/x.js:1:2)'
    dispatchEvent(new ErrorEvent('error', { error }))
  })
  await page.waitForTimeout(500)
  expect(reports).toEqual([])
})

test('an error in the admin area shows a page that says what to do', { tag: '@quick' }, async ({ page }) => {
  await openAsAdministrator(page, '/admin/equipe')
  await page.addInitScript(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        throw new TypeError('de propósito, com fulana@example.org')
      },
    })
  })
  const report = waitForReport(page)
  await page.goto('/admin/equipe')
  await expectReport(await report, '/admin/equipe')
  await expect(page.getByRole('heading', { name: 'Algo deu errado nesta página' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Recarregar' })).toBeVisible()
  await expectAccessible(page)
  for (const [width, height] of [
    [360, 640],
    [390, 664],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await takeScreenshot(page, `admin-erro-${width}`, { scale: 'css' })
  }
})
