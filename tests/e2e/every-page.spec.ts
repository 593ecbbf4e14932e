// Checks for every page: one headline, no horizontal scrolling, no errors, accessibility, a screenshot.
import {
  delayFonts,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  expectNoShift,
  expectSmallImages,
  fillSignature,
  holdRequests,
  loadEveryImage,
  open,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

// Parallel, so that this file does not delay the whole run.
test.describe.configure({ mode: 'parallel' })

const pages = [
  { path: '/', picture: 'inicio', errors: /^$/ },
  { path: '/?obrigado', picture: 'inicio-obrigado', errors: /^$/ },
  { path: '/peticao', picture: 'peticao', errors: /^$/ },
  { path: '/peticao?obrigado', picture: 'peticao-obrigado', errors: /^$/ },
  { path: '/fulano-cassado', picture: 'deputado', errors: /^$/ },
  { path: '/brasilquerpaz', picture: 'brasilquerpaz', errors: /^$/ },
  { path: '/p/fim-escala-6x1', picture: 'campanha', errors: /^$/ },
  { path: '/p/juros/novidades', picture: 'novidades-vazia', errors: /^$/ },
  { path: '/campanhas', picture: 'campanhas', errors: /^$/ },
  { path: '/embed/juros', picture: 'embed-peticao', errors: /^$/ },
  { path: '/embed/juros?obrigado', picture: 'embed-peticao-obrigado', errors: /^$/ },
  { path: '/embed/nao-existe', picture: 'embed-nao-encontrada', errors: /status of 404/ },
  { path: '/embed/voluntarios', picture: 'embed-voluntarios', errors: /^$/ },
  { path: '/embed/voluntarios?obrigado', picture: 'embed-voluntarios-obrigado', errors: /^$/ },
  { path: '/embed-codes', picture: 'embed-codes', errors: /^$/ },
  { path: '/teste-embed', picture: 'teste-embed', errors: /^$/ },
  { path: '/influenciadoresCOMLULA', picture: 'influenciadores', errors: /^$/ },
  { path: '/formulario-lideres', picture: 'lideres', errors: /^$/ },
  { path: '/formulario-lideres?obrigado', picture: 'lideres-obrigado', errors: /^$/ },
  { path: '/conteudos-destaque', picture: 'conteudos', errors: /^$/ },
  { path: '/comunidade', picture: 'comunidade', errors: /^$/ },
  { path: '/metodologia', picture: 'metodologia', errors: /^$/ },
  { path: '/privacidade', picture: 'privacidade', errors: /^$/ },
  // Valid links are in email-links.spec.
  { path: '/confirmar/um-link-de-um-e-mail-22', picture: 'confirmar', errors: /status of 404/ },
  { path: '/nao-fui-eu/um-link-de-um-e-mail-22', picture: 'nao-fui-eu', errors: /status of 404/ },
  { path: '/descadastrar/um-link-de-um-e-mail-22', picture: 'descadastrar', errors: /status of 404/ },
  { path: '/obrigado-influenciadores', picture: 'obrigado-influenciadores', errors: /^$/ },
  { path: '/teste-formulario', picture: 'teste-formulario', errors: /^$/ },
  { path: '/p/nao-existe', picture: 'campanha-nao-encontrada', errors: /status of 404/ },
  { path: '/nao-existe', picture: 'nao-encontrada', errors: /status of 404/ },
]

for (const { path, picture, errors } of pages) {
  test.describe(path, () => {
    test.use({ expectedErrors: errors })

    test('is sound', { tag: '@quick' }, async ({ page }, { project }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await delayFonts(page)
      await open(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
      await expect(page).toHaveTitle(/Mobiliza/)
      await expectNoHorizontalScroll(page)
      await expectAccessible(page)
      expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
      await loadEveryImage(page)
      await expectSmallImages(page)
      await page.evaluate(() => document.fonts.ready)
      await expectNoShift(page)
      await takeScreenshot(page, `${picture}-${project.name}`, { fullPage: true, scale: 'css' })

      // The narrowest phones in use.
      if (project.name === 'phone') await page.setViewportSize({ width: 320, height: 600 })
      await expectNoHorizontalScroll(page)
    })
  })
}

test.describe('a page changed by a translator before the scripts arrive', () => {
  test.use({ expectedErrors: /Hydration|hydrat|#418|#423|#425/i })

  test('still hydrates', async ({ page }) => {
    const release = await holdRequests(page, '/assets/entry-browser*.js')
    await page.goto('/peticao', { waitUntil: 'commit' })
    await page.locator('h1').evaluate((headline) => {
      const font = document.createElement('font')
      font.textContent = 'Release the brake'
      headline.replaceChildren(font)
    })
    await page.getByLabel('Nome completo').fill('Fulana Apressada')
    await page.getByLabel('Estado').selectOption('CE')
    await page.getByLabel('Quero receber novidades').check()
    release()
    await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
    await expect(page.getByLabel('Nome completo')).toBeVisible()
    await expect(page.locator('.manifesto')).toContainText('Todo mundo sente')
    await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana Apressada')
    await expect(page.getByLabel('Estado')).toHaveValue('CE')
    await expect(page.getByLabel('Quero receber novidades')).toBeChecked()
  })
})

test('with data saver the scripts load at the first interaction', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } })
  })
  await page.goto('/peticao')
  await page.waitForTimeout(500)
  expect(scripts.map((url) => url.replace(/.*\/assets\/([a-z-]+)-.*/, '$1'))).toEqual(['entry-boot'])

  await page.getByLabel('Nome completo').fill('Fulana Econômica')
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana Econômica')
})

