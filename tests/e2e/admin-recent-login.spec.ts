// Sensitive actions ask for the password again when the last login is too long ago, and continue afterwards.
import type { Page } from '@playwright/test'
import { asAdministrator, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'

let nameCount = 0
/** An account of its own, because the sessions of the others must stay recent. */
async function createAccount() {
  const username = `confirma.${process.pid}.${++nameCount}`
  const account = { username, password: 'uma-frase-bem-comprida' }
  await (await asAdministrator()).ask('POST', '/api/admin/equipe', { ...account, email: `${username}@example.org` })
  return account
}

const endRecentLogin = (username: string) =>
  rows(
    `update admin_sessions set "createdAt" = now() - interval '11 minutes', "verifiedAt" = null
    where "adminUserId" = (select id from admin_users where username = $1)`,
    [username],
  )
const question = (page: Page) => page.getByRole('dialog', { name: 'Confirme que é você' })

test.use({ expectedErrors: /status of 40[03]/ })

test('a form is sent after the password is confirmed with the keyboard, with what was typed', {
  tag: '@quick',
}, async ({ page }) => {
  test.slow()
  const account = await createAccount()
  await openAsAdministrator(page, '/admin/equipe', account)
  await endRecentLogin(account.username)
  const name = `${account.username}.nova`
  await page.getByRole('button', { name: 'Novo administrador' }).click()
  await page.getByRole('textbox', { name: 'Usuário' }).fill(name)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name}@example.org`)
  await page.keyboard.press('Enter')

  const password = question(page).getByLabel('Sua senha')
  await expect(question(page)).toBeVisible()
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [390, 664],
    [1280, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `admin-confirmar-${width}`)
  }
  await expect(password).toBeFocused()
  await page.keyboard.type('senha-errada-123')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription('A senha atual não confere')
  await expect(password).toBeFocused()
  await password.fill(account.password)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('dialog', { name: `Senha de ${name}` })).toBeVisible()
})

test('a cancelled question changes nothing and keeps the form, and Esc closes only the question', async ({ page }) => {
  const account = await createAccount()
  await openAsAdministrator(page, '/admin/equipe', account)
  await endRecentLogin(account.username)
  const name = `${account.username}.nova`
  await page.getByRole('button', { name: 'Novo administrador' }).click()
  await page.getByRole('textbox', { name: 'Usuário' }).fill(name)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name}@example.org`)
  await page.keyboard.press('Enter')
  await expect(question(page)).toBeVisible()

  await page.keyboard.press('Escape')

  await expect(question(page)).toHaveCount(0)
  await expect(page.getByText('Confirme que é você para continuar.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Usuário' })).toHaveValue(name)
  expect(await rows('select 1 from admin_users where username = $1', [name])).toEqual([])
})

test('an export is downloaded after the password is confirmed', async ({ page }) => {
  const account = await createAccount()
  await openAsAdministrator(page, '/admin/pessoas/voluntarios', account)
  await endRecentLogin(account.username)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Exportar' })
  await dialog.getByRole('radio', { name: /CSV/ }).check()
  await dialog.getByRole('button', { name: 'Exportar' }).click()
  await question(page).getByLabel('Sua senha').fill(account.password)
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  await expect(question(page)).toHaveCount(0)
})
