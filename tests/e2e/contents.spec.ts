// The public page with contents to download and share.
import { expect, expectAccessible, open, takeScreenshot, test } from '#tests/e2e/visitor.ts'

const address = '/conteudos-destaque'
const endpoint = '**/api/carousel-contents'

const aContent = (fields: Record<string, unknown> = {}) => ({
  id: 1,
  titulo: 'Baixa já: é 100% nosso!',
  descricao: 'Texto de exemplo',
  imagemUrl: `/media/${'a'.repeat(64)}.webp`,
  categoria: 'JUROS BAIXOS',
  ordem: 0,
  isActive: true,
  ...fields,
})

test('a visitor filters by category and goes back to all', { tag: '@quick' }, async ({ page }) => {
  await open(page, address)
  const pills = page.getByRole('group', { name: 'Filtrar por categoria' }).getByRole('button')
  const cards = page.locator('.contents-grid > li')
  const total = await cards.count()
  await expect(pills.first()).toHaveText('TODAS')
  await expect(pills.first()).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'PAZ', exact: true }).click()

  await expect(page.getByRole('button', { name: 'PAZ', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(pills.first()).toHaveAttribute('aria-pressed', 'false')
  const badges = await cards.locator('.sticker').allTextContents()
  expect(badges.length).toBeLessThan(total)
  expect(new Set(badges)).toEqual(new Set(['PAZ']))
  await expect(page.getByText(`${badges.length} conteúdos`)).toHaveCount(1)

  await pills.first().click()
  await expect(cards).toHaveCount(total)
})

test('only active contents are displayed, in their order', async ({ page }) => {
  await page.route(endpoint, (route) =>
    route.fulfill({
      json: [
        aContent({ id: 1, titulo: 'Terceiro', ordem: 3 }),
        aContent({ id: 2, titulo: 'Escondido', ordem: 0, isActive: false, categoria: 'SECRETA' }),
        aContent({ id: 3, titulo: 'Primeiro', ordem: 1 }),
      ],
    }),
  )
  await page.route('**/media/*', (route) => route.fulfill({ contentType: 'image/svg+xml', body: blank }))
  await open(page, address)
  await expect(page.locator('.content h2')).toHaveText(['Primeiro', 'Terceiro'])
  await expect(page.getByRole('button', { name: 'SECRETA' })).toHaveCount(0)
})

const blank = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="10"/>'

test('a category that has become empty says so', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(endpoint, async (route) => {
    await held
    await route.fulfill({ json: [] })
  })
  await open(page, address)
  await page.getByRole('button', { name: 'PAZ', exact: true }).click()
  release()

  await expect(page.getByText('Nenhum conteúdo encontrado na categoria "PAZ".')).toBeVisible()
  await page.getByRole('button', { name: 'TODAS' }).click()
  await expect(page.getByText('Novos conteúdos em breve! Fique ligado nas nossas atualizações.')).toBeVisible()
  await expectAccessible(page)
  await takeScreenshot(page, `conteudos-vazio-${test.info().project.name}`)
})

test.describe('when the list cannot be read', () => {
  test.use({ expectedErrors: /status of 503|#418/ })

  test('six skeletons are displayed during three retries, then a message', async ({ page }) => {
    // The document of a server that could not read the list.
    await page.route(`**${address}`, async (route) => {
      const html = await (await route.fetch()).text()
      await route.fulfill({
        contentType: 'text/html',
        body: html
          .replace(/"known":\{.*\}(?=\}<\/script>)/s, '"known":{}')
          .replace(/<ul class="contents-grid".*?<\/section>/s, ''),
      })
    })
    let tries = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(endpoint, async (route) => {
      tries += 1
      await held
      await route.fulfill({ status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } })
    })
    await open(page, address)
    await expect(page.locator('.skeleton')).toHaveCount(6)
    release()

    const message = page.getByText('Novos conteúdos em breve! Fique ligado nas nossas atualizações.')
    await expect(message).toBeVisible({ timeout: 30_000 })
    await expect(page.locator('.skeleton')).toHaveCount(0)
    expect(tries).toBe(4)
  })

  test('the server-rendered contents stay', async ({ page }) => {
    await page.route(endpoint, (route) => route.fulfill({ status: 503, json: {} }))
    const failed = page.waitForResponse(endpoint)
    await open(page, address)
    await failed
    await expect(page.getByRole('heading', { name: 'Baixa esse juro!' })).toBeVisible()
  })
})

test('an image is downloaded as a PNG named after its title', { tag: '@quick' }, async ({ page }) => {
  await open(page, address)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Baixar imagem: Baixa esse juro!' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Baixa_esse_juro_.png')
  const bytes: Buffer[] = []
  for await (const chunk of await file.createReadStream()) bytes.push(chunk)
  expect(Buffer.concat(bytes).subarray(1, 4).toString()).toBe('PNG')
})

