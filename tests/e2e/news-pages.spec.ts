// News of a campaign as visitors read them: list, article, feed, and the section on the page of the campaign.
import { previewPath, previewReady } from '#contract/admin/campaigns.ts'
import type { NewsPreview } from '#contract/admin/news.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  expectSmallImages,
  fillSignature,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { addNews } from '#tests/helpers/stored-news.ts'

interface Fields {
  titulo?: string
  status?: 'live' | 'won'
  themeColor?: string
}

async function addCampaign({ titulo, status = 'live', themeColor = 'red' }: Fields = {}): Promise<string> {
  const slug = `novidades-${crypto.randomUUID()}`
  await rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab", status, "themeColor", subtitulo, ordem)
     select $1, $2, '<p>Porque o transporte é um direito.</p>', 'aba', $3, $4, 'Ônibus de graça para quem trabalha.', max(ordem) + 1
     from campaigns`,
    [slug, titulo ?? 'Tarifa zero já', status, themeColor],
  )
  return slug
}

const shown = (path: string, text: string) =>
  expect.poll(async () => (await fetch(siteUrl() + path)).text(), { timeout: 20_000 }).toContain(text)

const html = `<p>Foi a maior plenária desde o começo da campanha: <strong>mais de 800 pessoas</strong> de 40 bairros lotaram o ginásio.</p>
<h2>O que decidimos</h2><ul><li>Entregar as assinaturas na terça-feira.</li><li>Panfletar nos terminais no sábado. <a href="/peticao">Veja a outra petição</a>.</li></ul>
<blockquote>Ônibus não é mercadoria.</blockquote><p>Leve quem ainda não assinou.</p>`

async function imageOfMedia(): Promise<string> {
  const [image] = await rows<{ path: string }>(
    `select '/media/' || sha256 || '.webp' as path from media where format = 'webp' and width >= 640 limit 1`,
  )
  return image?.path ?? ''
}

test(
  'a visitor goes from the campaign to its news, reads one, and signs: the signature has the origin of the item',
  { tag: '@quick' },
  async ({ page }, { project }) => {
    test.slow()
    const slug = await addCampaign()
    await addNews({ rows }, { slug, titulo: 'A campanha começou', publishedAt: '2026-10-01T12:00:00Z' })
    await addNews({ rows }, { slug, titulo: 'Primeira panfletagem', publishedAt: '2026-10-10T12:00:00Z' })
    const imagem = await imageOfMedia()
    const publishedAt = '2026-11-03T02:30:00Z'
    const { id } = await addNews({ rows }, { slug, titulo: 'Lotamos o ginásio', html, imagem, publishedAt })
    await addNews({ rows }, { slug, titulo: 'Amanhã é dia de entrega', html, publishedAt: '2026-11-10T12:00:00Z' })
    await shown(`/p/${slug}`, 'Amanhã é dia de entrega')
    await shown(`/p/${slug}/novidades`, 'Amanhã é dia de entrega')
    await shown(`/p/${slug}/novidades/3`, 'Lotamos o ginásio')

    await open(page, `/p/${slug}`)
    const section = page.locator('.petition-news')
    await expect(section.getByRole('heading', { name: 'Novidades' })).toBeVisible()
    await expect(section.getByRole('listitem')).toHaveText([
      'Amanhã é dia de entrega10 de novembro de 2026',
      'Lotamos o ginásio2 de novembro de 2026',
      'Primeira panfletagem10 de outubro de 2026',
    ])
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `novidades-campanha-${project.name}`, { fullPage: true })

    await section.getByRole('link', { name: 'Todas as novidades' }).click()
    await expect(page).toHaveURL(`${siteUrl()}/p/${slug}/novidades`)
    await expect(page.getByRole('heading', { level: 2 }).filter({ visible: true }).first()).toHaveText(
      'Amanhã é dia de entrega',
    )
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `novidades-lista-${project.name}`, { fullPage: true })

    await page.getByRole('link', { name: 'Lotamos o ginásio' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lotamos o ginásio')
    await expect(page.locator('time').first()).toHaveText('2 de novembro de 2026')
    await expect(page.getByRole('link', { name: 'Compartilhar no WhatsApp' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Mais nova Amanhã é dia de entrega' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Anterior Primeira panfletagem' })).toBeVisible()
    await expectNoHorizontalScroll(page)
    await expectSmallImages(page)
    await expectAccessible(page)
    await takeScreenshot(page, `novidades-artigo-${project.name}`, { fullPage: true })
    await takeScreenshot(page, `novidades-artigo-inicio-${project.name}`)

    await page.getByRole('link', { name: 'Assinar', exact: true }).click()
    await expect(page).toHaveURL(`${siteUrl()}/p/${slug}?de=novidade-${id}#assinar`)
    await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
    const { email } = await fillSignature(page)
    await page.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(page.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeFocused()
    expect(await rows('select origem from peticoes where email = $1', [email])).toEqual([{ origem: `novidade-${id}` }])
  },
)

