// The team: somebody new comes, changes the password, is sent away in the middle of something; and the record tells it all.
import type { Locator, Page } from '@playwright/test'
import { asAdministrator, expectHalfADayToGo, logInOnPage, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, holdBack, takePicture, test } from '#tests/e2e/visitor.ts'

const picture = (page: Page, name: string) => takePicture(page, `admin-${name}`, { fullPage: true })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

/** However one tries to get rid of it by accident. */
async function expectToStay(page: Page, dialog: Locator): Promise<void> {
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Fechar' })).toHaveCount(0)
}

/** A name of each test's own: tests run side by side. */
let made = 0
const aName = () => `fulana.${process.pid}.${++made}`

test('somebody new gets in with a password that is shown once, and changes it', { tag: '@quick' }, async ({
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
  await picture(page, 'equipe-erros-360')
  await dialog.getByLabel('Usuário').fill(username)
  await dialog.getByLabel('E-mail').fill(`${username}@example.org`)
  await dialog.getByRole('button', { name: 'Criar' }).click()

  const shown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
  await expect(shown).toBeVisible()
  await expectAccessible(page)
  const password = String(await shown.locator('.made-password').textContent())
  await expectToStay(page, shown)
  await shown.getByRole('button', { name: 'Já anotei' }).click()
  await expect(page.getByText(password)).toHaveCount(0)
  await expect(rowOf(page, username)).toContainText('Ativo')
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await picture(page, 'equipe-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await picture(page, 'equipe-1280')

  const theirs = await newVisitor({ expectedErrors: /status of 400/ })
  await theirs.goto('/admin/equipe')
  await logInOnPage(theirs, { username, password })
  const elsewhere = await asAdministrator({ username, password })
  await theirs.getByRole('button', { name: 'Trocar minha senha' }).click()
  const changing = theirs.getByRole('dialog', { name: 'Trocar minha senha' })
  await changing.getByLabel('Senha atual').fill('nao-e-esta-senha')
  await changing.getByLabel('Nova senha').fill('uma-senha-bem-longa')
  await changing.getByRole('button', { name: 'Trocar' }).click()
  await expect(changing.getByText('A senha atual não confere').first()).toBeVisible()
  await changing.getByLabel('Senha atual').fill(password)
  await changing.getByRole('button', { name: 'Trocar' }).click()
  await expect(theirs.getByText('Senha trocada. As suas outras sessões terminaram.')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Trocar minha senha' })).toBeFocused()
  await expect(elsewhere.ask('GET', '/api/admin/sessao')).rejects.toThrow('401')
  await theirs.close()
  await asAdministrator({ username, password: 'uma-senha-bem-longa' })

  await page.goto(`/admin/registro?pessoa=${username}`)
  await expect(page.getByRole('row').filter({ hasText: 'Trocou a própria senha' })).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: 'Senha recusada no login' })).toContainText('1 vez')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(
    page.getByRole('row').filter({ hasText: 'Criou administrador' }).filter({ hasText: username }),
  ).toHaveCount(1)
})

test('of a form that is out of sight everything is kept but the password, and nothing once it is seen again', async ({
  page,
}) => {
  const username = aName()
  await openAsAdministrator(page, '/admin/equipe')
  await expect(page.locator('.whoever span')).toHaveText('admin')
  await page.getByRole('button', { name: 'Novo administrador' }).click()
  const dialog = page.getByRole('dialog', { name: 'Novo administrador' })
  await dialog.getByLabel('Usuário').fill(username)
  await dialog.getByLabel('Senha').fill('uma-senha-bem-longa')
  const keptWhen = (visibility: 'hidden' | 'visible') =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      return JSON.stringify(sessionStorage)
    }, visibility)

  const kept = await keptWhen('hidden')
  expect(kept).toContain(username)
  expect(kept).not.toContain('uma-senha-bem-longa')
  expect(await keptWhen('visible')).not.toContain(username)
})

