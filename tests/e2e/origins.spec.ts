// The origin of signatures: from the link, the embedding site and the stored signature to the numbers.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { asAdministrator, openAsAdministrator, waitForBreakdown } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  open,
  siteUrl,
  test,
} from '#tests/e2e/visitor.ts'

// The package's types describe another module format.
const decode = jsQR as unknown as typeof jsQR.default

const sign = (page: Page) => page.getByRole('button', { name: 'Assinar a petição' }).click()
const thanks = { name: 'Obrigado! Sua voz conta' }
const originOf = async (email: string) =>
  (await rows<{ origem: string | null }>('select origem from peticoes where email = $1', [email]))[0]?.origem

async function aCampaign(): Promise<{ slug: string }> {
  const slug = `com-origens-${crypto.randomUUID().slice(0, 8)}`
  await rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "sheetTab") values ($1, 'Campanha com origens', '<p>Oi</p>', $1)`,
    [slug],
  )
  await expect.poll(async () => (await fetch(`${siteUrl()}/p/${slug}`)).status).toBe(200)
  return { slug }
}

test('a link with ?de=radio-comunitaria is opened, signed, and appears in the numbers', {
  tag: '@quick',
}, async ({ page }) => {
  test.slow()
  const { slug } = await aCampaign()

  await open(page, `/p/${slug}?de=radio-comunitaria`)
  const { email } = await fillSignature(page)
  await sign(page)
  await expect(page.getByRole('heading', thanks)).toBeVisible()
  expect(await originOf(email)).toBe('radio-comunitaria')

  await waitForBreakdown(await asAdministrator(), slug, 1)
  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  await expect(page.getByText('1 assinatura contada por origem')).toBeVisible()
  const byOrigin = page.getByRole('table', { name: 'Assinaturas por origem' })
  await expect(byOrigin.getByRole('row')).toHaveCount(2)
  await expect(byOrigin.getByRole('row').nth(1)).toContainText('radio-comunitaria')
  await expect(byOrigin.getByRole('row').nth(1).locator('[data-title="Assinaturas"]')).toHaveText('1')
  await byOrigin.getByRole('button', { name: 'radio-comunitaria' }).click()
  await expect(page.getByRole('heading', { name: 'Por dia: radio-comunitaria' })).toBeVisible()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('region', { name: 'Por origem' }).getByRole('button', { name: 'Baixar CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toBe(`${slug}-por-origem.csv`)
  const [head, row] = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(head).toBe('Dia;Campanha;Origem;Assinaturas')
  expect(row).toMatch(new RegExp(`^\\d\\d/\\d\\d/\\d{4};${slug};radio-comunitaria;1$`))
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('the admin area makes a link, a WhatsApp text and a QR code with an origin', {
  tag: '@quick',
}, async ({ page }) => {
  const { slug } = await aCampaign()
  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  const builder = page.getByRole('region', { name: 'Criar link com origem' })

  await builder.getByLabel('Origem').fill('Feira do Bairro')

  await expect(builder.getByText('Vai no link como “feira-do-bairro”.')).toBeVisible()
  const publicUrl = await page.locator('#admin').getAttribute('data-public-url')
  const url = `${publicUrl}/p/${slug}?de=feira-do-bairro`
  await expect(builder.locator('code').first()).toHaveText(url)
  await expect(builder.locator('code').nth(1)).toContainText(`Campanha com origens. Assine também: ${url}`)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  for (const format of ['SVG', 'PNG']) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      builder.getByRole('button', { name: `Baixar ${format}` }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`qr-${slug}-feira-do-bairro.${format.toLowerCase()}`)
    const { data, info } = await sharp(await file.path())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(decode(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(url)
  }

  await page.goto('/admin/numeros')
  await builder.getByLabel('Página').selectOption('Inscrição de líderes')
  await builder.getByLabel('Origem').fill('sindicato')
  await expect(builder.locator('code').first()).toHaveText(`${publicUrl}/formulario-lideres?de=sindicato`)
})

test('the origin stays in the address while a visitor goes on to a petition', async ({ page }) => {
  await open(page, '/?de=feira')
  await page.locator('a[href="/peticao"]').last().click()
  await expect(page).toHaveURL(/\/peticao\?de=feira$/)
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
})

test('the origin stays in the address on the way over the list of campaigns', async ({ page }) => {
  await page.goto('/campanhas?utm_source=feira')
  await page.getByRole('link', { name: 'O Brasil quer paz' }).first().click()
  await expect(page).toHaveURL(/\/brasilquerpaz\?de=feira$/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedErrors: /status of 422/ })

  test('a signature keeps the origin of its link, also after a correction', async ({ page }) => {
    await page.goto('/peticao?de=panfleto')
    const { email } = await fillSignature(page, { cidade: 'X' })
    await sign(page)
    await expect(page.locator('#cidade-erro')).toBeVisible()
    await page.getByLabel('Cidade').fill('Cidade Inventada')
    await sign(page)

    await expect(page.getByRole('heading', thanks)).toBeVisible()
    await expect(page).toHaveURL(/\/peticao\?obrigado&de=panfleto/)
    expect(await originOf(email)).toBe('panfleto')
  })
})

test.describe('on another site', () => {
  test.use({ expectedErrors: /^request to http:..(127.0.0.1|localhost):\d+./ })
  let host: Server | undefined
  test.afterEach(() => {
    host?.close()
    host?.closeAllConnections()
  })

  const codes = {
    'the embed script': '<script src="{site}/embed.js" data-campanha="juros" async></script>',
    'a plain frame': '<iframe src="{site}/embed/juros" title="Petição" width="100%" height="1300"></iframe>',
  }
  for (const [kind, code] of Object.entries(codes)) {
    test(`${kind} stores the name of the site`, async ({ page }) => {
      host = createServer((_, response) =>
        response
          .setHeader('Content-Type', 'text/html; charset=utf-8')
          .setHeader('Referrer-Policy', 'no-referrer')
          .end(
            `<!doctype html><title>Blog</title><link rel="icon" href="data:,"><body>${code.replace('{site}', siteUrl())}`,
          ),
      )
      await new Promise<void>((resolve) => host?.listen(0, '127.0.0.1', resolve))
      await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/materia?leitor=42`)
      const frame = page.locator('iframe').contentFrame()
      await expect(frame.locator('html')).toHaveAttribute('data-viva', 'sim')
      const { email } = await fillSignature(frame, { cidade: '' })
      await frame.getByRole('button', { name: 'Assinar a petição' }).click()
      // A link within the page must not load it again.
      await frame.locator('.problems').getByRole('link').first().click()
      await expect(frame.getByLabel('E-mail')).toHaveValue(email)
      await frame.getByLabel('Cidade').fill('Cidade Inventada')
      await frame.getByRole('button', { name: 'Assinar a petição' }).click()
      await expect(frame.getByRole('heading', thanks)).toBeVisible()
      expect(await originOf(email)).toBe('127.0.0.1')
    })
  }
})