test('the first screen of a news item shows its title, its day and the beginning of the text', async ({ page }) => {
  const slug = await addCampaign()
  await addNews({ rows }, { slug, titulo: 'Amanhã é dia de entrega na Câmara', html })
  await shown(`/p/${slug}/novidades/1`, 'Amanhã')
  await page.setViewportSize({ width: 390, height: 664 })
  await open(page, `/p/${slug}/novidades/1`)
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
  await expect(page.locator('.news-text p').first()).toBeInViewport()
  await takeScreenshot(page, 'novidades-artigo-390')
})

test('long words, a long title and a won campaign fit, also with enlarged text', async ({ page }, { project }) => {
  const slug = await addCampaign({
    titulo: 'Pela desconstitucionalização das inconstitucionalíssimas tarifas do transporte metropolitano',
    status: 'won',
    themeColor: 'yellow',
  })
  const titulo = `ÔNIBUS NÃO É MERCADORIA: ${'vitória histórica da mobilização popular '.repeat(4)}às 10h`
  const long = `<p>${'anticonstitucionalissimamente'.repeat(6)}</p>`
  await addNews({ rows }, { slug, titulo, html: html + long })
  await shown(`/p/${slug}/novidades/1`, 'MERCADORIA')
  await shown(`/p/${slug}/novidades`, 'MERCADORIA')
  for (const path of ['/novidades/1', '/novidades']) {
    await page.setViewportSize(project.name === 'phone' ? { width: 320, height: 640 } : { width: 1280, height: 800 })
    await open(page, `/p/${slug}${path}`)
    await expect(page.getByRole('link', { name: 'Ver a campanha' })).toBeVisible()
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `novidades-longa${path === '/novidades' ? '-lista' : ''}-${project.name}`, {
      fullPage: true,
    })
    if (project.name !== 'phone') continue
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await expectNoHorizontalScroll(page)
  }
})

test('a campaign without news says so and leads back to the petition', async ({ page }, { project }) => {
  const slug = await addCampaign({ themeColor: 'green' })
  await shown(`/p/${slug}/novidades`, 'Ainda não há novidades')
  await open(page, `/p/${slug}/novidades`)
  await expectAccessible(page)
  await takeScreenshot(page, `novidades-vazia-${project.name}`, { fullPage: true })
  await page.getByRole('main').getByRole('link', { name: 'Assinar' }).click()
  await expect(page).toHaveURL(`${siteUrl()}/p/${slug}#assinar`)
})

test('the list passes the origin of the visit on to the petition', async ({ page }) => {
  const slug = await addCampaign()
  await addNews({ rows }, { slug, titulo: 'Com origem' })
  await shown(`/p/${slug}/novidades`, 'Com origem')
  await open(page, `/p/${slug}/novidades?de=radio`)
  await page.getByRole('main').getByRole('link', { name: 'Assinar' }).click()
  await expect(page).toHaveURL(`${siteUrl()}/p/${slug}?de=radio#assinar`)
})

