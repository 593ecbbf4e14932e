// Entering and leaving the admin area.
import { rmSync } from 'node:fs'
import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  asAdministrator,
  credentials,
  expectEnded,
  logInOnPage,
  openAsAdministrator,
  openMenu,
  pressLeave,
} from '#tests/e2e/admin.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  holdBack,
  open,
  siteUrl,
  takePicture,
  test,
} from '#tests/e2e/visitor.ts'
import { startServer } from '#tests/helpers/server-process.ts'

/** A way to the site on which what is sent arrives late, and never if it was called off meanwhile. */
async function slowWay(): Promise<{ url: string; server: Server }> {
  const server = createServer((asked, answer) => {
    const { method, headers, url = '' } = asked
    const passOn = () => {
      if (asked.socket.destroyed) return
      const passed = ask(siteUrl() + url, { method, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(answer)
      })
      asked.pipe(passed)
    }
    setTimeout(passOn, method === 'POST' ? 1000 : 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('with the right password one gets in, and out again for good', { tag: '@quick' }, async ({ page }) => {
  await open(page, '/admin')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await takePicture(page, `admin-login-${test.info().project.name}`, { fullPage: true })
  await logInOnPage(page)

  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
  await expect(page.getByText('Em breve')).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await takePicture(page, `admin-painel-${test.info().project.name}`, { fullPage: true })
  const token = await page.evaluate(() => localStorage.getItem('admin_token'))
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)

  await pressLeave(page)
  await expect(page).toHaveURL(/\/admin$/)
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  await expectEnded(String(token))
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL(/\/admin$/)
})

test.describe('what is refused', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED|ERR_INTERNET|dynamically imported|React Router/ })

  test('a wrong password is told so, and nothing that was typed is lost', { tag: '@quick' }, async ({ page }) => {
    await open(page, '/admin')
    await logInOnPage(page, { ...credentials, password: 'nao-e-esta-senha' })
    await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await expect(page.getByLabel('Usuário')).toHaveValue(credentials.username)
  })

  test('what is missing is said once, in its own field', async ({ page }) => {
    await open(page, '/admin')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByText('Informe o usuário.')).toHaveCount(1)
    await expect(page.getByText('Informe a senha.')).toHaveCount(1)
    await expect(page.getByLabel('Usuário')).toBeFocused()
    await expectAccessible(page)
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
    await expectNoSidewaysScroll(page)
    await takePicture(page, `admin-sem-rede-${test.info().project.name}`)
    const retry = page.getByRole('button', { name: 'Tentar de novo' })
    await retry.click()
    await expect(retry).toBeVisible()
    await context.setOffline(false)
    await retry.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Registro' })).toBeVisible()
  })

  test('a page that does not come leaves the menu, and the other pages within reach', async ({ page }) => {
    await page.route('**/assets/admin-deeds-page*.js', (route) => route.abort())
    await openAsAdministrator(page, '/admin/dashboard')
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await expect(page.getByRole('heading', { name: 'Algo deu errado nesta página' })).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `admin-problema-${test.info().project.name}`)

    const menu = await openMenu(page)
    await menu.getByRole('link', { name: 'Equipe' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
  })

  test('on a network that swallows everything it is said after a while that there is none', async ({ page }) => {
    await page.clock.install()
    await page.route('**/assets/admin-deeds-page*.js', (route) => route.abort())
    await openAsAdministrator(page, '/admin/dashboard')
    const asked = page.waitForRequest((request) => request.method() === 'HEAD')
    await holdBack(page, '/admin', 'HEAD')
    await page.getByRole('main').getByRole('link', { name: 'Registro' }).click()
    await asked

    await page.clock.fastForward(11_000)

    await expect(page.getByRole('heading', { name: 'Sem conexão com a internet' })).toBeVisible()
  })

  test('a session that has ended leads to the login with a sentence, and back to the same page', {
    tag: '@quick',
  }, async ({ page }) => {
    const { ask } = await openAsAdministrator(page, '/admin/dashboard?x=1')
    // What the page still asks for would find out before it is loaded again.
    await page.waitForLoadState('networkidle')
    await ask('POST', '/api/admin/logout')
    await page.reload()
    // What was on the screen is gone, and the focus with it: the sentence is read to who does not see it.
    await expect(page.getByText('Sua sessão terminou.')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Usuário')).toBeFocused()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    await logInOnPage(page)
    await expect(page).toHaveURL(/\/admin\/dashboard\?x=1$/)
  })
})

test('who closes the tab right after leaving is out on the server too', async ({ newVisitor }) => {
  const { token } = await asAdministrator()
  const { url, server } = await slowWay()
  const page = await newVisitor({ baseURL: url })
  await page.addInitScript((given) => localStorage.setItem('admin_token', given), token)
  await open(page, `${url}/admin/dashboard`)

  await pressLeave(page)
  await page.close()

  await expectEnded(token)
  server.close()
  server.closeAllConnections()
})

test.describe('without a network', () => {
  test.use({ expectedErrors: /ERR_INTERNET/ })

  test('who leaves is out at once, and on the server when the network is back', async ({ page, context }) => {
    const { token } = await openAsAdministrator(page, '/admin/dashboard')
    await context.setOffline(true)
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/logout'))
    await pressLeave(page)
    await expect(page).toHaveURL(/\/admin$/)
    await lost

    await context.setOffline(false)

    await expectEnded(token)
  })
})

test.describe('a browser that keeps nothing', () => {
  test.use({ expectedErrors: /status of 401/ })

  test('lets in for as long as the tab is open, and loses nothing that was typed', async ({ page }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse })
    })
    await open(page, '/admin')
    const entered = page.waitForResponse('**/api/admin/login')
    await logInOnPage(page)
    const { token } = (await (await entered).json()) as { token: string }
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

test('leaving in one tab is leaving in all', async ({ page, context }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.evaluate(() => localStorage.removeItem('admin_token'))
  await expect(page).toHaveURL(/\/admin$/)
})

test('a page that comes back as it was left has heard what another tab did meanwhile', async ({ page }) => {
  await openAsAdministrator(page, '/admin/dashboard')
  // The browser under test keeps no page aside; one that does tells the page nothing but that it is shown again.
  await page.evaluate(() => {
    localStorage.removeItem('admin_token')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
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

test('the credentials in the terminal of a first start open the area', async ({ newVisitor }) => {
  // A server starts for the first time meanwhile.
  test.setTimeout(90_000)
  const server = await startServer()
  try {
    const [, username = '', password = ''] = /usuário (\S+), senha (\S+)/.exec(server.output()) ?? []
    expect(password.length).toBeGreaterThan(9)
    const page = await newVisitor({ baseURL: server.url })
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
