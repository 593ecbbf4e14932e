// Layout: no floating element covers text or controls, lines do not touch, and displayed numbers are correct.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { asAdministrator, createCampaign, openAsAdministrator } from '#tests/e2e/admin.ts'
import {
  disableServiceWorker,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

test.skip(({ isMobile }) => !isMobile, 'each test chooses its own sizes')

const phones = [
  [360, 640],
  [390, 664],
] as const
const wideAccents = 'Não à tarifa: ônibus às cinco da manhã já, com emoção'

/** A campaign with all elements above its form: a headline full of accents, a subtitle and an image. */
async function campaignWithImage(fields: object = {}): Promise<string> {
  const caller = await asAdministrator()
  const reply = await fetch(`${siteUrl()}/api/admin/imagens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}` },
    body: imageForm(await aPicture('jpeg', { width: 1200, height: 675 })),
  })
  const { imagemUrl } = (await reply.json()) as { imagemUrl: string }
  const subtitulo = 'Queremos tarifa zero aos domingos e mais linhas nos bairros de todas as cidades do país.'
  const shown = { titulo: wideAccents, subtitulo, baseCount: 18_245, heroImageUrl: imagemUrl }
  return (await createCampaign(caller, { isActive: true, ...shown, ...fields })).slug
}

for (const [width, height] of phones) {
  for (const titulo of [wideAccents, `${wideAccents}: ${wideAccents}, ${wideAccents}`]) {
    test(`at ${width}×${height} headline (${titulo.length} letters), counter and button are on the first screen`, async ({
      page,
    }, { project }) => {
      await page.setViewportSize({ width, height })
      await open(page, `/p/${await campaignWithImage({ titulo })}`)
      await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())))
      await page.evaluate(() => document.fonts.ready)
      const headline = page.getByRole('heading', { level: 1 })
      const counter = page.locator('.counter')
      const button = page.getByRole('link', { name: 'Assinar', exact: true })
      await takeScreenshot(page, `primeira-tela-${width}-${titulo.length}-${project.name}`)

      for (const part of [headline, counter, button]) await expect(part).toBeInViewport({ ratio: 1 })
      for (let y = 0; y <= 800; y += 40) {
        await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y)
        const [above, below] = await Promise.all([counter.boundingBox(), button.boundingBox()])
        expect((above?.y ?? 0) + (above?.height ?? 0), `scrolled by ${y}`).toBeLessThanOrEqual(below?.y ?? 0)
      }
    })
  }
}

test('no line of a headline in capitals touches the line above, accents and cedilla included', async ({ page }) => {
  for (const path of ['/', '/peticao', '/influenciadoresCOMLULA', '/comunidade', '/embed/juros']) {
    await page.goto(path)
    await page.evaluate(() => document.fonts.load('16px Anton'))
    const tight = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) throw new Error('no canvas')
      canvas.font = '100px Anton'
      const { actualBoundingBoxAscent, actualBoundingBoxDescent } = canvas.measureText('ÔÃÀÉÇ')
      const needed = (actualBoundingBoxAscent + actualBoundingBoxDescent) / 100
      return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
        const style = getComputedStyle(element)
        const isDisplay = style.fontFamily.startsWith('Anton') && style.textTransform === 'uppercase'
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
        // A box with a single line gets its space from its padding.
        if (!isDisplay || !hasText || element.localName === 'mark') return []
        const ratio = Number.parseFloat(style.lineHeight) / Number.parseFloat(style.fontSize)
        return ratio >= needed ? [] : [`${element.className || element.tagName}: ${ratio} of ${needed}`]
      })
    })
    expect(tight, path).toEqual([])
  }
})

