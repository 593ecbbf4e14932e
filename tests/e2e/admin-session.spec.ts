// Login and logout of the admin area.
import { rmSync } from 'node:fs'
import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  asAdministrator,
  credentials,
  expectSessionEnded,
  logInOnPage,
  openAsAdministrator,
  openMenu,
  pressLogout,
} from '#tests/e2e/admin.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { startServer } from '#tests/helpers/server-process.ts'

/** A proxy to the site that delays POST requests, and drops those that were aborted meanwhile. */
async function startSlowProxy(): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const forward = () => {
      if (incoming.socket.destroyed) return
      const forwarded = ask(siteUrl() + url, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(outgoing)
      })
      incoming.pipe(forwarded)
    }
    setTimeout(forward, method === 'POST' ? 1000 : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('the right password logs in, and a logout ends the session', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/admin')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, `admin-login-${test.info().project.name}`, { fullPage: true })
  await logInOnPage(page)

  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
  await expect(page.getByText('Em breve')).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, `admin-painel-${test.info().project.name}`, { fullPage: true })
  const stored = await page.evaluate(() => Object.entries({ ...localStorage, ...sessionStorage }))
  const token = Object.fromEntries(stored).admin_token
  const holders = stored.filter(([, value]) => value.includes(String(token))).map(([name]) => name)
  expect(holders).toEqual(['admin_token'])
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)

  await pressLogout(page)
  await expect(page).toHaveURL(/\/admin$/)
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  await expectSessionEnded(String(token))
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(/\/admin$/)
})

test.describe('failures', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED|ERR_INTERNET|dynamically imported|React Router/ })

  test('a wrong password shows an error and keeps the username', { tag: '@quick' }, async ({ page }) => {
    await open(page, '/admin')
    await logInOnPage(page, { ...credentials, password: 'nao-e-esta-senha' })
    await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await expect(page.getByLabel('Usuário')).toHaveValue(credentials.username)
  })

  test('a missing field shows one error at the field', async ({ page }) => {
    await open(page, '/admin')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByText('Informe o usuário.')).toHaveCount(1)
    await expect(page.getByText('Informe a senha.')).toHaveCount(1)
    await expect(page.getByLabel('Usuário')).toBeFocused()
    await expectAccessible(page)
  })

  test('without a network the login shows a connection error', async ({ page }) => {
    await open(page, '/admin')
    await page.route('**/api/admin/login', (route) => route.abort())
    await logInOnPage(page)
    await expect(page.getByText('Erro de conexão. Verifique sua internet.')).toBeVisible()
  })

  test('a page that cannot load offline says so, and loads with a retry', async ({ page, context }) => {
    await openAsAdministrator(page, '/admin/dashboard')
    await context.setOffline(true)
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await expect(page.getByRole('heading', { name: 'Sem conexão com a internet' })).toBeVisible()
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `admin-sem-rede-${test.info().project.name}`)
    const retry = page.getByRole('button', { name: 'Tentar de novo' })
    await retry.click()
    await expect(retry).toBeVisible()
    await context.setOffline(false)
    await retry.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Registro' })).toBeVisible()
  })

  test('a page that fails to load keeps the menu and the other pages usable', async ({ page }) => {
    await page.route('**/assets/admin-audit-log-page*.js', (route) => route.abort())
    await openAsAdministrator(page, '/admin/dashboard')
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await expect(page.getByRole('heading', { name: 'Algo deu errado nesta página' })).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `admin-problema-${test.info().project.name}`)

    const menu = await openMenu(page)
    await menu.getByRole('link', { name: 'Equipe' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
  })

  test('a network that drops everything is reported as offline after a timeout', async ({ page }) => {
    await page.clock.install()
    await page.route('**/assets/admin-audit-log-page*.js', (route) => route.abort())
    await openAsAdministrator(page, '/admin/dashboard')
    const requested = page.waitForRequest((request) => request.method() === 'HEAD')
    await holdRequests(page, '/admin', 'HEAD')
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await requested

    await page.clock.fastForward(11_000)

    await expect(page.getByRole('heading', { name: 'Sem conexão com a internet' })).toBeVisible()
  })

  test('an ended session leads to the login with a message, and back to the same page', {
    tag: '@quick',
  }, async ({ page }) => {
    const { ask } = await openAsAdministrator(page, '/admin/dashboard?x=1')
    // Pending requests of the page would detect the end of the session before the reload.
    await page.waitForLoadState('networkidle')
    await ask('POST', '/api/admin/logout')
    await page.reload()
    // The focused element is gone, so the message gets the focus for screen readers.
    await expect(page.getByText('Sua sessão terminou.')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Usuário')).toBeFocused()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    await logInOnPage(page)
    await expect(page).toHaveURL(/\/admin\/dashboard\?x=1$/)
  })
})

test('a logout reaches the server when the tab is closed right after it', async ({ newVisitor }) => {
  const { token } = await asAdministrator()
  const { url, server } = await startSlowProxy()
  const page = await newVisitor({ baseURL: url })
  await page.addInitScript((value) => localStorage.setItem('admin_token', value), token)
  await open(page, `${url}/admin/dashboard`)

  await pressLogout(page)
  await page.close()

  await expectSessionEnded(token)
  server.close()
  server.closeAllConnections()
})

