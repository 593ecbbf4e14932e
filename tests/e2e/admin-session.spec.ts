// Entering and leaving the admin area.
import { rmSync } from 'node:fs'
import { asAdministrator, credentials, logInOnPage, openAsAdministrator, pressLeave } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, open, test } from '#tests/e2e/visitor.ts'
import { startServer } from '#tests/helpers/server-process.ts'

test('with the right password one gets in, and out again for good', async ({ page }) => {
  await open(page, '/admin')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.screenshot({ path: `test-results/pictures/admin-login-${test.info().project.name}.png`, fullPage: true })
  await logInOnPage(page)

  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
  await expect(page.getByText('Em breve')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.screenshot({ path: `test-results/pictures/admin-painel-${test.info().project.name}.png`, fullPage: true })
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)

  await pressLeave(page)
  await expect(page).toHaveURL(/\/admin$/)
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  const answer = await page.request.get('/api/admin/sessao', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(/\/admin$/)
})

test.describe('what is refused', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED|ERR_INTERNET|dynamically imported|React Router/ })

  test('a wrong password is told so, and nothing that was typed is lost', async ({ page }) => {
    await open(page, '/admin')
    await logInOnPage(page, { ...credentials, password: 'nao-e-esta-senha' })
    await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await expect(page.getByLabel('Usuário')).toHaveValue(credentials.username)
  })

  test('without a network that is what is said', async ({ page }) => {
    await open(page, '/admin')
    await page.route('**/api/admin/login', (route) => route.abort())
    await logInOnPage(page)
    await expect(page.getByText('Erro de conexão. Verifique sua internet.')).toBeVisible()
  })

  test('a page that has not come yet says that there is no network, and comes when there is one', async ({
    page,
    context,
  }) => {
    await openAsAdministrator(page, '/admin/dashboard')
    await context.setOffline(true)
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await expect(page.getByRole('heading', { name: 'Sem conexão com a internet' })).toBeVisible()
    await expectAccessible(page)
    const retry = page.getByRole('button', { name: 'Tentar de novo' })
    await retry.click()
    await expect(retry).toBeVisible()
    await context.setOffline(false)
    await retry.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Registro' })).toBeVisible()
  })

  test('a session that has ended leads to the login with a sentence, and back to the same page', async ({ page }) => {
    const { ask } = await openAsAdministrator(page, '/admin/dashboard?x=1')
    // What the page still asks for would find out before it is loaded again.
    await page.waitForLoadState('networkidle')
    await ask('POST', '/api/admin/logout')
    await page.reload()
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    await logInOnPage(page)
    await expect(page).toHaveURL(/\/admin\/dashboard\?x=1$/)
  })
})

test('leaving in one tab is leaving in all', async ({ page, context }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.evaluate(() => localStorage.removeItem('admin_token'))
  await expect(page).toHaveURL(/\/admin$/)
})

test('who enters in a tab that another one has closed finds nothing of who was there before', async ({
  page,
  context,
}) => {
  const next = { username: `fulana.${Date.now()}`, password: 'uma-senha-bem-longa' }
  const { ask } = await openAsAdministrator(page, '/admin/dashboard')
  await ask('POST', '/api/admin/equipe', { ...next, email: `${next.username}@example.org` })
  const name = page.locator('.whoever span')
  await expect(name).toHaveText(credentials.username)
  const other = await context.newPage()
  await open(other, '/admin/dashboard')
  await pressLeave(other)
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible()

  await logInOnPage(page, next)

  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(name).toHaveText(next.username)
})

test('diagnosis and set-up are within reach of who cannot get in', async ({ page }) => {
  await open(page, '/admin')
  await page.getByText('Problemas para entrar?').click()
  await page.getByRole('button', { name: 'Verificar sistema' }).click()
  await expect(page.getByText('O sistema admin está configurado.')).toBeVisible()
  await page.getByRole('button', { name: 'Configuração inicial' }).click()
  await expect(page.getByText('Já existe um administrador. Nada foi alterado.')).toBeVisible()
  await expectAccessible(page)
  await asAdministrator()
})

test.describe('a diagnosis or set-up that fails', () => {
  test.use({ expectedErrors: /status of 500/ })

  test('is told in one sentence, whatever the server says', async ({ page }) => {
    const failure = { status: 500, json: { success: false, message: 'Uma frase do servidor.' } }
    for (const path of ['diagnostico', 'setup'])
      await page.route(`**/api/admin/${path}`, (route) => route.fulfill(failure))
    await open(page, '/admin')
    await page.getByText('Problemas para entrar?').click()
    const told = page.locator('.first-aid').getByRole('status')
    await page.getByRole('button', { name: 'Verificar sistema' }).click()
    await expect(told).toHaveText('Erro ao verificar sistema admin')
    await page.getByRole('button', { name: 'Configuração inicial' }).click()
    await expect(told).toHaveText('Erro ao configurar admin')
  })
})

test('the credentials in the terminal of a first start open the area', async ({ browser }) => {
  // A server starts for the first time meanwhile.
  test.setTimeout(90_000)
  const server = await startServer()
  try {
    const [, username = '', password = ''] = /usuário (\S+), senha (\S+)/.exec(server.output()) ?? []
    expect(password.length).toBeGreaterThan(9)
    const page = await browser.newPage()
    await page.goto(`${server.url}/admin`)
    await logInOnPage(page, { username, password })
    await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
    await page.close()
  } finally {
    await server.stop()
    rmSync(server.dataDir, { recursive: true, force: true })
  }
})

test('nobody can show the area in a frame, and no part of it is on the public pages', async ({ page, request }) => {
  const { headers } = { headers: (await request.get('/admin')).headers() }
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const scripts: string[] = []
  page.on('request', (asked) => asked.resourceType() === 'script' && scripts.push(asked.url()))
  await open(page, '/peticao')
  expect(scripts.filter((url) => url.includes('/admin'))).toEqual([])
})