test('with a long name of the movement the header stays in one row, and links that do not fit are under "Mais"', async ({
  newVisitor,
}, testInfo) => {
  const dataDir = temporaryFolder()
  const siteFile = join(dataDir, 'site.json')
  writeFileSync(siteFile, JSON.stringify({ movimento: 'Movimento Nacional pelo Transporte Público de Qualidade' }))
  const server = await startServer({ env: { SITE_FILE: siteFile }, dataDir })
  try {
    for (const [width, javaScriptEnabled] of [
      [1280, true],
      [1280, false],
      [1920, false],
    ] as const) {
      const viewport = { width, height: 800 }
      const page = await newVisitor({ baseURL: server.url, viewport, javaScriptEnabled, isMobile: false })
      await page.goto(server.url)
      await expectNoHorizontalScroll(page)
      const menu = page.getByRole('navigation', { name: 'Principal' })
      const brand = page.locator('.brand')
      const boxes = await Promise.all([brand.boundingBox(), menu.boundingBox()])
      const middles = boxes.map((box) => (box?.y ?? 0) + (box?.height ?? 0) / 2)
      expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(4)
      expect(boxes[1]?.height).toBeLessThan(60)
      const inRow = await menu.getByRole('link').allTextContents()

      await page.locator('.more summary').focus()
      await page.keyboard.press('Enter')
      const all = menu.getByRole('link')
      await expect(all).toHaveText([
        ...inRow,
        ...[
          'Início',
          'Influenciadores',
          'Cassação de Fulano de Tal',
          'Contra a PEC da impunidade',
          'Fim da escala 6x1',
          'Brasil quer paz',
          'Comunidade',
        ].slice(inRow.length),
      ])
      await takeScreenshot(page, `mais-${width}-${testInfo.project.name}`)
      await page.keyboard.press('Tab')
      await expect(all.nth(inRow.length)).toBeFocused()
      await expect(all.last()).toBeInViewport({ ratio: 1 })
      await page.close()
    }
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Text and controls that an element covers at any scroll position. */
async function coveredBy(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(async (floating) => {
    const covered = new Set<string>()
    const element = document.querySelector(floating)
    if (!element) throw new Error(`no ${floating}`)
    const isVisible = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) && !one.closest('.hidden, .honeypot, .skip-link')
    const range = document.createRange()
    for (let y = 0; ; y += 50) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise(requestAnimationFrame)
      const box = element.getBoundingClientRect()
      const meets = (other: DOMRect) =>
        other.width > 0 &&
        box.left < other.right &&
        other.left < box.right &&
        box.top < other.bottom &&
        other.top < box.bottom
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const text = walker.currentNode
        const parent = text.parentElement
        if (!text.textContent?.trim() || !parent || element.contains(parent) || !isVisible(parent)) continue
        range.selectNodeContents(text)
        if ([...range.getClientRects()].some(meets)) covered.add(text.textContent.trim())
      }
      for (const control of document.querySelectorAll('a, button, input, select, textarea'))
        if (!element.contains(control) && isVisible(control) && meets(control.getBoundingClientRect()))
          covered.add(control.outerHTML.slice(0, 60))
      if (y + innerHeight >= document.documentElement.scrollHeight) return [...covered]
    }
  }, selector)
}

for (const [width, height] of [...phones, [1280, 800], [1440, 900]] as const) {
  test(`at ${width}×${height} the contact button covers neither text nor controls`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    for (const path of ['/', '/peticao', '/formulario-lideres', '/metodologia', '/conteudos-destaque', '/comunidade']) {
      await open(page, path)
      expect(await coveredBy(page, '.floating-contact'), path).toEqual([])
      await expect(page.getByRole('link', { name: 'Falar com a gente pelo WhatsApp' })).toBeInViewport({ ratio: 1 })
    }
  })
}

/** The focused control and the next one, if the toast covers them. */
async function controlsUnderToast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const box = document.querySelector('.toast')?.getBoundingClientRect()
    if (!box) throw new Error('no toast')
    const from = document.activeElement ?? document.body
    return [...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter((one) => !one.closest('.toaster, .honeypot') && one.checkVisibility())
      .filter((one) => one === from || from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
      .slice(0, 2)
      .filter((one) => {
        const other = one.getBoundingClientRect()
        return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom
      })
      .map((one) => one.outerHTML.slice(0, 80))
  })
}

