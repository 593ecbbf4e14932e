// The dashboard and the frame of the admin area: figures, to-do lines, menu, keyboard.
import type { Page } from '@playwright/test'
import type { Dashboard } from '#contract/admin/dashboard.ts'
import { asAdministrator, openAsAdministrator } from '#tests/e2e/admin.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aSignature } from '#tests/helpers/factories.ts'

const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })

/** Replaces parts of the real reply. */
async function changeReply(page: Page, change: Partial<Dashboard>): Promise<void> {
  await page.route('**/api/admin/painel', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as Dashboard), ...change } })
  })
}

// The page repeats its request, perhaps at the end of a test.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('shows the signatures of today with a chart for each campaign, then the areas and the status', {
  tag: '@quick',
}, async ({ page }) => {
  test.slow()
  await avoidBoundary('day', 60_000)
  const answer = await fetch(`${siteUrl()}/api/campaigns/juros/signatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aSignature()),
  })
  expect(answer.status).toBe(201)
  const { ask } = await asAdministrator()
  const signedToday = async () => (await ask<Dashboard>('GET', '/api/admin/painel')).signatures?.today ?? 0
  await expect.poll(signedToday).toBeGreaterThan(0)
  await openAsAdministrator(page, '/admin/dashboard')
  const today = page.locator('.figure').filter({ hasText: 'Assinaturas hoje' })
  await expect(today.locator('strong')).toHaveText(/^[1-9][\d.]*$/)
  await expect(page.getByRole('img', { name: /^Assinaturas por dia: .*, hoje [\d.]+\.$/ }).first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'O que fazer agora',
    'Campanhas em 7 dias',
    'Áreas',
    'Status do sistema',
  ])
  const disabled = page.locator('.cards [aria-disabled]')
  await expect(disabled).toContainText('Configurações')
  await expect(disabled).toContainText('Em breve')
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await screenshot(page, 'painel-numeros')
})

test('to-do lines link to the place where they can be done', async ({ page }) => {
  await changeReply(page, {
    todos: [
      { kind: 'emails-failing' },
      { kind: 'dead-deliveries', n: 3 },
      { kind: 'leaders-waiting', n: 12 },
      { kind: 'influencers-waiting', n: 1 },
      { kind: 'drafts', n: 1, campaign: { id: 7, titulo: 'Passe livre já' } },
    ],
  })
  await openAsAdministrator(page, '/admin/dashboard')
  const links = page.getByRole('region', { name: 'O que fazer agora' }).getByRole('link')
  await expect(links).toHaveText([
    'Os e-mails não estão saindo',
    '3 entregas paradas',
    '12 líderes sem resposta',
    '1 influenciador sem resposta',
    'O rascunho “Passe livre já” espera para ir ao ar',
  ])
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(hrefs).toEqual([
    '/admin/sistema',
    '/admin/sistema',
    '/admin/pessoas/lideres?status=novo',
    '/admin/pessoas/influenciadores?status=novo',
    '/admin/campanhas/7',
  ])
  await links.nth(1).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sistema' })).toBeVisible()
})

test('with nothing to do it says so, and large numbers and long titles fit', async ({ page }) => {
  const byDay = [3, 250_000, 41_000, 0, 12, 118_345, 99_999].map((signatures, day) => ({
    day: `2026-11-1${day}`,
    signatures,
  }))
  const campaigns = Array.from({ length: 9 }, (_, n) => ({
    ...{
      slug: `c${n}`,
      titulo: `Campanha ${n} com um título bem comprido, Inconstitucionalissimamente`,
      isActive: n > 0,
    },
    ...{ signatures: 1_234_567, confirmed: 901_234, byDay },
  }))
  await changeReply(page, {
    todos: [],
    todosComplete: true,
    signatures: {
      ...{ today: 1_234_567, week: 9_876_543, yesterdayByNow: 1_000_000, weekAgoByNow: 3, untilHour: 15 },
      ...{ total: 12_345_678, confirmed: 6_172_839, campaigns },
    },
  })
  await openAsAdministrator(page, '/admin/dashboard')
  await expect(page.getByText('Tudo em dia.', { exact: false })).toBeVisible()
  await expect(page.getByText('23,5% a mais que ontem até as 16 h (1.000.000)')).toBeVisible()
  await expect(page.locator('.figure').filter({ hasText: 'Confirmadas por e-mail' })).toContainText('50%')
  await expect(page.locator('.campaign-figure')).toHaveCount(4)
  await page.getByRole('button', { name: 'Mostrar mais 5' }).click()
  await expect(page.locator('.campaign-figure')).toHaveCount(9)
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await screenshot(page, 'painel-grande')
})

test('a part that could not be read says so, and the others stay', async ({ page }) => {
  await changeReply(page, { signatures: null, unanswered: null, todos: [], todosComplete: false })
  await openAsAdministrator(page, '/admin/dashboard')
  await expect(page.locator('.figure').filter({ hasText: 'Sem dados agora' })).toHaveCount(5)
  await expect(page.locator('.figure').filter({ hasText: 'Conversas hoje' }).locator('strong')).toHaveText(/^\d+$/)
  await expect(page.getByText('as contagens não puderam ser lidas', { exact: false })).toBeVisible()
  await expect(page.getByText('pode haver mais a fazer', { exact: false })).toBeVisible()
  await expectAccessible(page)
})

test.describe('without a response', () => {
  test.use({ expectedErrors: /status of 503/ })

  test('the figures can be retried, and the areas stay reachable', async ({ page }) => {
    let isAway = true
    await page.route('**/api/admin/painel', (route) =>
      isAway ? route.fulfill({ status: 503, json: { success: false, message: 'Fora do ar.' } }) : route.continue(),
    )
    await openAsAdministrator(page, '/admin/dashboard')
    const failure = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Tentar de novo' }) })
    await expect(failure).toBeVisible()
    await expect(page.locator('.cards').getByRole('link', { name: 'Campanhas', exact: false })).toBeVisible()
    await expectAccessible(page)
    isAway = false
    await failure.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByText('Assinaturas hoje')).toBeVisible()
  })
})

test('with the keyboard the skip link leads to the content, and on a phone Esc closes the menu', async ({ page }) => {
  await openAsAdministrator(page, '/admin/equipe')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Pular para o conteúdo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Novo administrador' })).toBeFocused()

  const menu = page.getByRole('button', { name: 'Menu' })
  const places = page.getByRole('navigation', { name: 'Administração' })
  if (await menu.isVisible()) {
    await expect(page.locator('.area-place')).toHaveText('Equipe')
    await expect(places).toBeHidden()
    await menu.focus()
    await page.keyboard.press('Enter')
    await expect(places).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(places).toBeHidden()
    await expect(menu).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await expect(places.getByRole('list', { name: 'Mobilização' }).getByRole('link')).not.toHaveCount(0)
  await expect(places.locator('[aria-current=page]')).toHaveText('Equipe')
  await places.getByRole('link', { name: 'Registro' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Registro' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