test.describe('when the image cannot be fetched', () => {
  // Chromium's image view uses styles that the policy of the image forbids.
  test.use({ expectedErrors: /image not fetched|status of 503|^Applying inline style violates/ })

  test('it opens in a new tab and the failure is logged', async ({ page, context }) => {
    const logged: string[] = []
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
    await page.route('**/media/*.png', (route) => route.fulfill({ status: 503 }))
    await open(page, address)
    const tab = context.waitForEvent('page')

    await page.getByRole('link', { name: 'Baixar imagem: Baixa esse juro!' }).click()

    expect((await tab).url()).toMatch(/\/media\/[0-9a-f]{64}\.webp$/)
    expect(logged.join()).toContain('HTTP error! status: 503')
  })

  test('if the browser blocks the new tab, a message is displayed and a tap opens it', async ({ page, context }) => {
    await page.addInitScript(() => Object.defineProperty(window, 'open', { value: () => null }))
    await page.route('**/media/*.png', (route) => route.fulfill({ status: 503 }))
    await open(page, address)
    await page.getByRole('link', { name: 'Baixar imagem: Baixa esse juro!' }).click()
    await expect(page.locator('.toast').getByText('A imagem não chegou')).toBeVisible()

    const tab = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Abrir a imagem: Baixa esse juro!' }).click()
    expect((await tab).url()).toMatch(/\/media\/[0-9a-f]{64}\.webp$/)
  })

  test('a download that does not arrive times out', async ({ page, context }) => {
    await page.clock.install()
    await page.route('**/media/*.png', () => {})
    await open(page, address)
    const tab = context.waitForEvent('page')
    await page.getByText('Baixar imagem').first().click()
    await expect(page.getByText('Baixando…')).toBeVisible()
    await page.clock.fastForward(60_000)
    await tab
    await expect(page.getByText('Baixando…')).toHaveCount(0)
  })

  test('a phone that cannot share the image opens it, unless a share sheet is already open', async ({ page }, {
    project,
  }) => {
    test.skip(project.name !== 'phone', 'offered where there is a finger')
    await page.addInitScript(() => {
      const refusals = ['InvalidStateError', 'NotAllowedError', 'NotAllowedError']
      Object.defineProperty(navigator, 'canShare', { value: () => true })
      Object.defineProperty(navigator, 'share', {
        value: async () => {
          throw new DOMException('', refusals.shift())
        },
      })
    })
    await open(page, address)
    const opened: string[] = []
    page.context().on('page', (tab) => opened.push(tab.url()))
    const send = page.getByRole('button', { name: /: Baixa esse juro!$/ })
    await send.click()
    await expect(send).toHaveText('Enviar a imagem')
    await page.waitForTimeout(300)
    expect(opened).toEqual([])

    // The file is loaded: another refusal would repeat at every tap.
    await send.click()
    await expect.poll(() => opened.length).toBe(1)
    await expect(send).toHaveText('Enviar a imagem')
  })
})

test('every content can be shared', async ({ page }) => {
  await open(page, address)
  const card = page.locator('.content').first()
  const href = async (name: RegExp) =>
    decodeURIComponent(String(await card.getByRole('link', { name }).getAttribute('href')))

  expect(await href(/^WhatsApp/)).toMatch(/^https:\/\/wa\.me\/\?text=Baixa esse juro!\n\nJuro alto .+\n\nhttp\S+$/s)
  expect(await href(/^Twitter/)).toMatch(
    /^https:\/\/twitter\.com\/intent\/tweet\?text=Baixa esse juro! #\w+&url=http\S+$/,
  )
  expect(await href(/^Instagram/)).toBe('https://example.org/instagram')
  for (const name of [/^Twitter/, /^Instagram/])
    await expect(card.getByRole('link', { name })).toHaveAttribute('target', '_blank')

  await expect(card.getByRole('link', { name: 'Telegram' })).toBeHidden()
  await card.getByText('Mais formas de compartilhar').click()
  await expect(card.getByRole('link', { name: 'Telegram' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Copiar link' })).toBeVisible()
  await expectAccessible(page)
})

test('links to wa.me open the app on a touch device, and a tab on a computer', async ({ page }, { project }) => {
  for (const path of [address, '/', '/peticao', '/peticao?obrigado']) {
    await open(page, path)
    const targets = await page
      .locator('a[href^="https://wa.me/"]')
      .evaluateAll((links: HTMLAnchorElement[]) => links.map(({ target }) => target))
    expect(targets.length).toBeGreaterThan(1)
    expect(new Set(targets)).toEqual(new Set([project.name === 'phone' ? '' : '_blank']))
  }
})

test('a phone that can share files shares the image and copies the caption', async ({ page }, { project }) => {
  test.skip(project.name !== 'phone', 'offered where there is a finger')
  await page.addInitScript(() => {
    const sent: string[] = []
    Object.assign(window, { sent })
    Object.defineProperty(navigator, 'canShare', { value: () => true })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => sent.push(text) } })
    Object.defineProperty(navigator, 'share', {
      value: async ({ files, ...rest }: { files: File[] }) =>
        sent.push(...files.map(({ name, type }) => `${name} ${type}`), ...Object.keys(rest)),
    })
  })
  await open(page, address)
  await page.getByRole('button', { name: 'Enviar a imagem: Baixa esse juro!' }).click()
  await expect(page.getByText('Legenda copiada')).toBeVisible()
  const sent = await page.evaluate(() => (window as unknown as { sent: string[] }).sent)
  expect(sent).toHaveLength(2)
  expect(sent[0]).toContain('Baixa esse juro!\n\nJuro alto')
  expect(sent[1]).toBe('Baixa_esse_juro_.png image/png')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('all contents are listed and can be downloaded', { tag: '@quick' }, async ({ page }) => {
    await page.goto(address)
    expect(await page.locator('.contents-grid > li').count()).toBeGreaterThan(6)
    await expect(page.getByRole('button', { name: 'TODAS' })).toBeHidden()
    const link = page.getByRole('link', { name: 'Baixar imagem: Baixa esse juro!' })
    await expect(link).toHaveAttribute('href', /^\/media\/[0-9a-f]{64}\.png\?baixar=Baixa_esse_juro_\.png$/)
    await expect(link).toHaveAttribute('download', 'Baixa_esse_juro_.png')
  })
})