test.describe('a toast', () => {
  test.use({ expectedErrors: /status of 500/ })

  async function failToSign(page: Page, path = '/p/fim-escala-6x1'): Promise<void> {
    await disableServiceWorker(page)
    await page.route('**/signatures', (route) =>
      route.fulfill({ status: 500, json: { success: false, message: 'Ocorreu um erro. Por favor, tente novamente.' } }),
    )
    await open(page, path)
    await fillSignature(page)
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.locator('.toast-error')).toBeVisible()
  }

  for (const [width, height] of [...phones, [1280, 800]] as const) {
    for (const path of ['/p/fim-escala-6x1', '/embed/fim-escala-6x1']) {
      test(`on ${path} at ${width}×${height} covers neither the focused control nor the next one`, async ({ page }) => {
        await page.setViewportSize({ width, height })
        await failToSign(page, path)
        await takeScreenshot(page, `aviso-${path.split('/')[1]}-${width}`)
        await expect.poll(() => controlsUnderToast(page)).toEqual([])

        await page.unroute('**/signatures')
        await page.getByRole('button', { name: 'Fechar aviso' }).click()
        await page.getByRole('button', { name: 'Assinar a petição' }).click()
        await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeFocused()
        await expect(page.locator('.toast-success')).toBeVisible()
        await expect.poll(() => controlsUnderToast(page)).toEqual([])
      })
    }
  }

  for (const [width, height] of [...phones, [1280, 800]] as const) {
    test(`at ${width}×${height} covers no control of the header, also after scrolling to it`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await failToSign(page)
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
      await takeScreenshot(page, `aviso-cabecalho-${width}`)
      const covered = await page.evaluate(() => {
        const box = document.querySelector('.toast')?.getBoundingClientRect()
        if (!box) throw new Error('no toast')
        return [...document.querySelectorAll('header a, header button, header summary')]
          .filter((one) => one.checkVisibility())
          .filter((one) => {
            const other = one.getBoundingClientRect()
            return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom
          })
          .map((one) => one.textContent)
      })
      expect(covered).toEqual([])
    })
  }

  test('of an error stays while it is hovered or focused, and disappears afterwards', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.clock.install()
    await failToSign(page)
    const toast = page.locator('.toast-error')

    await toast.hover()
    await page.clock.runFor(30_000)
    await expect(toast).toBeVisible()

    await page.getByRole('button', { name: 'Fechar aviso' }).focus()
    await page.mouse.move(0, 0)
    await page.clock.runFor(30_000)
    await expect(toast).toBeVisible()

    await page.getByLabel('Nome completo').focus()
    await page.clock.runFor(6_000)
    await expect(toast).toHaveCount(0)
  })

  test('has enough contrast with the background of every embed', async ({ page }) => {
    await failToSign(page, '/embed/fim-escala-6x1')
    for (const theme of ['red', 'green', 'yellow', 'ink']) {
      const best = await page.evaluate((name) => {
        document.documentElement.dataset.tema = name
        const luminance = (colour: string) => {
          const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number).map((part) => {
            const value = part / 255
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
          })
          return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }
        const probe = document.createElement('i')
        probe.style.color = 'var(--ground)'
        document.body.append(probe)
        const ground = luminance(getComputedStyle(probe).color)
        const { borderTopColor, outlineColor, outlineStyle } = getComputedStyle(
          document.querySelector('.toast') as Element,
        )
        const lines = outlineStyle === 'none' ? [borderTopColor] : [borderTopColor, outlineColor]
        return Math.max(
          ...lines.map(luminance).map((line) => (Math.max(line, ground) + 0.05) / (Math.min(line, ground) + 0.05)),
        )
      }, theme)
      expect(best, theme).toBeGreaterThanOrEqual(3)
    }
  })
})

test('the counter never displays less than the number from the server', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const shown: string[] = []
    Object.assign(window, { shown })
    const recordText = () => {
      const text = document.querySelector('.counter-digits')?.textContent
      if (text) shown.push(text)
      requestAnimationFrame(recordText)
    }
    requestAnimationFrame(recordText)
  })
  // The number in the delivered HTML: signatures of other tests may raise the displayed one at any time.
  const delivered = page.waitForResponse((response) => new URL(response.url()).pathname === '/peticao')
  await open(page, '/peticao')
  const [, digits = ''] = /class="hidden">([\d.]+)</.exec(await (await delivered).text()) ?? []
  const first = Number(digits.replaceAll('.', ''))
  expect(first).toBeGreaterThan(0)
  await fillSignature(page)
  await page.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(page.getByRole('heading', { name: 'Obrigado!' })).toBeVisible()
  await page.waitForTimeout(1_500)

  const numbers = await page.evaluate(() => (window as unknown as { shown: string[] }).shown)
  expect([...new Set(numbers)].map((text) => Number(text.replaceAll('.', '')) >= first)).not.toContain(false)
})