test.describe('without a network', () => {
  test.use({ expectedErrors: /ERR_INTERNET/ })

  test('a logout works at once, and on the server when the network is back', async ({ page, context }) => {
    const { token } = await openAsAdministrator(page, '/admin/dashboard')
    await context.setOffline(true)
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/logout'))
    await pressLogout(page)
    await expect(page).toHaveURL(/\/admin$/)
    await lost

    await context.setOffline(false)

    await expectSessionEnded(token)
  })
})

test.describe('a browser without storage', () => {
  test.use({ expectedErrors: /status of 401/ })

  test('keeps the session while the tab is open, and loses no typed text', async ({ page }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse })
    })
    await open(page, '/admin')
    const loginResponse = page.waitForResponse('**/api/admin/login')
    await logInOnPage(page)
    const { token } = (await (await loginResponse).json()) as { token: string }
    await page.getByRole('main').getByRole('link', { name: 'Campanhas' }).click()
    await page.getByRole('link', { name: 'Nova campanha' }).click()
    const drawn = page.waitForResponse(/\/cartao\?/)
    await page.getByLabel('Título *', { exact: true }).fill('Escrito sem guardar')
    await expect(page.getByText('Endereço disponível')).toBeVisible()
    await drawn

    await page.request.post('/api/admin/logout', { headers: { authorization: `Bearer ${token}` } })
    await page.getByLabel('Endereço da página').fill('outro-endereco')
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)
    await expect(page.getByLabel('Título *', { exact: true })).toHaveValue('Escrito sem guardar')

    await page.reload()
    await expect(page.getByLabel('Senha')).toBeVisible()
  })
})

test('a logout in one tab is a logout in all', async ({ page, context }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.evaluate(() => localStorage.removeItem('admin_token'))
  await expect(page).toHaveURL(/\/admin$/)
})

test('a page restored from the back/forward cache notices a logout in another tab', async ({ page }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  // The tested browser has no back/forward cache, so the test dispatches the event of a restored page.
  await page.evaluate(() => {
    localStorage.removeItem('admin_token')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
})

test('a login in a tab whose session ended shows nothing of the previous user', async ({ page, context }) => {
  const next = { username: `fulana.${crypto.randomUUID().slice(0, 8)}`, password: 'uma-senha-bem-longa' }
  const { ask } = await openAsAdministrator(page, '/admin/dashboard')
  await ask('POST', '/api/admin/equipe', { ...next, email: `${next.username}@example.org` })
  const name = page.locator('.user-menu span')
  await expect(name).toHaveText(credentials.username)
  const other = await context.newPage()
  await open(other, '/admin/dashboard')
  await pressLogout(other)
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible()

  await logInOnPage(page, next)

  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(name).toHaveText(next.username)
})

test('diagnosis and setup are available without a login', async ({ page }) => {
  await open(page, '/admin')
  await page.getByText('Problemas para entrar?').click()
  await page.getByRole('button', { name: 'Verificar sistema' }).click()
  await expect(page.getByText('O sistema admin está configurado.')).toBeVisible()
  await page.getByRole('button', { name: 'Configuração inicial' }).click()
  await expect(page.getByText('Já existe um administrador. Nada foi alterado.')).toBeVisible()
  await expectAccessible(page)
  await asAdministrator()
})

test.describe('a diagnosis or setup that fails', () => {
  test.use({ expectedErrors: /status of 500/ })

  test('shows a fixed message, whatever the server sends', async ({ page }) => {
    const failure = { status: 500, json: { success: false, message: 'Uma frase do servidor.' } }
    for (const path of ['diagnostico', 'setup'])
      await page.route(`**/api/admin/${path}`, (route) => route.fulfill(failure))
    await open(page, '/admin')
    await page.getByText('Problemas para entrar?').click()
    const result = page.locator('.first-aid').getByRole('status')
    await page.getByRole('button', { name: 'Verificar sistema' }).click()
    await expect(result).toHaveText('Erro ao verificar sistema admin')
    await page.getByRole('button', { name: 'Configuração inicial' }).click()
    await expect(result).toHaveText('Erro ao configurar admin')
  })
})

test('the credentials in the output of the first start can log in, and the password is replaced', async ({
  newVisitor,
}) => {
  // Starts a new server.
  test.setTimeout(90_000)
  const server = await startServer()
  try {
    const [, username = '', password = ''] = /usuário (\S+), senha (\S+)/.exec(server.output()) ?? []
    expect(password.length).toBeGreaterThan(9)
    const page = await newVisitor({ baseURL: server.url })
    await page.goto(`${server.url}/admin`)
    await logInOnPage(page, { username, password })
    await page.getByLabel('Senha que você recebeu').fill(password)
    for (const label of [/^Nova senha/, /^Repita/]) await page.getByLabel(label).fill('uma-frase-bem-comprida')
    await page.getByRole('button', { name: 'Salvar e continuar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
    await page.close()
  } finally {
    await server.stop()
    rmSync(server.dataDir, { recursive: true, force: true })
  }
})

test('no page can frame the admin area, and public pages load none of its scripts', async ({ page, request }) => {
  const { headers } = { headers: (await request.get('/admin')).headers() }
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const scripts: string[] = []
  page.on('request', (sent) => sent.resourceType() === 'script' && scripts.push(sent.url()))
  await open(page, '/peticao')
  expect(scripts.filter((url) => url.includes('/admin'))).toEqual([])
})
