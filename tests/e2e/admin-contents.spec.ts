// Contents in the admin area. Uses its own site, because other tests check the order of the contents.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import {
  asAdministrator,
  type Caller,
  logInOnPage,
  openAsAdministrator,
  pressLogout,
  triggerRefetch,
} from '#tests/e2e/admin.ts'
import { type Site, startSite } from '#tests/e2e/site.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aHeavyPicture, animatedPng, aPhonePhoto, aPicture, imageForm } from '#tests/helpers/pictures.ts'

let site: Site
let shared: string | undefined
test.beforeAll(async () => {
  site = await startSite()
  shared = process.env.SITE_URL
  process.env.SITE_URL = site.url
})
test.afterAll(async () => {
  process.env.SITE_URL = shared
  await site.remove()
})

interface Content {
  id: number
  titulo: string
  categoria: string
  descricao: string
  ordem: number
  imagemUrl: string
  updatedAt: string
}

const address = '/admin/conteudos'
const api = '/api/admin/carousel-contents'
const listed = async ({ ask }: Caller) => (await ask<{ contents: Content[] }>('GET', api)).contents
const titles = (page: Page) => page.locator('.managed h2').allTextContents()
const dialog = (page: Page) => page.getByRole('dialog')
const chooseImage = (page: Page, buffer: Buffer, name = 'cartaz.png', mimeType = 'image/png') =>
  page.getByLabel('Imagem', { exact: false }).setInputFiles({ name, mimeType, buffer })
const save = (page: Page) => dialog(page).getByRole('button', { name: 'Salvar', exact: true }).click()
/** At phone and desktop width. A dialog is as large as the screen. */
async function screenshot(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  const fullPage = (await dialog(page).count()) === 0
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `admin-conteudos-${name}-${width}`, { fullPage })
  }
  if (before) await page.setViewportSize(before)
}

async function fillNewContent(page: Page, titulo: string): Promise<void> {
  await page.getByRole('button', { name: 'Novo conteúdo' }).click()
  await dialog(page).getByLabel('Título').fill(titulo)
  await page.getByLabel('Categoria *').fill('PRAÇAS')
  await page.getByLabel('Descrição').fill('Cole no poste, mande no grupo.')
}

/** Publishes a content for one test. */
async function publish({ token }: Caller, titulo: string, categoria = 'REDES'): Promise<Content> {
  const body = imageForm(await aPicture(), { titulo, categoria, descricao: 'Descrição de exemplo', ordem: '0' })
  const answer = await fetch(siteUrl() + api, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { content: Content }).content
}

async function openWith(
  page: Page,
  ...contents: [titulo: string, categoria?: string][]
): Promise<Caller & { published: Content[] }> {
  const caller = await asAdministrator()
  const published: Content[] = []
  for (const [titulo, categoria] of contents) published.push(await publish(caller, titulo, categoria))
  return { ...(await openAsAdministrator(page, address)), published }
}

async function titlesOnSite(): Promise<string[]> {
  const answer = await fetch(`${siteUrl()}/api/carousel-contents`)
  return ((await answer.json()) as Content[]).map(({ titulo }) => titulo)
}

test('a published poster is on the public page, and a visitor downloads it as a PNG', {
  tag: '@quick',
}, async ({ page }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Conteúdos' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Conteúdos' })).toBeVisible()
  await expect(page.locator('.managed').first()).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'lista')

  await page.getByRole('button', { name: 'Novo conteúdo' }).click()
  const last = Math.max(...(await listed(await asAdministrator())).map(({ ordem }) => ordem))
  await expect(page.getByLabel('Ordem')).toHaveValue(String(last + 1))
  await save(page)
  await expect(dialog(page).getByRole('alert').first()).toHaveText('Preencha todos os campos obrigatórios')
  await expect(dialog(page).getByLabel('Título')).toBeFocused()
  await expectAccessible(page)
  await screenshot(page, 'campos')

  await dialog(page).getByLabel('Título').fill('Praça cheia, voz alta')
  await expect(dialog(page).locator('[aria-invalid]')).toHaveCount(2)
  await page.getByLabel('Categoria *').fill('praças')
  await page.getByLabel('Descrição').fill('Cole no poste, mande no grupo.')
  await save(page)
  await expect(dialog(page).getByText('Selecione uma imagem para o conteúdo').first()).toBeVisible()

  await chooseImage(page, await aPicture('png', { width: 800, height: 1000 }))
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  await expect(dialog(page).locator('.image-drop + *, .field .error')).toHaveCount(1)
  await expectAccessible(page)
  await screenshot(page, 'novo')
  await save(page)

  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Novo conteúdo' })).toBeFocused()
  await expect.poll(async () => (await titles(page)).at(-1)).toBe('Praça cheia, voz alta')

  await open(page, '/conteudos-destaque')
  const card = page.locator('.content', { hasText: 'Praça cheia, voz alta' })
  await expect(card.locator('.sticker')).toHaveText('praças')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Baixar imagem' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Pra_a_cheia__voz_alta.png')
  expect(await sharp(await readFile(await download.path())).metadata()).toMatchObject({ format: 'png', width: 800 })
})

