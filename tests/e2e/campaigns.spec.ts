// Campaigns as visitors find, sign, celebrate and share them, and campaigns that are over.
import type { listActiveCampaigns } from '#contract/campaigns.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { campaignClosed } from '#contract/messages.ts'
import { rows } from '#tests/e2e/database.ts'
import {
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
import { postJson } from '#tests/helpers/forms.ts'

interface Fields {
  titulo?: string
  subtitulo?: string
  status?: 'live' | 'closed' | 'won'
  baseCount?: number
  meta?: number
  resultHtml?: string
}

/** Stored directly, as the first of the list: the screens of administrators have their own scenarios. */
async function addCampaign(fields: Fields = {}): Promise<{ slug: string; titulo: string }> {
  const slug = `campanha-${crypto.randomUUID()}`
  const { titulo = `Campanha ${slug.slice(-6)}`, status = 'live', baseCount = 0, meta, resultHtml, subtitulo } = fields
  await rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab", status, ordem, "baseCount", meta, "resultHtml", subtitulo)
     select $1, $2, '<p>Porque sim.</p>', 'aba', $3, min(ordem) - 1, $4, $5, $6, $7 from campaigns`,
    [slug, titulo, status, baseCount, meta ?? null, resultHtml ?? null, subtitulo ?? null],
  )
  await expect.poll(async () => (await fetch(`${siteUrl()}/api/campaigns/${slug}/count`)).status).toBe(200)
  await expect.poll(async () => (await fetch(`${siteUrl()}/api/campaigns/${slug}`)).status).toBe(200)
  await expect.poll(async () => (await fetch(`${siteUrl()}/campanhas`)).text()).toContain(slug)
  return { slug, titulo }
}

test(
  'a visitor finds a campaign in the list, signs it, and is asked to share it and to sign another',
  {
    tag: '@quick',
  },
  async ({ page }, { project }) => {
    test.slow()
    await avoidBoundary('day', 90_000)
    const { slug, titulo } = await addCampaign()
    await open(page, '/campanhas')
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `campanhas-lista-${project.name}`, { fullPage: true })

    await page.getByRole('main').getByRole('link', { name: titulo }).click()
    await expect(page).toHaveURL(new RegExp(`/p/${slug}$`))
    await expect(page.getByRole('progressbar', { name: 'Meta' })).toHaveAttribute('max', '100')
    await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
    await fillSignature(page)
    const listed = page.waitForResponse('**/api/campaigns')
    await page.getByRole('button', { name: 'Assinar a petição' }).click()

    const thanks = page.locator('.thank-you')
    await expect(thanks.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
    const whatsapp = await thanks.getByRole('link', { name: 'Compartilhar no WhatsApp' }).getAttribute('href')
    expect(decodeURIComponent(String(whatsapp))).toMatch(
      new RegExp(`^https://wa\\.me/\\?text=${titulo}\\. Assine também:\\n\\S+/p/${slug}\\?de=whatsapp$`),
    )
    for (const name of ['Telegram', 'Facebook', 'Twitter'])
      await expect(thanks.getByRole('link', { name })).toHaveAttribute('href', new RegExp(`de%3D${name.toLowerCase()}`))
    await expect(thanks.getByRole('button', { name: 'Copiar link' })).toBeVisible()
    // The first campaigns of the list: which ones depends on other tests.
    const { campaigns } = (await (await listed).json()) as ReplyOf<typeof listActiveCampaigns>
    const others = campaigns.filter((one) => one.status === 'live' && one.slug !== slug).slice(0, 3)
    const offered = thanks.getByRole('region', { name: 'Assine também' }).getByRole('link')
    await expect(offered).toHaveText(others.map((one) => one.titulo))
    expect(await offered.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
      others.map(({ path }) => path),
    )
    // The server reads the count of the day every ten seconds, and the page asks for it every few seconds.
    await expect(page.getByText('1 hoje')).toBeVisible({ timeout: 40_000 })
    await expectAccessible(page)
    await takeScreenshot(page, `campanha-obrigado-${project.name}`, { fullPage: true })
  },
)

test('the share link of a petition is copied with its origin, or selected where copying is refused', async ({
  page,
}) => {
  const { slug } = await addCampaign()
  await page.clock.install()
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: (text: string) => {
          const { copied } = window as unknown as { copied?: string[] }
          if (copied) copied.push(text)
          return copied ? Promise.resolve() : Promise.reject(new Error('refused'))
        },
      },
    })
  })
  await open(page, `/p/${slug}`)
  const section = page.locator('.petition-share')
  await section.scrollIntoViewIfNeeded()
  await section.getByRole('button', { name: 'Copiar link' }).click()
  await expect(section.getByRole('status')).toContainText(`/p/${slug}?de=link`)
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toMatch(new RegExp(`/p/${slug}\\?de=link$`))
  await expectAccessible(page)

  await page.evaluate(() => Object.assign(window, { copied: [] }))
  // The message is displayed for two seconds.
  await page.clock.pauseAt(Date.now() + 60_000)
  await section.getByRole('button', { name: 'Copiar link' }).click()
  await expect(section.getByRole('button', { name: 'Copiado!' })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { copied: string[] }).copied)).toEqual([
    expect.stringMatching(new RegExp(`/p/${slug}\\?de=link$`)),
  ])
})

