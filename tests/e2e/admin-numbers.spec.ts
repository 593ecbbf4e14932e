// Statistics of campaigns in the admin area.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { asAdministrator, openAsAdministrator, waitForBreakdown } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aSignature, type SignatureFields } from '#tests/helpers/factories.ts'

const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })

async function aCampaign(name: string, baseCount = 1_000): Promise<{ slug: string; titulo: string }> {
  const id = crypto.randomUUID().slice(0, 8)
  const [slug, titulo] = [`contada-${id}`, `${name} ${id}`]
  await rows(
    `insert into campaigns (slug, titulo, "manifestoHtml", "baseCount", "sheetTab") values ($1, $2, '<p>Oi</p>', $3, $1)`,
    [slug, titulo, baseCount],
  )
  await expect.poll(async () => (await fetch(`${siteUrl()}/api/campaigns/${slug}/count`)).status).toBe(200)
  return { slug, titulo }
}

async function sign(slug: string, fields: Partial<SignatureFields> = {}): Promise<void> {
  const answer = await fetch(`${siteUrl()}/api/campaigns/${slug}/signatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aSignature(fields)),
  })
  expect(answer.status).toBe(201)
}

const number = (text: string | null) => Number(text?.replaceAll('.', ''))

test('signatures appear in the statistics, and all parts add up to the public counter', {
  tag: '@quick',
}, async ({ page }) => {
  test.slow()
  const { slug, titulo } = await aCampaign('Campanha somada')
  await sign(slug, { estado: 'SP', cidade: 'São Paulo' })
  await sign(slug, { estado: 'SP', cidade: 'sao paulo' })
  await sign(slug, { estado: 'BA', cidade: 'Ilhéus' })

  const caller = await openAsAdministrator(page, '/admin/numeros')
  await page.getByRole('link', { name: titulo }).click()
  await expect(page.getByRole('heading', { level: 1, name: titulo })).toBeVisible()
  await expect(page.getByText('1.000 de base + 3 assinaturas aqui')).toBeVisible()
  await expect(page.locator('.tiles strong').first()).toHaveText('1.003')

  await sign(slug, { estado: 'AC', cidade: 'Rio Branco' })
  await waitForBreakdown(caller, slug, 4)
  await page.reload()
  await expect(page.getByText('1.000 de base + 4 assinaturas aqui')).toBeVisible()

  const byState = page.getByRole('table', { name: 'Assinaturas por estado' })
  const parts = await byState.getByRole('row').locator('[data-title="Assinaturas"]').allTextContents()
  expect(parts).toHaveLength(3)
  await expect(page.getByText('24 estados sem assinaturas')).toBeVisible()
  expect(parts.reduce((sum, part) => sum + number(part), 0)).toBe(4)
  const publicCount = async () =>
    ((await (await page.request.get(`/api/campaigns/${slug}/count`)).json()) as { count: number }).count
  await expect.poll(publicCount).toBe(4)

  await expect(page.getByText(/4 assinaturas contadas por cidade/)).toBeVisible()
  const cities = page.getByRole('table', { name: 'Assinaturas por cidade' })
  await expect(cities.getByRole('row')).toHaveCount(4)
  await page.getByLabel('Procurar cidade').fill('sao pau')
  await expect(cities.getByRole('row')).toHaveCount(2)
  await expect(cities.getByRole('row').nth(1)).toContainText('São Paulo')
  await expect(cities.getByRole('row').nth(1).locator('[data-title="Assinaturas"]')).toHaveText('2')
  await page.getByLabel('Procurar cidade').fill('inexistente')
  await expect(page.getByText('Nenhuma cidade com esse filtro.')).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('the table of states can be downloaded as a CSV file', { tag: '@quick' }, async ({ page }) => {
  test.slow()
  const { slug } = await aCampaign('Campanha baixada')
  await sign(slug, { estado: 'RR', cidade: '=cmd()' })
  await waitForBreakdown(await asAdministrator(), slug, 1)
  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  const saved = async (section: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: section }).getByRole('button', { name: 'Baixar CSV' }).click(),
    ])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }

  const states = await saved('Por estado')
  expect(states.name).toBe(`${slug}-por-estado.csv`)
  expect(states.text.startsWith('\uFEFF')).toBe(true)
  const [head, first, ...rest] = states.text.trim().split('\r\n')
  expect(head).toBe('Estado;Assinaturas;Parte do total;Por 100 mil habitantes;Habitantes')
  expect(first).toBe('Roraima;1;100%;0,16;636707')
  expect(rest).toHaveLength(26)
  const hours = await saved('Por hora, últimas 48 horas')
  expect(hours.text.trim().split('\r\n')).toHaveLength(50)
  await expect(page.getByText(/1 assinatura contada por cidade/)).toBeVisible()
  // The maximum of the list, and one more row for the combined rest.
  const requested = page.waitForRequest(/\/cidades\?(.*&)?limite=20001\b/)
  const cities = await saved('Por cidade')
  await requested
  expect(cities.text).toContain("\r\n'=cmd();Roraima;1;0\r\n")
})

test('charts and tables of a large campaign are displayed for every measure', async ({ page }) => {
  test.slow()
  const { slug } = await aCampaign(
    'Campanha com um título bem comprido, para ver como ele se comporta em um telefone pequeno',
  )
  await rows(
    `insert into signature_count_changes (campanha, estado, hora, n)
    select $1, uf, date_trunc('hour', now()) - h * interval '1 hour',
      1 + (abs(hashtext(uf || h)) % (case uf when 'SP' then 400 when 'RJ' then 200 when 'MG' then 150 else 40 end))
    from unnest(array['AC','AL','AP','AM','BA','CE','DF','ES','GO','MA','MT','MS','MG','PA','PB','PR','PE','PI','RJ','RN','RS','RO','SC','SP','SE','TO']) uf,
      generate_series(0, 1200, 3) h`,
    [slug],
  )
  await rows(
    `insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado, "versaoConsentimento", "confirmadoEm")
    select gen_random_uuid(), gen_random_uuid(), $1, 'Fulano', e, e, '0', 'Cidade Inventada ' || n % 60, 'SP', '1',
      case when n % 3 = 0 then now() end
    from generate_series(1, 3000) n, lateral (select 'n' || n || '@example.org' as e) email`,
    [slug],
  )
  await waitForBreakdown(await asAdministrator(), slug, 3_000)

  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  await expect(page.getByText(/3\.000 assinaturas contadas por cidade/)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Assinaturas por estado' }).getByRole('row')).toHaveCount(27)
  await expect(page.getByText('1 estado sem assinaturas')).toBeVisible()
  await expect(page.locator('.map')).toHaveCount(0)
  await expectNoHorizontalScroll(page)
  await page.setViewportSize({ width: 375, height: 740 })
  await screenshot(page, 'numeros-campanha-375')
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(page.getByRole('img', { name: /^Mapa do Brasil/ })).toBeVisible()
  await expect(page.getByText('CC BY 4.0')).toBeVisible()
  await screenshot(page, 'numeros-campanha-1280')
  await page.getByLabel('Por 100 mil habitantes').check()
  await expect(page.getByRole('img', { name: /100 mil/ })).toBeVisible()
  await page.getByText('Ver como tabela').first().click()
  await expect(page.getByRole('table', { name: 'Por hora, últimas 48 horas' }).getByRole('row')).toHaveCount(50)
  await expectAccessible(page)
  await page.goto('/admin/numeros')
  await expect(page.getByRole('table', { name: 'Campanhas em números' })).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'numeros-1280')
  await page.setViewportSize({ width: 320, height: 740 })
  await expectNoHorizontalScroll(page)
  await screenshot(page, 'numeros-320')
})

test('a projection of more than ten years is displayed as such', async ({ page }) => {
  const { slug } = await aCampaign('Campanha lenta', 600_000_000)
  await rows(
    `insert into signature_count_changes (campanha, estado, hora, n)
    select $1, 'SP', date_trunc('hour', now()) - h * interval '1 hour', 1 from unnest(array[2, 300]) h`,
    [slug],
  )
  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  await expect(page.getByText('No ritmo de agora, levaria mais de dez anos.')).toBeVisible()
  await expect(page.getByText('Sem assinaturas nas últimas 24 horas', { exact: false })).toHaveCount(0)
})

test('statistics refresh automatically without extending the session', async ({ page }) => {
  const { slug } = await aCampaign('Campanha viva')
  await page.clock.install()
  await openAsAdministrator(page, `/admin/numeros/${slug}`)
  await expect(page.getByText('1.000 de base + 0 assinaturas aqui')).toBeVisible()
  await expect(page.getByText('Sem assinaturas nas últimas 24 horas cheias, não há previsão.')).toBeVisible()
  await page.setViewportSize({ width: 375, height: 740 })
  await screenshot(page, 'numeros-vazia-375')
  await sign(slug)
  const requested = page.waitForRequest((request) => request.url().endsWith(`/api/admin/numeros/${slug}`))
  await page.clock.runFor(31_000)
  expect((await requested).headers()['x-por-si']).toBe('1')
  await expect(page.getByText('1.000 de base + 1 assinatura aqui')).toBeVisible()
})

test.describe('errors', () => {
  test.use({ expectedErrors: /status of (404|500)|ERR_FAILED/ })

  test('an unknown campaign and statistics that do not load show an error', async ({ page }) => {
    await openAsAdministrator(page, '/admin/numeros/nao-existe')
    await expect(page.getByRole('alert').filter({ hasText: 'Campanha não encontrada' })).toBeVisible()
    await page.route('**/api/admin/numeros', (route) => route.abort())
    await page.goto('/admin/numeros')
    await expect(page.getByText('Não foi possível carregar.')).toBeVisible({ timeout: 15_000 })
    await screenshot(page, 'numeros-falha-360')
    await page.unroute('**/api/admin/numeros')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByRole('table', { name: 'Campanhas em números' })).toBeVisible()
  })
})