test('fields have the autocomplete tokens that browsers know', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/formulario-lideres')
  await expect(page.locator('[name=whatsapp]')).toHaveAttribute('autocomplete', 'tel')
  await expect(page.locator('[name=endereco]')).toHaveAttribute('autocomplete', 'address-line1')
})

test.describe('the statistics of a campaign in its first hour', () => {
  test('show the signatures of this hour, rank the states with signatures and collapse the others', async ({
    page,
  }) => {
    test.slow()
    await avoidBoundary('hour', 60_000)
    const caller = await asAdministrator()
    const campaign = await createCampaign(caller, { isActive: true, titulo: `Primeira hora ${crypto.randomUUID()}` })
    for (const estado of ['SP', 'RR', 'RR'])
      await caller.ask('POST', `/api/campaigns/${campaign.slug}/signatures`, aSignature({ estado }))

    await page.setViewportSize({ width: 390, height: 664 })
    await openAsAdministrator(page, `/admin/numeros/${campaign.slug}`)
    await expect(page.getByText(/^3nesta hora/)).toBeVisible()
    await expect(page.locator('.tiles')).not.toContainText('0 em 24 horas')
    const states = page.getByRole('table', { name: 'Assinaturas por estado' }).getByRole('row')
    await expect(states.locator('td:first-child')).toHaveText(['Roraima', 'São Paulo'])
    await expect(states.locator('td:last-child')).toHaveText(['0,31', '0,0023'])
    await expect(page.getByText('25 estados sem assinaturas')).toBeVisible()
    await expect(page.locator('.map')).toHaveCount(0)
    await expectAccessible(page)

    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.getByRole('img', { name: /^Mapa do Brasil/ })).toBeVisible()
    await expect(page.locator('.map-legend')).not.toContainText('até 0,0 ')

    await openAsAdministrator(page, '/admin/numeros')
    const row = page.getByRole('row').filter({ hasText: campaign.titulo })
    await expect(row.locator('[data-title="Nesta hora"]')).toHaveText('3')
    await expect(row.locator('[data-title="24 horas"]')).toHaveText('–')
  })
})

test('on a phone each title of a card is aligned with its value', async ({ page }) => {
  const { ask } = await asAdministrator()
  await ask('POST', '/api/peticoes', aSignature())
  await page.setViewportSize({ width: 390, height: 664 })
  for (const path of ['/admin/campanhas', '/admin/numeros', '/admin/pessoas', '/admin/equipe', '/admin/registro']) {
    await openAsAdministrator(page, path)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    const misaligned = await page.evaluate(() => {
      const cells = [
        ...document.querySelectorAll<HTMLElement>('.table:not(.table-compact) tbody tr:first-child td'),
        // The first column is the title of the card, and actions have none.
      ].filter((cell) => getComputedStyle(cell, '::before').content !== 'none')
      document.styleSheets[0]?.insertRule('td::before { display: none !important }')
      const range = document.createRange()
      const firstLine = (node: Node) => {
        range.selectNodeContents(node)
        return range.getClientRects()[0]
      }
      const middle = (box: DOMRect) => box.top + box.height / 2
      if (cells.length === 0) return ['no titles']
      return cells.flatMap((cell) => {
        // Generated content cannot be measured, so an element with the same style replaces it.
        const title = document.createElement('span')
        title.textContent = cell.dataset.title ?? ''
        Object.assign(title.style, { fontSize: '0.875rem', fontWeight: '700' })
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        while (walker.nextNode() && !walker.currentNode.textContent?.trim());
        const value = walker.currentNode
        cell.prepend(title)
        const [one, other] = [firstLine(title), firstLine(value)]
        if (!one || !other || value === cell) return []
        return Math.abs(middle(one) - middle(other)) <= 4 ? [] : [`${title.textContent}: ${one.top}, ${other.top}`]
      })
    })
    expect(misaligned, path).toEqual([])
  }
})