for (const reducedMotion of ['no-preference', 'reduce'] as const)
  test(
    `a goal that the own signature reaches is celebrated once (motion: ${reducedMotion})`,
    {
      tag: '@quick',
    },
    async ({ page }, { project }) => {
      // So long that on a phone the thank-you view scrolls the counter out of the window.
      const subtitulo = 'Uma campanha de todo mundo. '.repeat(10)
      const { slug } = await addCampaign({ baseCount: 1_199, meta: 1_200, subtitulo })
      await page.emulateMedia({ reducedMotion })
      // Confetti is displayed for two seconds.
      await page.addInitScript(() => {
        const seen = { confetti: 0, isInWindow: true }
        Object.assign(window, { seen })
        new MutationObserver(() => {
          const pieces = document.querySelectorAll<HTMLElement>('body > div[aria-hidden=true] > i')
          seen.confetti = Math.max(seen.confetti, pieces.length)
          for (const { style } of pieces)
            seen.isInWindow &&= Number.parseFloat(style.top) > 0 && Number.parseFloat(style.top) < innerHeight
        }).observe(document, { childList: true, subtree: true })
      })
      await open(page, `/p/${slug}`)
      await expect(page.getByText('Meta: 1.200')).toBeVisible()
      await fillSignature(page)
      await page.getByRole('button', { name: 'Assinar a petição' }).click()

      await expect(page.locator('.goal-reached')).toHaveText('Chegamos a 1.200!')
      await expect(page.locator('.counter').getByRole('status')).toHaveText('Chegamos a 1.200 assinaturas!')
      await expect(page.getByText('Meta: 2.000')).toBeVisible()
      const confetti = page.locator('body > div[aria-hidden=true] > i')
      // The thank-you view may have scrolled the counter out of the window: then the toast names the goal.
      const sentence = page.getByText('Chegamos a 1.200!').filter({ visible: true })
      const isInWindow = (boxes: Element[]) =>
        boxes.some((box) => box.getBoundingClientRect().top >= 0 && box.getBoundingClientRect().bottom <= innerHeight)
      await expect.poll(() => sentence.evaluateAll(isInWindow)).toBe(true)
      const isNamed = await page.locator('.toast', { hasText: 'Chegamos a 1.200!' }).count()
      await expect(page.locator('.toast')).toHaveCount(isNamed)
      type Seen = { seen: { confetti: number; isInWindow: boolean } }
      const seen = () => page.evaluate(() => (window as unknown as Seen).seen)
      if (reducedMotion === 'reduce') expect((await seen()).confetti).toBe(0)
      else await expect.poll(async () => (await seen()).confetti).toBeGreaterThan(0)
      expect((await seen()).isInWindow).toBe(true)
      await takeScreenshot(page, `campanha-meta-${reducedMotion}-${project.name}`)
      await expect(confetti).toHaveCount(0)
      await expectAccessible(page)

      await open(page, `/p/${slug}`)
      await expect(page.getByText('Meta: 2.000')).toBeVisible()
      await expect(page.locator('.goal-reached')).toHaveCount(0)
      expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({ [`meta-${slug}`]: '1200' })
    },
  )

test('a goal is not celebrated again in the same tab when the count passes it again', async ({ page }) => {
  const { slug } = await addCampaign({ meta: 1_200 })
  let count = 1_199
  await page.route(`**/api/campaigns/${slug}/count`, (route) =>
    route.fulfill({ json: { success: true, count, hoje: 0 } }),
  )
  await page.clock.install()
  await page.addInitScript(() => {
    const getItem = Storage.prototype.getItem
    Storage.prototype.getItem = function (this: Storage, key: string) {
      if (key.startsWith('meta-')) Object.assign(window, { isAsked: true })
      return getItem.call(this, key)
    }
  })
  for (const isFirst of [true, false]) {
    count = 1_199
    await open(page, `/p/${slug}`)
    await expect(page.locator('.counter .hidden').first()).toHaveText('1.199')
    count = 1_201
    await page.clock.runFor(15_000)
    await expect(page.locator('.counter .hidden').first()).toHaveText('1.201')
    // The code of the celebration is loaded on demand. It begins by asking which goals were celebrated.
    await page.waitForFunction(() => (window as unknown as { isAsked: boolean }).isAsked)
    if (isFirst) await expect(page.locator('.goal-reached')).toHaveCount(1)
    else {
      await page.waitForTimeout(300)
      await expect(page.locator('.goal-reached')).toHaveCount(0)
    }
  }
})

