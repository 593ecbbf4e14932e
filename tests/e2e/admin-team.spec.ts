// Administrator accounts: creation, passwords, deactivation; and the audit log.
import type { Locator, Page } from '@playwright/test'
import { asAdministrator, expectIncompleteDateCleared, logInOnPage, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

/** The dialog stays open after Escape and a click outside. */
async function expectStaysOpen(page: Page, dialog: Locator): Promise<void> {
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Fechar' })).toHaveCount(0)
}

async function changeGeneratedPassword(page: Page, given: { password: string; ownPassword: string }): Promise<void> {
  await page.getByLabel('Senha que você recebeu').fill(given.password)
  for (const label of [/^Nova senha/, /^Repita/]) await page.getByLabel(label).fill(given.ownPassword)
  await page.getByRole('button', { name: 'Salvar e continuar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
}

/** A unique name per test: tests run in parallel. */
let nameCount = 0
const aName = () => `fulana.${process.pid}.${++nameCount}`

test('a new administrator logs in with a password that is displayed once, and changes it', { tag: '@quick' }, async ({
  page,
  newVisitor,
}) => {
  test.slow()
  const username = aName()
  await openAsAdministrator(page, '/admin/equipe')
  await page.getByRole('button', { name: 'Novo administrador' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo administrador' })
  await dialog.getByRole('button', { name: 'Criar' }).click()
  await expect(dialog.getByText('Informe um usuário', { exact: false }).first()).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'equipe-erros-360')
  await dialog.getByLabel('Usuário').fill(username)
  await dialog.getByLabel('E-mail').fill(`${username}@example.org`)
  await dialog.getByLabel('Papel').selectOption('Coordenação')
  await dialog.getByRole('button', { name: 'Criar' }).click()

  const passwordShown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
  await expect(passwordShown).toBeVisible()
  await expectAccessible(page)
  const password = String(await passwordShown.locator('.generated-password').textContent())
  await expectStaysOpen(page, passwordShown)
  await passwordShown.getByRole('button', { name: 'Já anotei' }).click()
  await expect(page.getByText(password)).toHaveCount(0)
  await expect(rowOf(page, username)).toContainText('Ativo')
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await screenshot(page, 'equipe-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, 'equipe-1280')

  const memberPage = await newVisitor({ expectedErrors: /status of 400/ })
  await memberPage.goto('/admin/equipe')
  await logInOnPage(memberPage, { username, password })
  await changeGeneratedPassword(memberPage, { password, ownPassword: 'a-primeira-senha-propria' })
  const otherSession = await asAdministrator({ username, password: 'a-primeira-senha-propria' })
  await memberPage.goto('/admin/conta')
  await memberPage.getByRole('button', { name: 'Trocar minha senha' }).click()
  const passwordDialog = memberPage.getByRole('dialog', { name: 'Trocar minha senha' })
  await passwordDialog.getByLabel('Senha atual').fill('nao-e-esta-senha')
  await passwordDialog.getByLabel(/^Nova senha/).fill('uma-senha-bem-longa')
  await passwordDialog.getByLabel('Repita a nova senha').fill('uma-senha-bem-longa')
  await passwordDialog.getByRole('button', { name: 'Trocar' }).click()
  await expect(passwordDialog.getByText('A senha atual não confere').first()).toBeVisible()
  await expectAccessible(memberPage)
  await screenshot(memberPage, 'conta-trocar-senha-360')
  await passwordDialog.getByLabel('Senha atual').fill('a-primeira-senha-propria')
  await passwordDialog.getByRole('button', { name: 'Mostrar senha' }).click()
  await expect(passwordDialog.getByLabel(/^Nova senha/)).toHaveAttribute('type', 'text')
  await passwordDialog.getByRole('button', { name: 'Trocar' }).click()
  await expect(memberPage.getByText('Senha trocada. As suas outras sessões terminaram.')).toBeVisible()
  await expect(memberPage.getByRole('button', { name: 'Trocar minha senha' })).toBeFocused()
  await expect(otherSession.ask('GET', '/api/admin/sessao')).rejects.toThrow('401')
  // This browser is still known. A token that is not would be replaced.
  const device = await memberPage.evaluate(() => localStorage.getItem('admin_device'))
  const login = await memberPage.request.post('/api/admin/login', {
    data: { username, password: 'uma-senha-bem-longa', device },
  })
  expect(await login.json()).toMatchObject({ success: true, device })
  await memberPage.close()

  await page.goto(`/admin/registro?pessoa=${username}`)
  await expect(page.getByRole('row').filter({ hasText: 'Trocou a própria senha' })).toHaveCount(2)
  await expect(page.getByRole('row').filter({ hasText: 'Senha recusada no login' })).toContainText('1 vez')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await page.getByLabel('O que foi feito').selectOption('Criou administrador')
  await expect(
    page.getByRole('row').filter({ hasText: 'Criou administrador' }).filter({ hasText: username }),
  ).toHaveCount(1)
})

test('a hidden page stores a draft without the password, and removes the draft when it is visible again', async ({
  page,
}) => {
  const username = aName()
  await openAsAdministrator(page, '/admin/equipe')
  await expect(page.locator('.user-menu span')).toHaveText('admin')
  await page.getByRole('button', { name: 'Novo administrador' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo administrador' })
  await dialog.getByLabel('Usuário').fill(username)
  await dialog.getByLabel('Senha').fill('uma-senha-bem-longa')
  const storageWhen = (visibility: 'hidden' | 'visible') =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      return JSON.stringify(sessionStorage)
    }, visibility)

  const stored = await storageWhen('hidden')
  expect(stored).toContain(username)
  expect(stored).not.toContain('uma-senha-bem-longa')
  expect(await storageWhen('visible')).not.toContain(username)
})

test.describe('a lost password', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED/ })

  test('is reset by a colleague, stays on the screen until it is confirmed, and logs in', {
    tag: '@quick',
  }, async ({ page, newVisitor, context }) => {
    test.slow()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const username = aName()
    const forgotten = 'uma-senha-bem-longa'
    const admin = await openAsAdministrator(page, '/admin/equipe')
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password: forgotten })
    const otherSession = await asAdministrator({ username, password: forgotten })
    await page.reload()
    await expect(rowOf(page, 'admin').getByRole('button', { name: 'Nova senha' })).toHaveCount(0)

    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    const question = page.getByRole('dialog', { name: `Nova senha de ${username}` })
    await expect(question).toContainText(`as sessões de ${username} terminam`)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Fazer senha nova' }).click()

    const passwordShown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
    await expect(passwordShown).toHaveAccessibleDescription(/\w{5}(-\w{5}){3}/)
    await expectStaysOpen(page, passwordShown)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'equipe-senha-nova-360')
    const password = String(await passwordShown.locator('.generated-password').textContent())
    // The message is displayed for two seconds.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await passwordShown.getByRole('button', { name: 'Copiar' }).click()
    await expect(passwordShown.getByRole('status').filter({ hasText: 'Senha copiada' })).toBeAttached()
    await page.clock.resume()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    await page.keyboard.press('Escape')
    await expect(passwordShown).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Nova senha de ${username}` })).toBeFocused()
    await expect(rowOf(page, username)).toContainText('Nenhuma aberta')
    await expect(otherSession.ask('GET', '/api/admin/sessao')).rejects.toThrow('401')

    const memberPage = await newVisitor()
    await memberPage.goto('/admin/equipe')
    await logInOnPage(memberPage, { username, password: forgotten })
    await expect(memberPage.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await logInOnPage(memberPage, { username: username.toUpperCase(), password })
    await changeGeneratedPassword(memberPage, { password, ownPassword: 'outra-senha-bem-longa' })
    await expect(memberPage.getByText('(você)')).toBeVisible()
    await memberPage.close()
    await page.goto('/admin/registro?tipo=Redefiniu+a+senha+de+administrador')
    await expect(
      page.getByRole('row').filter({ hasText: 'Redefiniu a senha de administrador' }).filter({ hasText: username }),
    ).toHaveCount(1)
  })

  test('is reset again after a lost response', async ({ page }) => {
    const username = aName()
    const admin = await openAsAdministrator(page, '/admin/equipe')
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
    await page.reload()
    let answer: (() => void) | undefined
    await page.route('**/senha', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.fetch()
      await route.abort()
    })

    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    const question = page.getByRole('dialog', { name: `Nova senha de ${username}` })
    await question.getByRole('button', { name: 'Fazer senha nova' }).click()
    await expect.poll(() => answer).toBeDefined()
    await expectStaysOpen(page, question)
    answer?.()
    await expect(question.getByRole('alert')).toContainText('Erro de conexão')
    await page.unroute('**/senha')
    await question.getByRole('button', { name: 'Fazer senha nova' }).click()

    const passwordShown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
    const password = String(await passwordShown.locator('.generated-password').textContent())
    await passwordShown.getByRole('button', { name: 'Já anotei' }).click()
    await asAdministrator({ username, password })
  })
})

test.describe('deactivation', () => {
  test.use({ expectedErrors: /status of (401|409)/ })

  test('of the current user leads to the login with a message, and back after activation', async ({ page }) => {
    test.slow()
    const username = aName()
    const password = 'uma-senha-bem-longa'
    const admin = await asAdministrator()
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password })
    await openAsAdministrator(page, '/admin/equipe', { username, password })
    const [member] = await rows<{ id: string }>('select id from admin_users where username = $1', [username])
    await expect(page.locator('.user-menu span')).toHaveText(username)
    await expect(page.getByText('(você)')).toBeVisible()

    await admin.ask('POST', `/api/admin/equipe/${member?.id}/desativar`)
    await page.getByRole('button', { name: 'Novo administrador' }).click()
    const dialog = page.getByRole('dialog', { name: 'Novo administrador' })
    await dialog.getByLabel('Usuário').fill(aName())
    await dialog.getByLabel('E-mail').fill(`${username}@example.net`)
    await dialog.getByLabel('Papel').selectOption('Conteúdo')
    await dialog.getByRole('button', { name: 'Criar' }).click()

    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page, { username, password })
    await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await admin.ask('POST', `/api/admin/equipe/${member?.id}/ativar`)
    await logInOnPage(page, { username, password })
    await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
    // The login page has displayed the error, so no toast repeats it.
    await expect(page.locator('.toast')).toHaveCount(0)
  })

  test('of a colleague can be undone, and the last active administrator cannot be deactivated', async ({ page }) => {
    test.slow()
    const username = aName()
    const admin = await openAsAdministrator(page, '/admin/equipe')
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
    await page.reload()
    await page.getByRole('button', { name: `Desativar ${username}` }).click()
    const question = page.getByRole('dialog', { name: `Desativar ${username}` })
    await expect(question).toContainText('terminam agora')
    await question.getByRole('button', { name: 'Desativar' }).click()
    await expect(rowOf(page, username)).toContainText('Desativado')
    const refusal = (message: string) => ({ status: 409, json: { success: false, message } })
    await page.route('**/ativar', (route) => route.fulfill(refusal('Agora não.')), { times: 1 })
    await page.getByRole('button', { name: `Ativar ${username}` }).click()
    const problem = page.getByRole('main').getByRole('alert')
    await expect(problem).toHaveText('Agora não.')
    // The message disappears after another action.
    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await expect(problem).toHaveText('')
    // It stays if the failure happened while another dialog was open.
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/ativar', (route) => held.then(() => route.fulfill(refusal('Ainda não.'))), { times: 1 })
    await page.getByRole('button', { name: `Ativar ${username}` }).click()
    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    release()
    await expect(page.locator('.toast').filter({ hasText: 'Ainda não.' })).toBeAttached()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await expect(problem).toHaveText('Ainda não.')
    await page.getByRole('button', { name: `Ativar ${username}` }).click()
    await expect(page.getByRole('button', { name: `Desativar ${username}` })).toBeVisible()

    // Simulates that the other administrators were deactivated meanwhile.
    await page.route('**/desativar', (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          message: 'Esta é a última conta ativa de coordenação. Dê esse papel a outra conta antes.',
        },
      }),
    )
    await page.getByRole('button', { name: 'Desativar admin', exact: true }).click()
    const last = page.getByRole('dialog', { name: 'Desativar admin' })
    await expect(last).toContainText('Esta é a sua conta.')
    await last.getByRole('button', { name: 'Desativar' }).click()
    await expect(last.getByRole('alert')).toContainText('Esta é a última conta ativa de coordenação.')
    await screenshot(page, 'equipe-ultimo-360')
    await last.getByRole('button', { name: 'Cancelar' }).click()
    await expect(last).toHaveCount(0)
  })
})

test('a late response does not close the dialog with a new password', async ({ page }) => {
  const [deactivated, withNewPassword] = [aName(), aName()]
  const admin = await openAsAdministrator(page, '/admin/equipe')
  for (const username of [deactivated, withNewPassword])
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
  const [member] = await rows<{ id: string }>('select id from admin_users where username = $1', [deactivated])
  await admin.ask('POST', `/api/admin/equipe/${member?.id}/desativar`)
  await page.reload()
  const release = await holdRequests(page, '/ativar', 'POST')
  await page.getByRole('button', { name: `Ativar ${deactivated}` }).click()
  await page.getByRole('button', { name: `Nova senha de ${withNewPassword}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fazer senha nova' }).click()
  const passwordShown = page.getByRole('dialog', { name: `Senha de ${withNewPassword}`, exact: true })
  await expect(passwordShown).toBeVisible()

  release()
  await expect(page.getByText('Administrador ativado.')).toBeAttached()
  await expect(passwordShown).toBeVisible()
})

test('a dialog closes after its action, even while the list is still loading', async ({ page }) => {
  const username = aName()
  const admin = await openAsAdministrator(page, '/admin/equipe')
  await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
  await page.reload()
  await page.getByRole('button', { name: `Desativar ${username}` }).click()
  const question = page.getByRole('dialog', { name: `Desativar ${username}` })
  const release = await holdRequests(page, '/api/admin/equipe')
  await question.getByRole('button', { name: 'Desativar' }).click()

  await expect(page.getByText('Administrador desativado.')).toBeAttached()
  await expect(question).toHaveCount(0)
  release()
  await expect(rowOf(page, username)).toContainText('Desativado')
})

test('the audit log can be filtered and paged, and shows an empty result', { tag: '@quick' }, async ({ page }) => {
  const username = aName()
  await rows(
    `insert into admin_actions (username, action, target, "createdAt")
    select $1, case n % 2 when 0 then 'Exportou assinaturas' else 'Publicou conteúdo' end, 'Item ' || n, '2026-01-10 12:00-03'
    from generate_series(1, 120) n`,
    [username],
  )
  await openAsAdministrator(page, `/admin/registro?pessoa=${username}`)
  await expect(page.getByText('120 registros')).toBeVisible()
  await expect(page.getByText('Item 71', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page.getByText('Item 70', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page.getByRole('row')).toHaveCount(21)
  await expect(page.getByRole('button', { name: 'Anteriores' })).toBeDisabled()
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(page.getByText('Item 70', { exact: true })).toBeVisible()
  await page.getByLabel('O que foi feito').selectOption('Publicou conteúdo')
  await expect(page.getByText('60 registros')).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await screenshot(page, 'registro-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, 'registro-1280')
  await page.getByLabel('De', { exact: true }).fill('2026-01-11')
  await expect(page.getByText('Nada com esse filtro.')).toBeVisible()
  await expect(page).toHaveURL(/de=2026-01-11/)
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(page).toHaveURL(/\/admin\/registro$/)
})

test('the audit log shows session and network, and is filtered by them', async ({ page }) => {
  const username = aName()
  await rows(
    `insert into admin_actions (username, action, target, session, address)
    select $1, 'Buscou pessoas', 'Item ' || n, 'sessao-' || n % 2, case n when 1 then '2001:db8:abc::/48' else '203.0.113.0/24' end
    from generate_series(1, 5) n`,
    [username],
  )
  await openAsAdministrator(page, `/admin/registro?pessoa=${username}`)
  await expect(page.getByText('5 registros')).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await screenshot(page, 'registro-origem-360')
  await page.getByRole('button', { name: 'Só a sessão sessao-1' }).first().click()
  await expect(page.getByText('3 registros')).toBeVisible()
  await expect(page.getByLabel('Sessão', { exact: true })).toHaveValue('sessao-1')
  await page.getByLabel('Rede', { exact: true }).fill('2001:db8:abc::/48')
  await expect(page.getByText('1 registro', { exact: true })).toBeVisible()
  await expect(page.getByText('Item 1', { exact: true })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await screenshot(page, 'registro-origem-1280')
  await expectAccessible(page)
})

test('a date typed digit by digit is requested once, when it is complete', async ({ page }) => {
  await openAsAdministrator(page, '/admin/registro')
  await expect(page.getByRole('table')).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/api/admin/registro?') && requests.push(request.url()))
  const visited = await page.evaluate(() => history.length)
  await page.getByLabel('De', { exact: true }).focus()
  await page.keyboard.type('1111')
  for (const digit of '2026') {
    await page.keyboard.type(digit)
    // Longer than the debounce time of the filter.
    await page.waitForTimeout(600)
  }
  await expect(page).toHaveURL(/de=2026-11-11/)
  await expect.poll(() => requests.length).toBe(1)
  expect(await page.evaluate(() => history.length)).toBe(visited)
  await page.goBack()
  await expect(page).not.toHaveURL(/registro/)
})

test('clearing the filters also clears an incomplete date', async ({ page }) => {
  await openAsAdministrator(page, '/admin/registro?pessoa=admin')
  await expectIncompleteDateCleared(page)
})
