// Text size of the browser at 150 and 200 % on a phone of 390 px: no horizontal scrolling, nothing cut off.
import { type Browser, chromium, type Page } from '@playwright/test'
import { adminPaths } from '#contract/admin/paths.ts'
import { asAdministrator, openAsAdministrator } from '#tests/e2e/admin.ts'
import { expect, fillSignature, open, siteUrl, test, watch } from '#tests/e2e/visitor.ts'
import { headlessChromium } from '#tests/helpers/chromium.ts'
import { aCampaign } from '#tests/helpers/factories.ts'

const publicPages = [
  '/',
  '/?obrigado',
  '/peticao?obrigado',
  '/fulano-cassado',
  '/brasilquerpaz',
  '/p/fim-escala-6x1',
  '/p/juros/novidades',
  '/embed/juros',
  '/embed/juros?obrigado',
  '/embed/nao-existe',
  '/embed/voluntarios',
  '/embed/voluntarios?obrigado',
  '/embed-codes',
  '/teste-embed',
  '/influenciadoresCOMLULA',
  '/formulario-lideres',
  '/formulario-lideres?obrigado',
  '/conteudos-destaque',
  '/comunidade',
  '/metodologia',
  '/privacidade',
  '/confirmar/um-link-de-um-e-mail-22',
  '/nao-fui-eu/um-link-de-um-e-mail-22',
  '/descadastrar/um-link-de-um-e-mail-22',
  '/obrigado-influenciadores',
  '/teste-formulario',
  '/p/nao-existe',
  '/nao-existe',
]

/**
 * Elements outside of the window, by their text. Includes elements that a clipped part of the page hides without a
 * scroll bar.
 */
async function overflowingElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
    const width = document.documentElement.clientWidth
    const found: string[] = []
    const isVisible = (element: Element) =>
      element.checkVisibility() &&
      !element.closest('.hidden, .honeypot, .skip-link, .menu-button span, thead, svg, option')
    const check = (box: DOMRect, name: string) => {
      if (box.width > 1 && (box.right > width + 1 || box.left < -1)) found.push(`${name}: ${box.left} to ${box.right}`)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const text = walker.currentNode
      if (!text.textContent?.trim() || !text.parentElement || !isVisible(text.parentElement)) continue
      range.selectNodeContents(text)
      for (const box of range.getClientRects()) check(box, text.textContent.trim())
    }
    for (const control of document.querySelectorAll('a, button, input, select, textarea, iframe'))
      if (isVisible(control)) check(control.getBoundingClientRect(), control.outerHTML.slice(0, 80))
    const overflow = document.documentElement.scrollWidth - width
    return overflow > 0 ? [`${overflow} px to scroll sideways`, ...found] : found
  })
}

for (const percent of [150, 200]) {
  test.describe(`with text at ${percent} %`, () => {
    let browser: Browser
    let page: Page
    let check: () => Promise<void>

    test.beforeAll(async () => {
      browser = await chromium.launch(headlessChromium([`--blink-settings=defaultFontSize=${(16 * percent) / 100}`]))
    })
    test.beforeEach(async () => {
      page = await browser.newPage({ baseURL: siteUrl(), locale: 'pt-BR', viewport: { width: 390, height: 664 } })
      check = await watch(page.context(), { expectedErrors: /status of 404/ })
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })
    test.afterEach(async () => {
      await check()
      await page.close()
    })
    test.afterAll(() => browser.close())

    test('no public page is wider than the window', async () => {
      for (const path of publicPages) {
        await open(page, path)
        expect.soft(await overflowingElements(page), path).toEqual([])
      }
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
        `${(16 * percent) / 100}px`,
      )
    })

    test('neither errors, suggestions, a toast nor the menu are wider than the window', async () => {
      await open(page, '/formulario-lideres')
      await page.locator('form [type=submit], form button:not([type])').last().click()
      await expect(page.locator('[aria-invalid]').first()).toBeVisible()
      expect(await overflowingElements(page)).toEqual([])

      await open(page, '/peticao')
      await fillSignature(page, { estado: 'SP', cidade: '' })
      await page.getByLabel('Cidade').pressSequentially('sao')
      await expect(page.getByRole('option', { name: 'São Paulo' }).last()).toBeVisible()
      expect(await overflowingElements(page)).toEqual([])
      await page.getByRole('option', { name: 'São Bernardo do Campo' }).click()
      await page.getByRole('button', { name: 'Assinar a petição' }).click()
      await expect(page.locator('.toast')).toBeVisible()
      expect(await overflowingElements(page)).toEqual([])

      await page.getByRole('button', { name: 'Menu' }).click()
      await expect(page.getByRole('link', { name: 'Brasil quer paz', exact: true })).toBeVisible()
      expect(await overflowingElements(page)).toEqual([])
    })

    test('no page of the admin area is wider than the window', async () => {
      await page.goto('/admin')
      await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
      expect(await overflowingElements(page), 'login').toEqual([])

      const { ask } = await asAdministrator()
      const { campaign } = await ask<{ campaign: { id: number } }>('POST', '/api/admin/campaigns', aCampaign())
      const { novidade } = await ask<{ novidade: { id: number } }>('POST', '/api/admin/novidades', {
        ...{ campanha: campaign.id, titulo: 'Entregamos as assinaturas', html: '<p>Estivemos em Brasília.</p>' },
        ...{ naPagina: true, porEmail: true, segmento: { tipos: ['assinaturas'] } },
      })
      const filled = { ':slug': 'juros', ':tipo': 'lideres', ':id': String(campaign.id) }
      await openAsAdministrator(page, '/admin/dashboard')
      for (const address of Object.values(adminPaths).filter(
        (one) => one !== '/admin' && one !== '/admin/botconversa/:id',
      )) {
        const values = address === adminPaths.newsItem ? { ...filled, ':id': String(novidade.id) } : filled
        await page.goto(address.replace(/:\w+/, (name) => values[name as keyof typeof values]))
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        expect.soft(await overflowingElements(page), address).toEqual([])
      }
    })
  })
}