test('a content links to the petition that was chosen for it', async ({ page }) => {
  const { titulo } = await publish(await openAsAdministrator(page, address), 'Assine e compartilhe')
  await page.reload()
  await page.locator('.managed', { hasText: titulo }).getByRole('button', { name: 'Editar' }).click()
  await dialog(page).getByLabel('Petição').selectOption({ index: 1 })
  const petition = await dialog(page).getByLabel('Petição').locator('option:checked').textContent()
  await expectAccessible(page)
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()

  await expect.poll(async () => (await page.request.get('/conteudos-destaque')).text()).toContain(`Assine: ${petition}`)
  await open(page, '/conteudos-destaque')
  await page
    .locator('.content', { hasText: titulo })
    .getByRole('link', { name: `Assine: ${petition}` })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(petition ?? '')
})

test('an existing category can be chosen with one press and keeps its spelling', async ({ page }) => {
  const caller = await openWith(page, ['Um da feira', 'FEIRA DE SÁBADO'])
  await page.getByRole('button', { name: 'Novo conteúdo' }).click()
  await page.getByRole('group', { name: 'Categorias em uso' }).getByRole('button', { name: 'PAZ' }).click()
  await expect(page.getByLabel('Categoria *')).toHaveValue('PAZ')
  await page.getByLabel('Categoria *').fill('feira de sabado')
  await dialog(page).getByLabel('Título').fill('Outro da feira')
  await page.getByLabel('Descrição').fill('Mais um.')
  await chooseImage(page, await aPicture())
  await save(page)
  await expect(dialog(page)).toHaveCount(0)
  expect((await listed(caller)).find(({ titulo }) => titulo === 'Outro da feira')?.categoria).toBe('FEIRA DE SÁBADO')
})

test.describe('images that are not accepted', () => {
  test.use({ expectedErrors: /status of 4\d\d/ })

  test('are rejected with a message before or after the upload, and typed text is kept', {
    tag: '@quick',
  }, async ({ page }) => {
    await openAsAdministrator(page, address)
    await fillNewContent(page, 'Sem imagem boa')
    const expectRejected = async (message: RegExp) => {
      await expect(dialog(page).locator('.error')).toHaveText(message)
      await expect(page.getByLabel('Imagem', { exact: false })).toHaveJSProperty('value', '')
    }

    await chooseImage(page, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.svg', 'image/svg+xml')
    await expectRejected(/^Formato não aceito/)
    await chooseImage(page, Buffer.alloc(21 * 1024 * 1024))
    await expectRejected(/passa de 20 MB/)
    await chooseImage(page, Buffer.from('isto não é imagem'))
    await expectRejected(/danificado ou incompleto/)
    await chooseImage(page, Buffer.from('nenhum Chromium lê isto'), 'IMG_0001.HEIC', '')
    await expectRejected(/não abre fotos HEIC/)
    // The message stays while other fields are corrected, and after a save that fails because of it.
    await dialog(page).getByLabel('Título').fill('')
    await save(page)
    await expect(dialog(page).locator('.error')).toHaveText(['Campo obrigatório', /não abre fotos HEIC/])
    await dialog(page).getByLabel('Título').fill('Sem imagem boa')
    await expectRejected(/não abre fotos HEIC/)
    await save(page)
    await expect(dialog(page).getByRole('alert').first()).toHaveText('Selecione uma imagem para o conteúdo')
    await expectRejected(/não abre fotos HEIC/)
    await screenshot(page, 'recusada')

    await chooseImage(page, animatedPng(3))
    await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
    await save(page)
    await expect(dialog(page).locator('.error')).toHaveText(/animadas não são aceitas/)
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Sem imagem boa')
    await expectAccessible(page)

    await chooseImage(page, await aPicture())
    await expect(dialog(page).locator('.error')).toHaveCount(0)
    await page.getByRole('button', { name: 'Desfazer a escolha' }).click()
    await expect(page.getByAltText('Prévia da imagem')).toHaveCount(0)
  })
})

test('a photo that is too large is reduced before it is sent, and stays upright', { tag: '@quick' }, async ({
  page,
}) => {
  const caller = await openAsAdministrator(page, address)
  await fillNewContent(page, 'Foto do celular')
  const photo = await aPhonePhoto({ width: 4_000, height: 3_000 })
  expect(photo.length).toBeGreaterThan(5 * 1024 * 1024)
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(api)),
    chooseImage(page, photo, 'IMG_0001.jpg', 'image/jpeg').then(() => save(page)),
  ])
  expect(Number((await sent.allHeaders())['content-length'])).toBeLessThan(5 * 1024 * 1024)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  const content = (await listed(caller)).find(({ titulo }) => titulo === 'Foto do celular')
  const stored = Buffer.from(await (await fetch(siteUrl() + content?.imagemUrl)).arrayBuffer())
  expect(await sharp(stored).metadata()).toMatchObject({ width: 1080, height: 1440 })
})