test.describe('when loading the scripts fails', () => {
  test.use({ expectedErrors: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })

  test('the page hydrates after the next interaction', { tag: '@quick' }, async ({ page }) => {
    let lost = 0
    await page.route('**/assets/entry-browser*.js', (route) => (lost++ === 0 ? route.abort() : route.continue()))
    const failure = page.waitForEvent('requestfailed')
    await page.goto('/peticao')
    // An interaction during the first attempt does not start a new one.
    await failure
    await expect.poll(() => lost).toBe(1)
    await page.getByLabel('Nome completo').pressSequentially('Fulana Insistente')
    await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
    await expect(page.getByLabel('Nome completo')).toHaveValue('Fulana Insistente')
  })
})

test.describe('on an older browser', () => {
  test('without AbortSignal.timeout a signature is still sent', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(AbortSignal, 'timeout'))
    await open(page, '/p/fim-escala-6x1')
    await fillSignature(page)
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  })

  test('the page stays a plain form', { tag: '@quick' }, async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, 'at'))
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    await page.goto('/p/fim-escala-6x1')
    await fillSignature(page)
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page).toHaveURL(/\?obrigado/)
    await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
    expect(scripts.filter((url) => !url.includes('entry-boot'))).toEqual([])
  })
})

test(
  'the menu on a phone opens with its button and closes with Escape',
  { tag: '@quick' },
  async ({ page }, { project }) => {
    test.skip(project.name !== 'phone', 'the links are in the header there')
    await open(page, '/peticao')
    const link = page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Fim da escala 6x1' })
    await expect(link).toBeHidden()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(link).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(link).toBeHidden()
  },
)

test('in landscape orientation every link of the menu can be reached', async ({ page }, { project }) => {
  test.skip(project.name !== 'phone', 'the links are in the header there')
  await page.setViewportSize({ width: 640, height: 330 })
  await open(page, '/peticao')
  await page.getByRole('button', { name: 'Menu' }).click()
  const last = page.getByRole('navigation', { name: 'Principal' }).getByRole('link').last()
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.click()
  await expect(page).toHaveURL(/\/comunidade$/)
})

test('the form beside the reasons stays visible if it fits, and can be scrolled otherwise', async ({ page }, {
  project,
}) => {
  test.skip(project.name !== 'desktop', 'the form is above the reasons there')
  const button = page.getByRole('button', { name: 'Assinar a petição' })
  const scrollPage = async (height: number) => {
    await page.setViewportSize({ width: 1366, height })
    await open(page, '/peticao')
    await page.locator('.petition-reasons').evaluate((reasons) => {
      reasons.style.minHeight = '4000px'
      scrollTo({ top: 400, behavior: 'instant' })
    })
  }

  await scrollPage(1000)
  await expect(page.getByLabel('Nome completo')).toBeInViewport({ ratio: 1 })
  await expect(button).toBeInViewport({ ratio: 1 })

  await scrollPage(630)
  await button.focus()
  await expect(button).toBeInViewport({ ratio: 1 })

  // With all error messages the form is longer than the window.
  await scrollPage(1000)
  await button.click()
  await expect(page.getByLabel('Nome completo')).toBeInViewport({ ratio: 1 })
  await button.focus()
  await expect(button).toBeInViewport({ ratio: 1 })
})

test('on a phone a bar links to the form until the form is visible', async ({ page }, { project }) => {
  test.skip(project.name !== 'phone', 'the form is beside the headline there')
  await open(page, '/peticao')
  const bar = page.getByRole('link', { name: 'Assinar', exact: true })
  await expect(bar).toBeInViewport()
  await bar.click()
  await expect(page.getByLabel('Nome completo')).toBeInViewport()
  await page.getByRole('button', { name: 'Assinar a petição' }).scrollIntoViewIfNeeded()
  await expect(bar).not.toBeInViewport()
})

test('the floating button opens a conversation with the message filled in', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/peticao')
  const href = await page.getByRole('link', { name: 'Falar com a gente pelo WhatsApp' }).getAttribute('href')
  expect(href).toMatch(/^https:\/\/wa\.me\/\d+\?text=.+/)
})