test.describe('a campaign that ends while its form is open', () => {
  test.use({ expectedErrors: /status of 410/ })

  test('says so once, and leads to its result', async ({ page }, { project }) => {
    const { slug } = await addCampaign()
    await open(page, `/p/${slug}`)
    await fillSignature(page)
    await rows("update campaigns set status = 'closed' where slug = $1", [slug])
    await expect.poll(async () => (await fetch(`${siteUrl()}/p/${slug}`)).text()).toContain('Encerrada')
    // Pages and signing have caches of their own. The signature of a bot is refused too, and never stored.
    const signing = `${siteUrl()}/api/campaigns/${slug}/signatures`
    await expect.poll(async () => (await postJson(signing, aSignature({ honeypot: 'robô' }))).status).toBe(410)
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('alert').getByText(campaignClosed)).toBeVisible()
    await expect(page.locator('.toast')).toHaveCount(0)
    await takeScreenshot(page, `campanha-encerrou-${project.name}`)
    await page.getByRole('link', { name: 'Ver o resultado' }).click()
    await expect(page.getByText('já não recebe assinaturas')).toBeVisible()
  })
})

test('long words of titles and of the contact address stay inside the page', async ({ page }, { project }) => {
  const long = 'Desburocratizaçãodemocratizadaconstitucionalissimamente'
  const { slug } = await addCampaign({ titulo: `${long} ${crypto.randomUUID().slice(0, 4)}` })
  const { slug: signed } = await addCampaign()
  for (const path of ['/', '/campanhas', `/p/${slug}`, '/privacidade', `/p/${signed}?obrigado`]) {
    await page.goto(path)
    await page.evaluate(() => {
      for (const link of document.querySelectorAll('a[href^="mailto:"]'))
        link.textContent = 'coordenacao.nacional.do.movimento.de.mobilizacao@exemplo-de-organizacao.org.br'
    })
    await expectNoHorizontalScroll(page)
    const leaving = await page.locator('.footer-content a, .share-rows a, .petition-hero h1').evaluateAll(
      (links) =>
        links.filter((link) => {
          const { right = 0 } = link.closest('li, .petition-hero')?.getBoundingClientRect() ?? {}
          return link.getBoundingClientRect().right > right + 1 || link.scrollWidth > link.clientWidth + 1
        }).length,
    )
    expect(leaving, path).toBe(0)
    await takeScreenshot(
      page,
      `palavras-longas-${path === `/p/${slug}` ? 'titulo' : path.replace(/\W+/g, '').slice(0, 3)}-${project.name}`,
      {
        fullPage: true,
      },
    )
  }
  await rows('update campaigns set "isActive" = false where slug = $1', [slug])
})

for (const status of ['closed', 'won'] as const)
  test(
    `a ${status} campaign shows its result instead of the form`,
    { tag: '@quick' },
    async ({ page }, { project }) => {
      const result = status === 'won' ? '<p>O projeto foi <strong>arquivado</strong>.</p>' : undefined
      const { slug, titulo } = await addCampaign({
        status,
        baseCount: 4_321,
        ...(result !== undefined && { resultHtml: result }),
      })
      await open(page, `/p/${slug}`)

      await expect(page.locator('.sticker').first()).toHaveText(status === 'won' ? 'Vitória' : 'Encerrada')
      await expect(page.locator('.counter')).toContainText('4.321')
      await expect(page.getByRole('progressbar')).toHaveCount(0)
      await expect(page.locator('form')).toHaveCount(0)
      await expect(
        page.getByText(status === 'won' ? 'O projeto foi arquivado.' : 'já não recebe assinaturas'),
      ).toBeVisible()
      await expect(page.getByText('Obrigado às 4.321 pessoas que assinaram!')).toBeVisible()
      await expect(page.locator('.petition-share').getByRole('link', { name: 'WhatsApp' })).toBeVisible()
      await expectNoHorizontalScroll(page)
      await expectAccessible(page)
      await takeScreenshot(page, `campanha-${status}-${project.name}`, { fullPage: true })

      await open(page, `/embed/${slug}`)
      await expect(page.locator('form')).toHaveCount(0)
      await expect(page.getByText('Obrigado às 4.321 pessoas que assinaram!')).toBeVisible()
      await expectAccessible(page)

      await open(page, '/campanhas')
      const card = page.locator('.campaign-card', { hasText: titulo })
      await expect(card).toContainText(status === 'won' ? 'Vitória' : 'Encerrada')
      await expect(card.getByRole('progressbar')).toHaveCount(0)
    },
  )