test('a drawing with too many pixels is reduced and stays transparent', async ({ page }) => {
  const caller = await openAsAdministrator(page, address)
  await fillNewContent(page, 'Desenho transparente')
  const clear = { r: 200, g: 0, b: 0, alpha: 0 }
  const drawing = await sharp({ create: { width: 6_000, height: 5_000, channels: 4, background: clear } })
    .png()
    .toBuffer()
  await chooseImage(page, drawing)
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  const content = (await listed(caller)).find(({ titulo }) => titulo === 'Desenho transparente')
  const stored = Buffer.from(await (await fetch(siteUrl() + content?.imagemUrl)).arrayBuffer())
  expect(await sharp(stored).metadata()).toMatchObject({ width: 1080, height: 900, hasAlpha: true })
})

test('a transparent drawing with the name of a photo gets a white background, and the canvas releases its memory', async ({
  page,
}) => {
  // iOS keeps the memory of a canvas until it is emptied or collected; when the memory is used up, drawing fails.
  await page.addInitScript(() => {
    const canvases: HTMLCanvasElement[] = []
    Object.assign(window, { canvases })
    const create = document.createElement.bind(document)
    document.createElement = ((name: string, options?: ElementCreationOptions) => {
      const element = create(name, options)
      if (element instanceof HTMLCanvasElement) canvases.push(element)
      return element
    }) as typeof document.createElement
  })
  const caller = await openAsAdministrator(page, address)
  await fillNewContent(page, 'Desenho com outro nome')
  const clear = { r: 0, g: 0, b: 0, alpha: 0 }
  const drawing = await sharp({ create: { width: 6_000, height: 5_000, channels: 4, background: clear } })
    .png()
    .toBuffer()
  await chooseImage(page, drawing, 'IMG-20260101-WA0001.jpg', 'image/jpeg')
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  const areas = () =>
    page.evaluate(() =>
      (window as unknown as { canvases: HTMLCanvasElement[] }).canvases.map(({ width, height }) => width * height),
    )
  expect(await areas()).toEqual([0])
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  const content = (await listed(caller)).find(({ titulo }) => titulo === 'Desenho com outro nome')
  const stored = Buffer.from(await (await fetch(siteUrl() + content?.imagemUrl)).arrayBuffer())
  const { channels } = await sharp(stored).stats()
  expect(channels.map(({ min }) => min).slice(0, 3)).toEqual([255, 255, 255])
})

test('a small image is sent unchanged', async ({ page }) => {
  await openAsAdministrator(page, address)
  await fillNewContent(page, 'Pequena')
  const small = await aPicture('jpeg', { width: 900, height: 600 })
  await chooseImage(page, small, 'pequena.jpg', 'image/jpeg')
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  const size = () =>
    page.getByLabel('Imagem', { exact: false }).evaluate((field: HTMLInputElement) => field.files?.[0]?.size)
  await expect.poll(size).toBe(small.length)
})

