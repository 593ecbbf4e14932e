// Embedding of our forms in other sites. The other site is a server of this test on another origin.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import {
  displayedCount,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  open,
  test,
  waitForLoad,
} from '#tests/e2e/visitor.ts'

interface Host {
  url: string
  server: Server
}

/** A page with a strict content security policy that allows only what the embed codes need. */
async function openHost(body: string, ourOrigin: string): Promise<Host> {
  const policy = `default-src 'none'; script-src ${ourOrigin}; frame-src ${ourOrigin}; img-src data:`
  const html = `<!doctype html><html lang="pt-BR"><title>Blog de exemplo</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <body><main><h1>Blog de exemplo</h1><p id="antes">Antes.</p>${body}<p id="depois">Depois.</p></main></body></html>`
  const server = createServer((_, response) =>
    response
      .setHeader('Content-Type', 'text/html; charset=utf-8')
      .setHeader('Content-Security-Policy', policy)
      .end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

/** The three embed codes of the page, and our origin in them. */
async function readCodes(page: Page): Promise<{ codes: string[]; ourOrigin: string }> {
  await page.goto('/embed-codes')
  const codes = await page.locator('pre code').allTextContents()
  return { codes, ourOrigin: new URL(String(/src="([^"]+)"/.exec(codes[0] ?? '')?.[1])).origin }
}

const frameOf = (page: Page, title: string) => page.locator(`iframe[title="${title}"]`)
const heightOf = (page: Page, title: string) =>
  frameOf(page, title).evaluate((frame) => frame.getBoundingClientRect().height)

/** Waits for scripts and fonts. Afterwards the frame sends a new height only after a change. */
async function waitForFrame(page: Page, title: string): Promise<void> {
  const html = frameOf(page, title).contentFrame().locator('html')
  await expect(html).toHaveAttribute('data-viva', 'sim')
  await html.evaluate(() => document.fonts.ready.then(() => {}))
}

/** Signatures of other tests would change the counter in the frame, and with it perhaps the height. */
const stopCounter = (page: Page) => page.route('**/count', () => {})

/** The height of the framed page that does not fit into its frame. */
const hiddenPart = (page: Page, title: string) =>
  frameOf(page, title)
    .contentFrame()
    .locator('html')
    .evaluate((html) => html.scrollHeight - html.clientHeight)

const petition = 'Participe: juros'
// The host page and our frames in it have URLs that visitors of our own pages never request.
const expectedBesidesHost = (...errors: string[]) =>
  new RegExp([/^request to http:..(127.0.0.1|localhost):\d+./.source, ...errors].join('|'))

test.use({ expectedErrors: expectedBesidesHost() })

let host: Host | undefined
test.afterEach(() => {
  host?.server.close()
  host?.server.closeAllConnections()
  host = undefined
})

test('copying an embed code shows a confirmation for two seconds', { tag: '@quick' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await open(page, '/embed-codes')
  const [button, other] = [page.getByRole('button').nth(-1), page.getByRole('button', { name: 'Copiar' }).first()]
  await expect(page.getByRole('button', { name: 'Copiar' })).toHaveCount(3)

  // From here on the clock advances only on request.
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Petição dos códigos 2 e 3').selectOption('fim-escala-6x1')
  await button.click()

  await expect(button).toHaveText('Copiado!')
  await expect(other).toHaveText('Copiar')
  await expect(page.getByRole('status').getByText('Código copiado')).toHaveCount(1)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^<script src="http:\/\/localhost:\d+\/embed\.js" data-campanha="fim-escala-6x1" async><\/script>$/,
  )
  await page.clock.runFor(1_900)
  await expect(button).toHaveText('Copiado!')
  await page.clock.runFor(200)
  await expect(button).toHaveText('Copiar')
  await page.clock.resume()
  await expect(page.frameLocator('.snippet-preview').getByRole('button', { name: 'QUERO PARTICIPAR' })).toBeVisible()
})

test('without clipboard access the code is selected', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await open(page, '/embed-codes')
  await page.getByRole('button', { name: 'Copiar' }).first().click()
  expect(await page.evaluate(() => String(getSelection()))).toMatch(/^<iframe src=.*<\/iframe>$/)
})

test('a visitor signs an embedded petition inside the frame', { tag: '@quick' }, async ({ page }) => {
  const { codes, ourOrigin } = await readCodes(page)
  host = await openHost(`${codes[2]}<p>Meio.</p>`, ourOrigin)
  await page.goto(host.url)
  const frame = frameOf(page, petition).contentFrame()
  const form = frame.getByRole('button', { name: 'Assinar a petição' })
  await expect(frame.locator('html')).toHaveAttribute('data-viva', 'sim')

  // The frame is as high as the form, without a scroll bar.
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)
  const height = await heightOf(page, petition)
  expect(height).not.toBe(900)
  const before = await displayedCount(frame)

  // It grows with the error messages.
  await form.click()
  await expect(frame.getByLabel('Nome completo')).toBeFocused()
  await expect.poll(() => heightOf(page, petition)).toBeGreaterThan(height + 100)
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)

  // It shrinks after the confirmation, which stays visible.
  await fillSignature(frame)
  await form.click()
  await expect(frame.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeInViewport()
  await expect.poll(() => displayedCount(frame)).toBeGreaterThan(before)
  await expect.poll(() => heightOf(page, petition)).toBeLessThan(height - 100)
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)
  const share = await frame.getByRole('link', { name: 'Compartilhar no WhatsApp' }).getAttribute('href')
  expect(decodeURIComponent(String(share))).toContain(`${ourOrigin}/peticao`)

  // The host page is unchanged except for one frame.
  expect(await page.locator('main > *').evaluateAll((all) => all.map(({ tagName, id }) => tagName + id))).toEqual([
    'H1',
    'Pantes',
    'SCRIPT',
    'IFRAME',
    'P',
    'Pdepois',
  ])
  expect(
    await page.evaluate(() => document.body.getAttribute('style') ?? document.documentElement.getAttribute('style')),
  ).toBeNull()
  expect(page.url()).toBe(host.url)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
})