test.describe('a lost password', () => {
  test.use({ expectedErrors: /status of 401|ERR_FAILED/ })

  test('is made anew by a colleague, stays on the screen until it is taken, and lets back in', {
    tag: '@quick',
  }, async ({ page, newVisitor, context }) => {
    test.slow()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const username = aName()
    const forgotten = 'uma-senha-bem-longa'
    const admin = await openAsAdministrator(page, '/admin/equipe')
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password: forgotten })
    const elsewhere = await asAdministrator({ username, password: forgotten })
    await page.reload()
    await expect(rowOf(page, 'admin').getByRole('button', { name: 'Nova senha' })).toHaveCount(0)

    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    const question = page.getByRole('dialog', { name: `Nova senha de ${username}` })
    await expect(question).toContainText(`as sessões de ${username} terminam`)
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Fazer senha nova' }).click()

    const shown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
    await expect(shown).toHaveAccessibleDescription(/\w{5}(-\w{5}){3}/)
    await expectToStay(page, shown)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await picture(page, 'equipe-senha-nova-360')
    const password = String(await shown.locator('.made-password').textContent())
    // Said for two seconds.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await shown.getByRole('button', { name: 'Copiar' }).click()
    await expect(shown.getByRole('status').filter({ hasText: 'Senha copiada' })).toBeAttached()
    await page.clock.resume()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    await page.keyboard.press('Escape')
    await expect(shown).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Nova senha de ${username}` })).toBeFocused()
    await expect(rowOf(page, username)).toContainText('Nenhuma aberta')
    await expect(elsewhere.ask('GET', '/api/admin/sessao')).rejects.toThrow('401')

    const theirs = await newVisitor()
    await theirs.goto('/admin/equipe')
    await logInOnPage(theirs, { username, password: forgotten })
    await expect(theirs.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await logInOnPage(theirs, { username: username.toUpperCase(), password })
    await expect(theirs.getByText('(você)')).toBeVisible()
    await theirs.close()
    await page.goto('/admin/registro')
    await expect(
      page.getByRole('row').filter({ hasText: 'Redefiniu a senha de administrador' }).filter({ hasText: username }),
    ).toHaveCount(1)
  })

  test('whose answer gets lost on the way is made once more', async ({ page }) => {
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
    await expectToStay(page, question)
    answer?.()
    await expect(question.getByRole('alert')).toContainText('Erro de conexão')
    await page.unroute('**/senha')
    await question.getByRole('button', { name: 'Fazer senha nova' }).click()

    const shown = page.getByRole('dialog', { name: `Senha de ${username}`, exact: true })
    const password = String(await shown.locator('.made-password').textContent())
    await shown.getByRole('button', { name: 'Já anotei' }).click()
    await asAdministrator({ username, password })
  })
})

test.describe('sent away', () => {
  test.use({ expectedErrors: /status of (401|409)/ })

  test('in the middle of something, one finds the login, a sentence, and the way back', async ({ page }) => {
    test.slow()
    const username = aName()
    const password = 'uma-senha-bem-longa'
    const admin = await asAdministrator()
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password })
    await openAsAdministrator(page, '/admin/equipe', { username, password })
    const [member] = await rows<{ id: string }>('select id from admin_users where username = $1', [username])
    await expect(page.locator('.whoever span')).toHaveText(username)
    await expect(page.getByText('(você)')).toBeVisible()

    await admin.ask('POST', `/api/admin/equipe/${member?.id}/desativar`)
    await page.getByRole('button', { name: 'Encerrar minhas outras sessões' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click()

    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page, { username, password })
    await expect(page.getByRole('alert').filter({ hasText: 'Usuário ou senha incorretos.' })).toBeVisible()
    await admin.ask('POST', `/api/admin/equipe/${member?.id}/ativar`)
    await logInOnPage(page, { username, password })
    await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
    // That it did not work was said at the login, and is no news any more.
    await expect(page.locator('.toast')).toHaveCount(0)
  })

  test('a colleague is deactivated and activated, and the last one cannot be', async ({ page }) => {
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
    // After something else it is no news any more.
    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await expect(problem).toHaveText('')
    // Unless it went wrong while the other window was open.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/ativar', (route) => held.then(() => route.fulfill(refusal('Ainda não.'))), { times: 1 })
    await page.getByRole('button', { name: `Ativar ${username}` }).click()
    await page.getByRole('button', { name: `Nova senha de ${username}` }).click()
    letGo()
    await expect(page.locator('.toast').filter({ hasText: 'Ainda não.' })).toBeAttached()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click()
    await expect(problem).toHaveText('Ainda não.')
    await page.getByRole('button', { name: `Ativar ${username}` }).click()
    await expect(page.getByRole('button', { name: `Desativar ${username}` })).toBeVisible()

    // Stands in for others having gone meanwhile.
    await page.route('**/desativar', (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          message: 'Este é o último administrador ativo. Ative ou crie outro antes de desativá-lo.',
        },
      }),
    )
    await page.getByRole('button', { name: 'Desativar admin', exact: true }).click()
    const last = page.getByRole('dialog', { name: 'Desativar admin' })
    await expect(last).toContainText('Esta é a sua conta.')
    await last.getByRole('button', { name: 'Desativar' }).click()
    await expect(last.getByRole('alert')).toContainText('Este é o último administrador ativo.')
    await picture(page, 'equipe-ultimo-360')
    await last.getByRole('button', { name: 'Cancelar' }).click()
    await expect(last).toHaveCount(0)
  })
})

test('an answer that comes late does not take a password off the screen', async ({ page }) => {
  const [away, forgetful] = [aName(), aName()]
  const admin = await openAsAdministrator(page, '/admin/equipe')
  for (const username of [away, forgetful])
    await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
  const [member] = await rows<{ id: string }>('select id from admin_users where username = $1', [away])
  await admin.ask('POST', `/api/admin/equipe/${member?.id}/desativar`)
  await page.reload()
  const letGo = await holdBack(page, '/ativar', 'POST')
  await page.getByRole('button', { name: `Ativar ${away}` }).click()
  await page.getByRole('button', { name: `Nova senha de ${forgetful}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fazer senha nova' }).click()
  const shown = page.getByRole('dialog', { name: `Senha de ${forgetful}`, exact: true })
  await expect(shown).toBeVisible()

  letGo()
  await expect(page.getByText('Administrador ativado.')).toBeAttached()
  await expect(shown).toBeVisible()
})