test('a dropped image works like a chosen one', async ({ page }) => {
  await openAsAdministrator(page, address)
  await fillNewContent(page, 'Solto na página')
  const base64 = (await aPicture()).toString('base64')
  const dropped = await page.evaluateHandle((data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
    const transfer = new DataTransfer()
    transfer.items.add(new File([bytes], 'solto.png', { type: 'image/png' }))
    return transfer
  }, base64)
  await page.locator('.image-drop').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
})

test('the upload of a large image shows its progress and can be cancelled', async ({ page }) => {
  await openAsAdministrator(page, address)
  await fillNewContent(page, 'Cartaz pesado')
  await chooseImage(page, await aHeavyPicture({ width: 1_000, height: 1_250 }))
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  const network = await page.context().newCDPSession(page)
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await throttle(100_000)
  await save(page)

  const bar = page.getByRole('progressbar', { name: 'Envio da imagem' })
  await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(5)
  await expect(page.getByText('Enviando a imagem...')).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'enviando')
  await page.getByRole('button', { name: 'Cancelar envio' }).click()
  await expect(bar).toHaveCount(0)
  await expect(dialog(page).getByText('Erro de conexão')).toHaveCount(0)
  await expect(dialog(page).getByLabel('Título')).toHaveValue('Cartaz pesado')
  await expect.poll(titlesOnSite).not.toContain('Cartaz pesado')

  await throttle(-1)
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible({ timeout: 30_000 })
  await expect.poll(titlesOnSite).toContain('Cartaz pesado')
})

test.describe('text typed during a save', () => {
  /** Saves, and types while the response is pending. */
  async function typeDuringSave(page: Page, titulo: string, call: [path: string, method: string]): Promise<void> {
    const release = await holdRequests(page, ...call)
    await save(page)
    await expect(page.getByRole('button', { name: 'Salvando...' })).toBeVisible()
    await dialog(page).getByLabel('Título').fill(titulo)
    release()
    await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
    await page.unrouteAll()
    await expect(dialog(page).getByLabel('Título')).toHaveValue(titulo)
    await expect(dialog(page).getByText('Trouxemos de volta o que você tinha escrito.')).toBeVisible()
  }

  test('of a new content stays in the dialog as an unsaved change', async ({ page }) => {
    await openAsAdministrator(page, address)
    await fillNewContent(page, 'Dito antes')
    await chooseImage(page, await aPicture())
    await typeDuringSave(page, 'Dito depois', [api, 'POST'])
    await expect(page).toHaveURL(/editar=\d+$/)
    await expect.poll(titlesOnSite).toContain('Dito antes')
    await save(page)
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(titlesOnSite).toContain('Dito depois')
    expect(await titlesOnSite()).not.toContain('Dito antes')
  })

  test('of an edited content stays too, without a false conflict', async ({ page }) => {
    await openWith(page, ['Escrito uma vez'])
    await page.getByRole('button', { name: 'Editar Escrito uma vez' }).click()
    await dialog(page).getByLabel('Título').fill('Escrito duas vezes')
    await typeDuringSave(page, 'Escrito três vezes', [`${api}/*`, 'PUT'])
    await save(page)
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(titlesOnSite).toContain('Escrito três vezes')
  })
})

test('an administrator edits the text, then the image', { tag: '@quick' }, async ({ page }) => {
  const { published, ...caller } = await openWith(page, ['Na parede'])
  const [before] = published
  await page.getByRole('button', { name: 'Editar Na parede' }).click()
  await expect(page.getByLabel('Descrição')).toHaveValue('Descrição de exemplo')
  await expect(page.getByAltText('Prévia da imagem')).toHaveAttribute('src', String(before?.imagemUrl))
  await screenshot(page, 'editar')
  await dialog(page).getByLabel('Título').fill('Na rua')
  await save(page)
  await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Na rua' })).toBeVisible()
  await expect.poll(titlesOnSite).toContain('Na rua')

  await page.getByRole('button', { name: 'Editar Na rua' }).click()
  await chooseImage(page, await aPicture())
  await save(page)
  await expect(dialog(page)).toHaveCount(0)
  const after = (await listed(caller)).find(({ id }) => id === before?.id)
  expect(after?.imagemUrl).toMatch(/^\/media\//)
  expect(after?.imagemUrl).not.toBe(before?.imagemUrl)
})

test('typed text is not discarded without confirmation', async ({ page }) => {
  await openAsAdministrator(page, address)
  await page.getByRole('button', { name: 'Novo conteúdo' }).click()
  await expect(dialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await fillNewContent(page, 'Quase perdido')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Descartar' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Cancelar' }).click()
  await expect(dialog(page).getByLabel('Título')).toHaveValue('Quase perdido')
  await page.getByRole('dialog', { name: 'Novo conteúdo' }).getByRole('button', { name: 'Cancelar' }).click()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await expect(dialog(page)).toHaveCount(0)
})