test('links in the frame open a new tab', async ({ page, context }) => {
  const { codes, ourOrigin } = await readCodes(page)
  host = await openHost(String(codes[2]), ourOrigin)
  await page.goto(host.url)
  const opened = context.waitForEvent('page')
  await frameOf(page, petition).contentFrame().getByRole('link', { name: 'política de privacidade' }).click()
  await expect(await opened).toHaveURL(`${ourOrigin}/privacidade?de=127.0.0.1`)
  expect(page.url()).toBe(host.url)
})

test('several frames on one page each have their own height', async ({ page }) => {
  const { codes, ourOrigin } = await readCodes(page)
  const other = String(codes[2]).replace('"juros"', '"fim-escala-6x1"')
  await stopCounter(page)
  host = await openHost(`${codes[0]}${codes[1]}${codes[2]}${other}`, ourOrigin)
  await page.goto(host.url)
  await expect(page.locator('iframe')).toHaveCount(4)
  for (const title of [petition, 'Participe: fim escala 6x1', 'Assine a petição', 'Faça parte do Mobiliza']) {
    await frameOf(page, title).scrollIntoViewIfNeeded()
    await waitForFrame(page, title)
    await expect.poll(() => hiddenPart(page, title)).toBe(0)
  }
  const [first, second] = [await heightOf(page, petition), await heightOf(page, 'Participe: fim escala 6x1')]

  await frameOf(page, petition).contentFrame().getByRole('button', { name: 'Assinar a petição' }).click()

  await expect.poll(() => heightOf(page, petition)).toBeGreaterThan(first)
  expect(await heightOf(page, 'Participe: fim escala 6x1')).toBe(second)
})

test('only messages of our frame change the height, and only within limits', async ({ page }) => {
  const { codes, ourOrigin } = await readCodes(page)
  await stopCounter(page)
  host = await openHost(String(codes[2]), ourOrigin)
  await page.goto(host.url)
  await waitForFrame(page, petition)
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)
  const inFrame = async (message: unknown) => {
    const frame = await (await frameOf(page, petition).elementHandle())?.contentFrame()
    await frame?.evaluate((data) => parent.postMessage(data, '*'), message)
  }
  const heights = await frameOf(page, petition).evaluateHandle((frame: HTMLIFrameElement) => {
    const seen: string[] = []
    new MutationObserver(() => seen.push(frame.style.height)).observe(frame, { attributeFilter: ['style'] })
    return seen
  })

  // Messages with another structure are ignored.
  for (const odd of [402, '402', { altura: '402' }, { altura: Number.NaN }, { altura: 402.5 }, null, ['altura']])
    await inFrame(odd)
  await inFrame({ altura: 10_000_000 })
  await expect.poll(() => heights.jsonValue()).toEqual(['6000px'])
  await inFrame({ altura: -1 })
  await expect.poll(async () => (await heights.jsonValue())[1]).toBe('150px')

  // Messages of another page in the same frame are ignored.
  await frameOf(page, petition).evaluate((frame: HTMLIFrameElement) => {
    frame.src = 'about:blank'
  })
  await expect(frameOf(page, petition).contentFrame().getByRole('heading')).toHaveCount(0)
  await inFrame({ altura: 403 })
  await page.waitForTimeout(200)
  expect(await heights.jsonValue()).not.toContain('403px')
})