test('the feed is well-formed XML that links back to the pages', async ({ page }) => {
  const slug = await addCampaign({ titulo: 'Pão & "rosas" <já>' })
  await addNews({ rows }, { slug, titulo: 'Título com & <b> e \u0001 controle', html })
  await shown(`/p/${slug}/novidades.atom`, 'controle')
  await shown(`/p/${slug}/novidades`, 'controle')
  await open(page, `/p/${slug}/novidades`)
  const path = await page.locator('link[rel=alternate][type="application/atom+xml"]').getAttribute('href')
  const xml = await (await fetch(siteUrl() + path)).text()
  // The policy of the site does not allow parsing.
  await page.goto('about:blank')
  const found = await page.evaluate((text) => {
    const feed = new DOMParser().parseFromString(text, 'application/xml')
    const one = (selector: string) => feed.querySelector(selector)?.textContent
    return {
      error: one('parsererror'),
      title: one('feed > title'),
      entry: one('entry > title'),
      content: one('entry > content'),
      link: feed.querySelector('entry > link')?.getAttribute('href'),
    }
  }, xml)
  expect(found).toMatchObject({
    error: undefined,
    title: 'Novidades: Pão & "rosas" <já>',
    entry: 'Título com & <b> e  controle',
    content: expect.stringContaining('<h2>O que decidimos</h2>'),
    link: expect.stringMatching(new RegExp(`^https?://.+/p/${slug}/novidades/1$`)),
  })
})

test('the preview frame of the admin area shows a news item as its page, with links disabled', async ({ page }) => {
  const preview: NewsPreview = {
    news: { titulo: 'Ainda um rascunho', html, imagem: null },
    campaign: { slug: 'juros', titulo: 'Juros baixos', themeColor: 'green' },
  }
  // A page that may show frames of this site.
  await page.goto('/teste-embed')
  await page.evaluate(
    ([path, ready, message]) => {
      const frame = document.createElement('iframe')
      frame.title = 'Prévia'
      frame.height = '2000'
      frame.style.width = '100%'
      addEventListener('message', ({ source, data }) => {
        if (source === frame.contentWindow && data === ready) frame.contentWindow?.postMessage(message, location.origin)
      })
      frame.src = path
      document.body.replaceChildren(frame)
    },
    [previewPath, previewReady, preview] as const,
  )
  const frame = page.frameLocator('iframe')
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Ainda um rascunho')
  await expect(frame.locator('html')).toHaveAttribute('data-tema', 'green')
  await expect(frame.getByRole('heading', { name: 'O que decidimos' })).toBeVisible()
  await takeScreenshot(page, 'novidades-previa', { fullPage: true })
  await frame.getByRole('link', { name: 'Assinar', exact: true }).click()
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Ainda um rascunho')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a news item is read, shared and left with the keyboard alone', { tag: '@quick' }, async ({ page }) => {
    const slug = await addCampaign()
    await addNews({ rows }, { slug, titulo: 'A anterior', publishedAt: '2026-10-01T12:00:00Z' })
    await addNews({ rows }, { slug, titulo: 'A de hoje', html })
    await shown(`/p/${slug}/novidades/2`, 'A de hoje')
    await shown(`/p/${slug}/novidades`, 'A de hoje')

    await page.goto(`/p/${slug}/novidades`)
    await page.getByRole('link', { name: 'A de hoje' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A de hoje')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Pular para o conteúdo' })).toBeFocused()
    await page.keyboard.press('Enter')

    const order: string[] = []
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab')
      order.push((await page.locator(':focus').textContent()) ?? '')
      if (order.at(-1)?.includes('Atom')) break
    }
    expect(order.map((text) => text.trim())).toEqual([
      'Tarifa zero já',
      'Veja a outra petição',
      'Assinar',
      'Compartilhar no WhatsApp',
      'Telegram',
      'Facebook',
      'Twitter',
      'Anterior A anterior',
      'Todas as novidades',
      'Feed das novidades (Atom)',
    ])
    const [whatsapp] = await page.getByRole('link', { name: 'WhatsApp', exact: false }).all()
    expect(decodeURIComponent(String(await whatsapp?.getAttribute('href')))).toMatch(
      new RegExp(`^https://wa\\.me/\\?text=A de hoje\\. Leia:\\n\\S+/p/${slug}/novidades/2\\?de=whatsapp$`),
    )
    await page.getByRole('link', { name: 'A anterior' }).click()
    await expect(page).toHaveURL(`${siteUrl()}/p/${slug}/novidades/1`)
  })
})