test('going back or reloading with unsaved changes asks for confirmation', async ({ page }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Conteúdos' }).click()
  await fillNewContent(page, 'Quase deixado')
  const question = page.getByRole('dialog', { name: 'Sair sem salvar?' })
  await page.evaluate(() => history.back())
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Continuar editando' }).click()
  await expect(dialog(page).getByLabel('Título')).toHaveValue('Quase deixado')

  const dialogShown = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  const browserDialog = await dialogShown
  expect(browserDialog.type()).toBe('beforeunload')
  await browserDialog.dismiss()
  await expect(dialog(page).getByLabel('Título')).toHaveValue('Quase deixado')

  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: 'Sair sem salvar' }).click()
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})

test('the order of contents can be changed by keyboard', { tag: '@quick' }, async ({ page }) => {
  await openAsAdministrator(page, address)
  await expect(page.locator('.managed').first()).toBeVisible()
  const before = await titles(page)
  const [first = '', second = '', third = ''] = before
  const down = page.getByRole('button', { name: `Mover para baixo: ${first}` })
  await down.focus()
  await page.keyboard.press('Enter')
  await expect(down).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(down).toBeFocused()
  await expect(page.getByText(`${first}: posição 3 de ${before.length}`)).toHaveCount(1)
  expect((await titles(page)).slice(0, 3)).toEqual([second, third, first])
  await expect.poll(async () => (await titlesOnSite()).slice(0, 3)).toEqual([second, third, first])

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Mover para cima: ${first}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await titlesOnSite()).slice(0, 3)).toEqual([first, second, third])
  await page.reload()
  await expect(page.locator('.managed').first()).toBeVisible()
  expect(await titles(page)).toEqual(before)
})

test('the order of contents can be changed by dragging', async ({ page }) => {
  await openAsAdministrator(page, address)
  await expect(page.locator('.managed').nth(2)).toBeVisible()
  const [first = '', second = '', third = ''] = await titles(page)
  const handle = page.locator('.managed-handle').first()
  await handle.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const target = await page.locator('.managed').nth(1).boundingBox()
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(20, (target?.y ?? 0) + 10)
  await page.mouse.move(20, (target?.y ?? 0) + (target?.height ?? 0) * 0.6, { steps: 5 })
  await expect(page.locator('.managed').nth(1)).toHaveAttribute('data-drag', 'after')
  await page.mouse.up()
  await expect.poll(async () => (await titles(page)).slice(0, 3)).toEqual([second, first, third])
  await expect.poll(async () => (await titlesOnSite()).slice(0, 3)).toEqual([second, first, third])
})

test('contents can be filtered by category and ordered within it', async ({ page }) => {
  await openWith(page, ['Um coreto', 'CORETOS'], ['Outro coreto', 'CORETOS'])
  await page.getByRole('main').getByLabel('Categoria').selectOption('CORETOS')
  await expect(page).toHaveURL(/categoria=/)
  await expect(page.locator('.managed')).toHaveCount(2)
  const [one = '', two = ''] = await titles(page)
  await page.getByRole('button', { name: `Mover para cima: ${two}` }).click()
  await expect.poll(() => titles(page)).toEqual([two, one])
  await expect
    .poll(async () => (await titlesOnSite()).filter((titulo) => [one, two].includes(titulo)))
    .toEqual([two, one])
})

test('a content can be hidden from the site and shown again', async ({ page }) => {
  await openWith(page, ['Vai e volta'])
  const shown = page.getByRole('switch', { name: 'Mostrar no site: Vai e volta' })
  await shown.click()
  await expect(page.getByText('Conteúdo retirado do site.')).toBeVisible()
  await expect(shown).not.toBeChecked()
  await expect.poll(titlesOnSite).not.toContain('Vai e volta')
  await shown.click()
  await expect(shown).toBeChecked()
  await expect.poll(titlesOnSite).toContain('Vai e volta')
})

