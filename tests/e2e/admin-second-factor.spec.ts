// Two-step verification on the own account page and at the login, with the keyboard.
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { asAdministrator, logInOnPage, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { startSite } from '#tests/e2e/site.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, open, takeScreenshot, test } from '#tests/e2e/visitor.ts'

const ownPassword = 'uma-frase-bem-comprida'
let nameCount = 0
async function createAccount() {
  const username = `etapas.${process.pid}.${++nameCount}`
  const account = { username, password: ownPassword }
  await (await asAdministrator()).ask('POST', '/api/admin/equipe', { ...account, email: `${username}@example.org` })
  return account
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate()
/** The code of the set-up was just used: the next step may begin within this one. */
const forgetUsedCode = (username: string) =>
  rows('update admin_totp set "lastStep" = 0 where "adminUserId" = (select id from admin_users where username = $1)', [
    username,
  ])

async function checkLayout(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [320, 640],
    [360, 740],
    [390, 664],
    [1280, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `admin-${name}-${width}`)
  }
  await page.setViewportSize({ width: 390, height: 664 })
}

/** In the open dialog: types the code of the shown key, and returns the key and the recovery codes. */
async function connectApp(page: Page, dialog: Locator) {
  const secret = String(await dialog.locator('pre').textContent())
  await dialog.getByLabel('Código do aplicativo').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Códigos de recuperação' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  return { secret, codes, recoveryCode: String(await codes.getByRole('listitem').first().textContent()) }
}

test.describe('two-step verification', () => {
  test.use({ expectedErrors: /status of 40[013]/ })

  test('is set up, asked for at the login, replaced by a recovery code once, and turned off', {
    tag: '@quick',
  }, async ({ page }) => {
    test.slow()
    const account = await createAccount()
    await openAsAdministrator(page, '/admin/conta', account)
    const turnOn = page.getByRole('button', { name: 'Ligar o aplicativo' })
    await expect(turnOn).toBeVisible()
    await checkLayout(page, 'conta')
    await turnOn.focus()
    await page.keyboard.press('Enter')
    const setup = page.getByRole('dialog', { name: 'Ligar o aplicativo de códigos' })
    await expect(setup.getByRole('img', { name: 'Código QR da chave' })).toBeVisible()
    await checkLayout(page, 'duas-etapas-ligar')
    await setup.getByLabel('Código do aplicativo').fill('000000')
    await page.keyboard.press('Enter')
    await expect(setup.getByLabel('Código do aplicativo')).toHaveAccessibleDescription(/não confere/)
    const { secret, codes, recoveryCode } = await connectApp(page, setup)
    await checkLayout(page, 'duas-etapas-codigos')
    await page.keyboard.press('Escape')
    await expect(codes).toBeVisible()
    await codes.getByRole('button', { name: 'Já guardei' }).click()
    await expect(page.getByText('Ligada', { exact: true })).toBeVisible()
    await checkLayout(page, 'conta-ligada')

    await forgetUsedCode(account.username)
    await page.evaluate(() => localStorage.clear())
    await open(page, '/admin')
    await logInOnPage(page, account)
    const field = page.getByLabel('Código do aplicativo')
    await expect(field).toBeFocused()
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    await checkLayout(page, 'login-codigo')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await expect(field).toHaveAccessibleDescription(/não confere/)
    await expect(field).toBeFocused()
    await field.fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()

    await page.evaluate(() => localStorage.clear())
    await open(page, '/admin/conta')
    await logInOnPage(page, account)
    await page.getByRole('button', { name: 'Usar um código de recuperação' }).click()
    const recovery = page.getByLabel('Código de recuperação')
    await expect(recovery).toBeFocused()
    await page.keyboard.type(recoveryCode)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Você ainda tem 9 códigos de recuperação')).toBeVisible()

    await page.getByRole('button', { name: 'Desligar' }).click()
    const off = page.getByRole('dialog', { name: 'Desligar o aplicativo de códigos' })
    await off.getByLabel('Sua senha').fill(account.password)
    await page.keyboard.press('Enter')
    await expect(turnOn).toBeVisible()
  })

  test('is removed by a colleague, who is asked first', async ({ page }) => {
    const account = await createAccount()
    await openAsAdministrator(page, '/admin/conta', account)
    await page.getByRole('button', { name: 'Ligar o aplicativo' }).click()
    await connectApp(page, page.getByRole('dialog', { name: 'Ligar o aplicativo de códigos' }))
    await page.evaluate(() => localStorage.clear())
    await openAsAdministrator(page, '/admin/equipe')
    const remove = page.getByRole('button', { name: `Retirar duas etapas de ${account.username}` })
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
    await expect(page.getByText(`Verificação em duas etapas de ${account.username} retirada.`)).toBeVisible()
    await expect(remove).toHaveCount(0)
    await asAdministrator(account)
  })

  test('goes back to the password when the login has expired', async ({ page }) => {
    const account = await createAccount()
    await openAsAdministrator(page, '/admin/conta', account)
    await page.getByRole('button', { name: 'Ligar o aplicativo' }).click()
    await connectApp(page, page.getByRole('dialog', { name: 'Ligar o aplicativo de códigos' }))
    await page.evaluate(() => localStorage.clear())
    await open(page, '/admin')
    await logInOnPage(page, account)
    await expect(page.getByLabel('Código do aplicativo')).toBeFocused()
    await rows(`delete from admin_challenges where "adminUserId" = (select id from admin_users where username = $1)`, [
      account.username,
    ])
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/A entrada demorou demais/)).toBeVisible()
    await expect(page.getByLabel('Senha')).toBeVisible()
  })
})

test.describe('where the site requires two-step verification', () => {
  test.use({ expectedErrors: /status of 40[013]/ })

  test('an account sets it up before anything else, and the wanted page opens', async ({ newVisitor }) => {
    test.slow()
    const site = await startSite({ SECOND_FACTOR: 'required' })
    try {
      const page = await newVisitor({ baseURL: site.url })
      await open(page, '/admin/equipe')
      await logInOnPage(page)
      await expect(page.getByRole('heading', { level: 1, name: 'Mais uma etapa' })).toBeFocused()
      await expect(page.getByRole('navigation')).toHaveCount(0)
      await checkLayout(page, 'duas-etapas-exigidas')
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: 'Mais uma etapa' })).toBeVisible()
      await page.getByRole('button', { name: 'Ligar o aplicativo' }).click()
      const { codes } = await connectApp(page, page.getByRole('dialog', { name: 'Ligar o aplicativo de códigos' }))
      await codes.getByRole('button', { name: 'Já guardei' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
    } finally {
      await site.remove()
    }
  })
})