test('a question is closed when its deed is done, though the list is long in coming', async ({ page }) => {
  const username = aName()
  const admin = await openAsAdministrator(page, '/admin/equipe')
  await admin.ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org` })
  await page.reload()
  await page.getByRole('button', { name: `Desativar ${username}` }).click()
  const question = page.getByRole('dialog', { name: `Desativar ${username}` })
  const letGo = await holdBack(page, '/api/admin/equipe')
  await question.getByRole('button', { name: 'Desativar' }).click()

  await expect(page.getByText('Administrador desativado.')).toBeAttached()
  await expect(question).toHaveCount(0)
  letGo()
  await expect(rowOf(page, username)).toContainText('Desativado')
})

test('the record is filtered, paged and empty when nothing fits', { tag: '@quick' }, async ({ page }) => {
  await rows(`
    insert into admin_actions (username, acao, alvo, "createdAt")
    select 'arquivista', case n % 2 when 0 then 'Exportou assinaturas' else 'Publicou conteúdo' end, 'Item ' || n, '2026-01-10 12:00-03'
    from generate_series(1, 120) n`)
  await openAsAdministrator(page, '/admin/registro?pessoa=arquivista')
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
  await expectNoSidewaysScroll(page)
  await picture(page, 'registro-360')
  await page.setViewportSize({ width: 1280, height: 800 })
  await picture(page, 'registro-1280')
  await page.getByLabel('De', { exact: true }).fill('2026-01-11')
  await expect(page.getByText('Nada com esse filtro.')).toBeVisible()
  await expect(page).toHaveURL(/de=2026-01-11/)
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(page).toHaveURL(/\/admin\/registro$/)
})

test('a day typed digit by digit is asked for once, when it is whole', async ({ page }) => {
  await openAsAdministrator(page, '/admin/registro')
  await expect(page.getByRole('table')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/admin/registro?') && asked.push(request.url()))
  const visited = await page.evaluate(() => history.length)
  await page.getByLabel('De', { exact: true }).focus()
  await page.keyboard.type('1111')
  for (const digit of '2026') {
    await page.keyboard.type(digit)
    // Longer than the pause of who has finished.
    await page.waitForTimeout(600)
  }
  await expect(page).toHaveURL(/de=2026-11-11/)
  await expect.poll(() => asked.length).toBe(1)
  expect(await page.evaluate(() => history.length)).toBe(visited)
  await page.goBack()
  await expect(page).not.toHaveURL(/registro/)
})

test('half a day goes with the other filters', async ({ page }) => {
  await openAsAdministrator(page, '/admin/registro?pessoa=admin')
  await expectHalfADayToGo(page)
})