test.describe('two administrators', () => {
  test.use({ expectedErrors: /status of 4\d\d|ERR_FAILED/ })

  test('the second one to edit the same content sees the conflict and chooses a version', async ({ page }) => {
    const { published, ...other } = await openWith(page, ['De duas pessoas'])
    const [mine] = published as [Content]
    await page.getByRole('button', { name: 'Editar De duas pessoas' }).click()
    await dialog(page).getByLabel('Título').fill('O meu título')
    await other.ask('PUT', `${api}/${mine.id}`, { ...mine, titulo: 'O título da outra' })
    await save(page)
    await expect(dialog(page).getByText('Outra pessoa alterou este conteúdo enquanto você editava.')).toBeInViewport()
    await expectAccessible(page)
    await screenshot(page, 'conflito')
    await expect.poll(titlesOnSite).toContain('O título da outra')

    await page.route(`**${api}`, (route) => route.abort())
    for (const name of ['Descartar o meu e ver o que está salvo', 'Salvar o meu por cima']) {
      await page.getByRole('button', { name }).click()
      await expect(dialog(page).getByRole('alert').filter({ hasText: 'Erro de conexão' })).toBeVisible()
      await expect(dialog(page).getByLabel('Título')).toHaveValue('O meu título')
    }
    await page.unroute(`**${api}`)
    await page.getByRole('button', { name: 'Descartar o meu e ver o que está salvo' }).click()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('O título da outra')

    await dialog(page).getByLabel('Título').fill('O meu, de novo')
    const now = (await listed(other)).find(({ id }) => id === mine.id) as Content
    await other.ask('PUT', `${api}/${mine.id}`, { ...now, descricao: 'Descrição da outra' })
    await save(page)
    await page.getByRole('button', { name: 'Salvar o meu por cima' }).click()
    await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
    await expect.poll(titlesOnSite).toContain('O meu, de novo')
  })

  test('a content that the other one deletes stays open in the editor, and saving reports it', async ({
    page,
    context,
  }) => {
    await page.clock.install()
    const { published, ...other } = await openWith(page, ['Logo removido'])
    const [mine] = published as [Content]
    await page.getByRole('button', { name: 'Editar Logo removido' }).click()
    await dialog(page).getByLabel('Título').fill('Escrevi muito aqui')
    await other.ask('DELETE', `${api}/${mine.id}`)
    await triggerRefetch(page, context)
    await expect(page.getByRole('button', { name: 'Editar Logo removido', includeHidden: true })).toHaveCount(0)

    await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrevi muito aqui')
    await save(page)
    await expect(dialog(page).getByText('Este conteúdo não existe mais: outra pessoa o removeu.').first()).toBeVisible()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrevi muito aqui')
  })

  test('deleting a deleted content shows a message and updates the list', async ({ page }) => {
    const { published, ...other } = await openWith(page, ['Duas vezes removido'])
    const [both] = published as [Content]
    await page.getByRole('button', { name: 'Remover Duas vezes removido' }).click()
    await other.ask('DELETE', `${api}/${both.id}`)
    const release = await holdRequests(page, api)
    await dialog(page).getByRole('button', { name: 'Remover', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Este conteúdo não existe mais: outra pessoa o removeu.')
    release()
    await expect.poll(() => titles(page)).not.toContain('Duas vezes removido')
    await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
    await expect(page.getByRole('button', { name: 'Novo conteúdo' })).toBeFocused()
  })

  test('ordering a list that has changed shows a message and updates the list', async ({ page }) => {
    const other = await openAsAdministrator(page, address)
    await expect(page.locator('.managed').nth(1)).toBeVisible()
    const ids = (await listed(other)).map(({ id }) => id)
    await other.ask('PUT', `${api}/ordem`, { ids: ids.toReversed(), antes: ids })
    const [first = ''] = await titles(page)
    await page.getByRole('button', { name: `Mover para baixo: ${first}` }).click()
    await expect(page.getByText('A lista mudou enquanto você a ordenava.').first()).toBeVisible()
    await expect.poll(() => titles(page)).toEqual((await listed(other)).map(({ titulo }) => titulo))
    await screenshot(page, 'lista-mudou')
  })
})

test.describe('without a network', () => {
  test.use({ expectedErrors: /ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 500|status of 503/ })

  test('a deletion shows the error, and works when the network is back', async ({ page }) => {
    await openWith(page, ['De passagem'])
    await page.getByRole('button', { name: 'Remover De passagem' }).click()
    await expect(dialog(page).getByText('Tem certeza que deseja remover este conteúdo?')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
    await expect(page.getByRole('button', { name: 'Remover De passagem' })).toBeFocused()

    await page.getByRole('button', { name: 'Remover De passagem' }).click()
    await page.route(`**${api}/*`, (route) => route.abort())
    await dialog(page).getByRole('button', { name: 'Remover', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Erro de conexão')
    await page.unroute(`**${api}/*`)
    // The message is fixed, whatever the server sends.
    const failure = { status: 500, json: { success: false, message: 'Uma frase do servidor.' } }
    await page.route(`**${api}/*`, (route) => route.fulfill(failure))
    await dialog(page).getByRole('button', { name: 'Remover', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Erro ao remover conteúdo')
    await expectAccessible(page)
    await screenshot(page, 'remover')
    await page.unroute(`**${api}/*`)

    await dialog(page).getByRole('button', { name: 'Remover', exact: true }).click()
    await expect(page.getByText('Conteúdo removido com sucesso!')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Novo conteúdo' })).toBeFocused()
    expect(await titles(page)).not.toContain('De passagem')
    await expect.poll(titlesOnSite).not.toContain('De passagem')
  })

  test('an order that could not be saved is reverted', async ({ page, context }) => {
    await openAsAdministrator(page, address)
    await expect(page.locator('.managed').nth(2)).toBeVisible()
    const before = await titles(page)
    await context.setOffline(true)
    for (let times = 0; times < 2; times++)
      await page.getByRole('button', { name: `Mover para baixo: ${before[0]}` }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Erro de conexão' }).first()).toBeVisible()
    await expect.poll(() => titles(page)).toEqual(before)
  })

  test('a cancelled deletion is not sent later, and a logout works offline', async ({ page, context }) => {
    const other = await openWith(page, ['Fica no ar'])
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
    await page.getByRole('button', { name: 'Remover Fica no ar' }).click()
    await context.setOffline(true)
    await dialog(page).getByRole('button', { name: 'Remover', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Erro de conexão')
    await dialog(page).getByRole('button', { name: 'Cancelar' }).click()
    const tried = sent.length

    await context.setOffline(false)
    await expect(dialog(page)).toHaveCount(0)
    await page.waitForTimeout(500)
    expect(sent).toHaveLength(tried)
    expect((await listed(other)).map(({ titulo }) => titulo)).toContain('Fica no ar')

    await context.setOffline(true)
    await pressLogout(page)
    await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  })

  test('a save shows the error and keeps typed text', async ({ page }) => {
    await openAsAdministrator(page, address)
    await fillNewContent(page, 'Sem rede')
    await chooseImage(page, await aPicture())
    await page.route(`**${api}`, (route) => route.abort())
    await save(page)
    await expect(dialog(page).getByText('Erro de conexão')).toBeVisible()
    await page.unroute(`**${api}`)
    await page.route(`**${api}`, (route) => route.fulfill({ status: 500, json: {} }))
    await save(page)
    await expect(dialog(page).getByText('Erro ao salvar conteúdo')).toBeVisible()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Sem rede')
    await page.unroute(`**${api}`)
    await save(page)
    await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  })

  test('a save without a new image times out with an error', async ({ page }) => {
    await page.clock.install()
    await openWith(page, ['Sem resposta'])
    await page.getByRole('button', { name: 'Editar Sem resposta' }).click()
    await dialog(page).getByLabel('Título').fill('Sem resposta ainda')
    const release = await holdRequests(page, `${api}/*`, 'PUT')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await save(page)
    await sent

    await page.clock.fastForward(31_000)

    await expect(dialog(page).getByText('Erro de conexão')).toBeVisible()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Sem resposta ainda')
    release()
  })

  test('a list that does not load shows an error with a retry', async ({ page }) => {
    await page.route(`**${api}`, (route) => route.fulfill({ status: 503, json: { message: '' } }))
    await openAsAdministrator(page, address)
    await expect(page.getByRole('alert').getByText('Não foi possível carregar.')).toBeVisible({ timeout: 15_000 })
    await expectAccessible(page)
    await screenshot(page, 'falha')
    await page.unroute(`**${api}`)
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.locator('.managed').first()).toBeVisible()
  })
})

test('an empty list says how to start', async ({ page }) => {
  await page.route(`**${api}`, (route) => route.fulfill({ json: { success: true, contents: [] } }))
  await openAsAdministrator(page, address)
  await expect(page.getByText('Ainda não há conteúdos.')).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'vazia')
})

test('a draft survives a reload until it is saved or discarded', async ({ page }) => {
  await openAsAdministrator(page, address)
  await fillNewContent(page, 'Escrito no ônibus')
  page.on('dialog', (question) => question.accept())
  await page.reload()
  await expect(dialog(page).getByText('Trouxemos de volta o que você tinha escrito.')).toBeVisible()
  await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrito no ônibus')

  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Descartar' }).getByRole('button', { name: 'Descartar' }).click()
  await page.getByRole('button', { name: 'Novo conteúdo' }).click()
  await expect(dialog(page).getByLabel('Título')).toHaveValue('')
})

test.describe('a session that ends', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED/ })

  test('loses no text when the current user could not be loaded', async ({ page }) => {
    const { ask } = await openAsAdministrator(page, address)
    // A missing username is stored as soon as the server has sent it.
    await page.evaluate(() => localStorage.removeItem('admin_nome'))
    await page.reload()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('admin_nome'))).toMatch(/ admin$/)
    await page.route('**/api/admin/sessao', (route) => route.abort())
    await page.reload()
    await fillNewContent(page, 'Escrito sem nome')
    await chooseImage(page, await aPicture())
    await expect(page.locator('.managed').first()).toBeAttached()
    await ask('POST', '/api/admin/logout')
    await save(page)
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrito sem nome')
  })

  test('in another tab, followed by a login of another user, does not show them the typed text', async ({
    page,
    context,
  }) => {
    test.slow()
    const next = { username: `fulana.${process.pid}.outra-aba`, password: 'uma-senha-bem-longa' }
    const { ask } = await openAsAdministrator(page, address)
    await ask('POST', '/api/admin/equipe', { ...next, email: `${next.username}@example.org` })
    await fillNewContent(page, 'Só de quem escreveu')
    const other = await context.newPage()
    await open(other, '/admin/dashboard')
    await pressLogout(other)
    await logInOnPage(other, next)
    await expect(other.locator('.user-menu span')).toHaveText(next.username)

    await expect(page.locator('.user-menu span')).toHaveText(next.username)
    await expect(dialog(page).getByLabel('Título')).toHaveValue('')
    await pressLogout(other)
    await logInOnPage(page)
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Só de quem escreveu')
  })

  test('during editing leads back to the same dialog with the typed text', async ({ page }) => {
    const { ask } = await openAsAdministrator(page, address)
    await fillNewContent(page, 'Escrito antes')
    await chooseImage(page, await aPicture())
    await expect(page.locator('.managed').first()).toBeAttached()
    await ask('POST', '/api/admin/logout')
    await save(page)
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)
    await expect(dialog(page).getByText('Trouxemos de volta o que você tinha escrito.')).toBeVisible()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrito antes')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Descartar' }).getByRole('button', { name: 'Cancelar' }).click()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Escrito antes')
    await chooseImage(page, await aPicture())
    await save(page)
    await expect(page.getByText('Conteúdo salvo com sucesso!')).toBeVisible()
  })

  test('keeps typed text only for its author, not for another user of the same browser', async ({ page }) => {
    test.slow()
    const username = `fulana.${process.pid}.conteudos`
    const password = 'uma-senha-bem-longa'
    const { ask } = await openAsAdministrator(page, address)
    await ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password })
    await fillNewContent(page, 'Só meu')
    await chooseImage(page, await aPicture())
    await expect(page.locator('.managed').first()).toBeAttached()
    await ask('POST', '/api/admin/logout')
    await save(page)
    await logInOnPage(page, { username, password })
    await expect(dialog(page).getByLabel('Título')).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await pressLogout(page)
    await logInOnPage(page)
    await page.getByRole('button', { name: 'Novo conteúdo' }).click()
    await expect(dialog(page).getByLabel('Título')).toHaveValue('Só meu')
  })
})
