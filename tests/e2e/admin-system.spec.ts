// The system page: failed deliveries, stored e-mails, and the display without a response of the server.
import type { Page } from '@playwright/test'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aSignature } from '#tests/helpers/factories.ts'

const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })

test('a failed delivery is displayed with its reason and can be sent again', { tag: '@quick' }, async ({ page }) => {
  test.slow()
  const reason = 'O servidor de e-mail não respondeu em oito tentativas.'
  await rows(
    `insert into outbox (kind, payload, attempts, dead, reason) select 'prova-parada', to_jsonb(n), 8, true, $1 from generate_series(1, 3) n`,
    [reason],
  )
  await openAsAdministrator(page, '/admin/dashboard')
  const panel = page.getByRole('region', { name: 'Status do sistema' })
  await expect(panel.getByText('3 paradas')).toBeVisible()
  await expect(panel.getByText('Nenhum servidor SMTP configurado', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'painel-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, 'painel-1280')
  await panel.getByRole('link', { name: 'Ver entregas, e-mails e falhas' }).click()

  const failedDeliveries = page.getByRole('region', { name: 'Entregas paradas' })
  await expect(failedDeliveries.getByRole('row').filter({ hasText: reason })).toHaveCount(3)
  await expectAccessible(page)
  await screenshot(page, 'sistema-1280')
  await failedDeliveries
    .getByRole('button', { name: /^Reenviar a entrega/ })
    .first()
    .click()
  await expect(page.getByText('A entrega voltou para a fila.')).toBeVisible()
  await expect(failedDeliveries.getByRole('row').filter({ hasText: reason })).toHaveCount(2)
  await expect(failedDeliveries.getByRole('heading')).toBeFocused()
  await failedDeliveries.getByRole('button', { name: 'Reenviar todas (2)' }).click()
  await expect(page.getByText('2 entregas voltaram para a fila.')).toBeVisible()
  await expect(failedDeliveries.getByText('Nenhuma entrega parada.')).toBeVisible()
  expect(await rows(`select 1 from outbox where kind = 'prova-parada' and not dead`)).toHaveLength(3)
  await rows(`delete from outbox where kind = 'prova-parada'`)

  for (const action of ['Reenviou entrega parada', 'Reenviou todas as entregas paradas']) {
    await page.goto(`/admin/registro?pessoa=admin&tipo=${encodeURIComponent(action)}`)
    await expect(page.getByRole('row').filter({ hasText: action }).first()).toBeVisible()
  }
})

test('a closed form for leaders is displayed with the missing setting', async ({ page }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  const part = page.locator('.parts > div').filter({ hasText: 'Formulário de líderes' })
  await expect(part).toContainText('Em ordem')
  await page.route('**/api/admin/sistema', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), leaderForm: 'closed' } })
  })
  await page.reload()
  await expect(part).toContainText('Atenção')
  await expect(part).toContainText('Defina DATA_KEY')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})

test('settings with sample values are listed until they are replaced', async ({ page }) => {
  await openAsAdministrator(page, '/admin/sistema')
  const list = page.getByRole('region', { name: 'Dados de exemplo para trocar' })
  await expect(list.getByRole('listitem').filter({ hasText: 'contato.whatsapp' })).toContainText('5500000000000')
  await expect(list.getByRole('listitem').filter({ hasText: 'deputado.nome' })).toContainText('Fulano de Tal')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await page.route('**/api/admin/sistema', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), sampleSettings: [] } })
  })
  await page.reload()
  await expect(page.getByText('Nenhum dado de exemplo.')).toBeVisible()
  await expect(list).toHaveCount(0)
})

test('a stored e-mail is displayed as its reader would see it, without scripts or links', { tag: '@quick' }, async ({
  page,
}) => {
  test.slow()
  const signature = aSignature()
  const answer = await fetch(`${siteUrl()}/api/peticoes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signature),
  })
  expect(answer.status).toBe(201)
  const caller = await openAsAdministrator(page, '/admin/sistema')
  await expect
    .poll(async () => JSON.stringify(await caller.ask('GET', '/api/admin/sistema/emails')), { timeout: 20_000 })
    .toContain(signature.email)
  await page.reload()
  const openButton = page.getByRole('button', { name: `Abrir o e-mail para ${signature.email}` })
  const more = page.getByRole('button', { name: 'Ver mais' })
  await expect(openButton.or(more).first()).toBeVisible()
  while (!(await openButton.isVisible())) await more.click()
  await openButton.click()
  const dialog = page.getByRole('dialog')
  const frame = dialog.frameLocator('iframe')
  await expect(frame.getByText(signature.nome.split(' ')[0] ?? '', { exact: false }).first()).toBeVisible()
  await expect(dialog.locator('iframe')).toHaveAttribute('sandbox', 'allow-same-origin')
  const part = frame.locator('[data-style]').first()
  await expect.poll(() => part.evaluate((element: HTMLElement) => element.style.length)).toBeGreaterThan(0)
  await expect(frame.locator('a')).not.toHaveCount(0)
  await expect(frame.locator('a[href]')).toHaveCount(0)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-email-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await takeScreenshot(page, 'admin-email-1280')
  await dialog.getByLabel('Só o texto').check()
  await expect(dialog.locator('pre')).toContainText('http')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.getByRole('button', { name: `Abrir o e-mail para ${signature.email}` })).toBeFocused()
})

test('of many stored e-mails the newest are displayed, the others on request', async ({ page }) => {
  const emails = Array.from({ length: 13 }, (_, number) => ({
    ...{
      id: `prova-${number}`,
      to: `pessoa${number}@example.org`,
      subject: 'Confirme',
      sentAt: '2026-11-15T12:00:00Z',
    },
  }))
  await page.route('**/api/admin/sistema/emails', (route) => route.fulfill({ json: { success: true, emails } }))
  await openAsAdministrator(page, '/admin/sistema')
  const openButtons = page.getByRole('button', { name: /^Abrir o e-mail para/ })
  await expect(openButtons).toHaveCount(10)
  await page.getByRole('button', { name: 'Ver mais' }).click()
  await expect(openButtons).toHaveCount(13)
  await expect(openButtons.nth(10)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Ver mais' })).toHaveCount(0)
})

test.describe('without a response', () => {
  test.use({ expectedErrors: /ERR_FAILED|status of 503/ })

  test('no status is displayed, and it returns with the server', async ({ page }) => {
    test.slow()
    await page.route('**/api/admin/sistema', (route) => route.abort())
    await openAsAdministrator(page, '/admin/sistema')
    await expect(page.getByText('Não foi possível ler o status: o servidor ou o banco não respondeu.')).toBeVisible({
      timeout: 20_000,
    })
    await expect(page.getByText('Em ordem')).toHaveCount(0)
    await screenshot(page, 'sistema-falha-360')
    await page.unroute('**/api/admin/sistema')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByText('Em ordem').first()).toBeVisible()
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'sistema-360')
  })
})
