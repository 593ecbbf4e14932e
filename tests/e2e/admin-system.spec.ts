// The status of the system: a delivery that got stuck and is sent again, e-mails that stayed here, and what is told when nothing is known.
import type { Page } from '@playwright/test'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, siteUrl, takePicture, test } from '#tests/e2e/visitor.ts'
import { aSignature } from '#tests/helpers/factories.ts'

const picture = (page: Page, name: string) => takePicture(page, `admin-${name}`, { fullPage: true })

test('a parked delivery is seen with its reason, and sent again', { tag: '@quick' }, async ({ page }) => {
  test.slow()
  const reason = 'O servidor de e-mail não respondeu em oito tentativas.'
  await rows(
    `insert into outbox (tipo, dados, tentativas, parada, motivo) select 'prova-parada', to_jsonb(n), 8, true, $1 from generate_series(1, 3) n`,
    [reason],
  )
  await openAsAdministrator(page, '/admin/dashboard')
  const panel = page.getByRole('region', { name: 'Status do sistema' })
  await expect(panel.getByText('3 paradas')).toBeVisible()
  await expect(panel.getByText('Nenhum servidor SMTP configurado', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'painel-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await picture(page, 'painel-1280')
  await panel.getByRole('link', { name: 'Ver entregas, e-mails e falhas' }).click()

  const parked = page.getByRole('region', { name: 'Entregas paradas' })
  await expect(parked.getByRole('row').filter({ hasText: reason })).toHaveCount(3)
  await expectAccessible(page)
  await picture(page, 'sistema-1280')
  await parked
    .getByRole('button', { name: /^Reenviar a entrega/ })
    .first()
    .click()
  await expect(page.getByText('A entrega voltou para a fila.')).toBeVisible()
  await expect(parked.getByRole('row').filter({ hasText: reason })).toHaveCount(2)
  await expect(parked.getByRole('heading')).toBeFocused()
  await parked.getByRole('button', { name: 'Reenviar todas (2)' }).click()
  await expect(page.getByText('2 entregas voltaram para a fila.')).toBeVisible()
  await expect(parked.getByText('Nenhuma entrega parada.')).toBeVisible()
  expect(await rows(`select 1 from outbox where tipo = 'prova-parada' and not parada`)).toHaveLength(3)
  await rows(`delete from outbox where tipo = 'prova-parada'`)

  await page.goto('/admin/registro?pessoa=admin')
  await expect(page.getByRole('row').filter({ hasText: 'Reenviou entrega parada' }).first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Reenviou todas as entregas paradas' }).first()).toBeVisible()
})

test('a leaders’ form that is closed is told, with what to set', async ({ page }) => {
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
  await expectNoSidewaysScroll(page)
})

test('settings that still hold sample values are listed, and gone from the list once they are replaced', async ({
  page,
}) => {
  await openAsAdministrator(page, '/admin/sistema')
  const list = page.getByRole('region', { name: 'Dados de exemplo para trocar' })
  await expect(list.getByRole('listitem').filter({ hasText: 'contato.whatsapp' })).toContainText('5500000000000')
  await expect(list.getByRole('listitem').filter({ hasText: 'deputado.nome' })).toContainText('Fulano de Tal')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.route('**/api/admin/sistema', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), sampleSettings: [] } })
  })
  await page.reload()
  await expect(page.getByText('Nenhum dado de exemplo.')).toBeVisible()
  await expect(list).toHaveCount(0)
})

test('an e-mail that stayed here is opened as its reader would see it, and can do nothing', { tag: '@quick' }, async ({
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
  const itself = page.getByRole('button', { name: `Abrir o e-mail para ${signature.email}` })
  const more = page.getByRole('button', { name: 'Ver mais' })
  await expect(itself.or(more).first()).toBeVisible()
  while (!(await itself.isVisible())) await more.click()
  await itself.click()
  const dialog = page.getByRole('dialog')
  const frame = dialog.frameLocator('iframe')
  await expect(frame.getByText(signature.nome.split(' ')[0] ?? '', { exact: false }).first()).toBeVisible()
  await expect(dialog.locator('iframe')).toHaveAttribute('sandbox', 'allow-same-origin')
  const part = frame.locator('[data-style]').first()
  await expect.poll(() => part.evaluate((element: HTMLElement) => element.style.length)).toBeGreaterThan(0)
  await expect(frame.locator('a')).not.toHaveCount(0)
  await expect(frame.locator('a[href]')).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await takePicture(page, 'admin-email-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await takePicture(page, 'admin-email-1280')
  await dialog.getByLabel('Só o texto').check()
  await expect(dialog.locator('pre')).toContainText('http')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Fechar' }).click()
  await expect(page.getByRole('button', { name: `Abrir o e-mail para ${signature.email}` })).toBeFocused()
})

test('of many e-mails that stayed here the newest are shown, the others on request', async ({ page }) => {
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
  const ways = page.getByRole('button', { name: /^Abrir o e-mail para/ })
  await expect(ways).toHaveCount(10)
  await page.getByRole('button', { name: 'Ver mais' }).click()
  await expect(ways).toHaveCount(13)
  await expect(ways.nth(10)).toBeFocused()
  await expect(page.getByRole('button', { name: 'Ver mais' })).toHaveCount(0)
})

test.describe('without an answer', () => {
  test.use({ expectedErrors: /ERR_FAILED|status of 503/ })

  test('nothing is claimed, and it comes back with the server', async ({ page }) => {
    test.slow()
    await page.route('**/api/admin/sistema', (route) => route.abort())
    await openAsAdministrator(page, '/admin/sistema')
    await expect(page.getByText('Não foi possível ler o status: o servidor ou o banco não respondeu.')).toBeVisible({
      timeout: 20_000,
    })
    await expect(page.getByText('Em ordem')).toHaveCount(0)
    await picture(page, 'sistema-falha-360')
    await page.unroute('**/api/admin/sistema')
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByText('Em ordem').first()).toBeVisible()
    await expectNoSidewaysScroll(page)
    await picture(page, 'sistema-360')
  })
})