test('the framed page sends its height only to its parent, and only on request', async ({ page }) => {
  const { codes, ourOrigin } = await readCodes(page)
  await stopCounter(page)
  const messages = () => page.evaluate(() => (window as unknown as { messages: unknown[] }).messages)
  await page.addInitScript(() => {
    const received: unknown[] = []
    Object.assign(window, { messages: received })
    addEventListener('message', ({ data }) => received.push(data))
  })
  host = await openHost(String(codes[1]), ourOrigin)
  await page.goto(host.url)
  await waitForFrame(page, 'Assine a petição')
  await expect.poll(messages).toEqual(['mobiliza:aqui'])
  await frameOf(page, 'Assine a petição').contentFrame().getByRole('button', { name: 'Assinar a petição' }).click()
  const frame = await (await frameOf(page, 'Assine a petição').elementHandle())?.contentFrame()
  await frame?.evaluate(() => postMessage('mobiliza:altura?', '*'))
  await page.waitForTimeout(200)
  expect(await messages()).toEqual(['mobiliza:aqui'])
  await page.evaluate(() => frames[0]?.postMessage('mobiliza:altura?', '*'))
  await expect.poll(messages).toEqual(['mobiliza:aqui', { altura: expect.any(Number) }])

  // Without a parent it sends nothing.
  await page.goto('/embed/juros')
  await page.waitForTimeout(300)
  expect(await messages()).toEqual([])
})

test.describe('outside of embeds', () => {
  test.use({
    expectedErrors: expectedBesidesHost('frame-ancestors', 'ERR_BLOCKED_BY_RESPONSE'),
  })

  test('our pages cannot be framed', async ({ page }) => {
    const { ourOrigin } = await readCodes(page)
    host = await openHost(`<iframe src="${ourOrigin}/peticao" title="Fora"></iframe>`, ourOrigin)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(host.url)
    await refused
    await expect(page.frameLocator('iframe').getByLabel('Nome completo')).toHaveCount(0)
  })
})

test.describe('a campaign that does not exist', () => {
  test.use({ expectedErrors: expectedBesidesHost('status of 404') })

  test('shows a message inside the frame', async ({ page }) => {
    const { codes, ourOrigin } = await readCodes(page)
    host = await openHost(String(codes[2]).replace('"juros"', '"nao-existe"'), ourOrigin)
    await page.goto(host.url)
    const title = 'Participe: nao existe'
    await expect(frameOf(page, title).contentFrame().getByRole('heading', { level: 1 })).toHaveText(
      'Campanha não encontrada',
    )
    await expect.poll(() => heightOf(page, title)).toBeLessThan(900)
  })
})

test.describe('without JavaScript', () => {
  test.use({
    javaScriptEnabled: false,
    expectedErrors: expectedBesidesHost('status of 422'),
  })

  test('a visitor corrects an error and signs in a plain frame', { tag: '@quick' }, async ({ page }) => {
    const { codes, ourOrigin } = await readCodes(page)
    await expect(page.getByRole('button', { name: 'Copiar' })).toHaveCount(0)
    host = await openHost(String(codes[1]), ourOrigin)
    await page.goto(host.url)
    const frame = frameOf(page, 'Assine a petição').contentFrame()
    const { nome } = await fillSignature(frame, { cidade: 'X' })
    await frame.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(frame.getByLabel('Cidade')).toHaveAccessibleDescription('Cidade é obrigatória')
    await expect(frame.getByLabel('Nome completo')).toHaveValue(nome)

    await waitForLoad(page)
    await frame.getByLabel('Cidade').fill('Cidade Inventada')
    await frame.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(frame.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
    await expect(frame.getByRole('link', { name: 'Compartilhar no WhatsApp' })).toBeVisible()
    expect(page.url()).toBe(host.url)

    await waitForLoad(page)
    await frame.getByRole('link', { name: 'Assinar novamente com outro e-mail' }).click()
    await expect(frame.getByLabel('Nome completo')).toHaveValue('')
  })
})

test('a form sent before the scripts have loaded keeps the height correct', async ({ page }) => {
  const { codes, ourOrigin } = await readCodes(page)
  host = await openHost(String(codes[2]), ourOrigin)
  await page.route('**/assets/entry-browser*.js', () => {})
  await page.goto(host.url)
  const frame = frameOf(page, petition).contentFrame()
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)
  const height = await heightOf(page, petition)
  await fillSignature(frame)
  await frame.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(frame.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  await expect.poll(() => heightOf(page, petition)).toBeLessThan(height - 100)
})

test('the test page shows both kinds of embed in a sample newspaper', async ({ page }) => {
  await open(page, '/teste-embed')
  const frame = frameOf(page, petition).contentFrame()
  await frameOf(page, petition).scrollIntoViewIfNeeded()
  await expect(frame.getByRole('button', { name: 'Assinar a petição' })).toBeVisible()
  await expect.poll(() => hiddenPart(page, petition)).toBe(0)
  await frameOf(page, 'Cadastro de voluntários').scrollIntoViewIfNeeded()
  await expect(
    frameOf(page, 'Cadastro de voluntários').contentFrame().getByRole('button', { name: 'QUERO PARTICIPAR' }),
  ).toBeVisible()
})
