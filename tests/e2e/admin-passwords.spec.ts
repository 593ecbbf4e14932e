// The page that asks for an own password after a login with a generated one.
import type { Page } from '@playwright/test'
import { asAdministrator, logInOnPage, openAsAdministrator, openMenu } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, open, takeScreenshot, test } from '#tests/e2e/visitor.ts'

const ownPassword = 'uma-frase-bem-comprida'

let nameCount = 0
async function createMember(): Promise<{ username: string; password: string }> {
  const username = `beltrana.${process.pid}.${++nameCount}`
  const { ask } = await asAdministrator()
  const member = { username, email: `${username}@example.org` }
  const { password } = await ask<{ password: string }>('POST', '/api/admin/equipe', member)
  return { username, password }
}

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Escolha a sua senha' })
const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })

async function checkLayout(page: Page, name: string): Promise<void> {
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await screenshot(page, `${name}-${width}`)
  }
  await page.setViewportSize({ width: 360, height: 740 })
}

test.describe('a generated password', () => {
  test.use({ expectedErrors: /status of 40[03]/ })

  test('is replaced with the keyboard before anything else, and the wanted page opens', { tag: '@quick' }, async ({
    page,
  }) => {
    test.slow()
    const account = await createMember()
    await open(page, '/admin/equipe')
    await logInOnPage(page, account)
    await expect(heading(page)).toBeFocused()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByText(account.username)).toBeVisible()
    await checkLayout(page, 'senha-propria')
    await page.reload()
    await expect(heading(page)).toBeFocused()

    const fields = {
      current: page.getByLabel('Senha que você recebeu'),
      password: page.getByLabel(/^Nova senha/),
      repeated: page.getByLabel('Repita a nova senha'),
    }
    const submit = page.getByRole('button', { name: 'Salvar e continuar' })
    await page.keyboard.press('Tab')
    await expect(fields.current).toBeFocused()
    for (const text of [account.password, ownPassword, 'outra-frase-comprida']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await expect(page.getByRole('button', { name: 'Mostrar senha' })).toBeFocused()
    await expect(fields.password).toHaveAttribute('type', 'password')
    await page.keyboard.press('Enter')
    for (const field of Object.values(fields)) await expect(field).toHaveAttribute('type', 'text')
    await expect(page.getByRole('button', { name: 'Ocultar senha' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(submit).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(fields.repeated).toBeFocused()
    await expect(fields.repeated).toHaveAccessibleDescription('As duas senhas novas não são iguais')
    await checkLayout(page, 'senha-propria-erro')

    for (const field of [fields.password, fields.repeated]) await field.fill('1234567890')
    await page.keyboard.press('Enter')
    await expect(fields.password).toBeFocused()
    await expect(fields.password).toHaveAccessibleDescription(/das mais usadas/)

    for (const field of [fields.password, fields.repeated]) await field.fill(ownPassword)
    await page.getByRole('button', { name: 'Ocultar senha' }).click()
    await submit.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Equipe' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/equipe$/)
    await expect(page.getByText('Senha trocada. As suas outras sessões terminaram.')).toBeVisible()
    await page.reload()
    await expect(page.getByText('(você)')).toBeVisible()
    await asAdministrator({ ...account, password: ownPassword })
  })

  test('is asked for in every tab, also without stored data, until one of them replaces it', async ({
    page,
    context,
  }) => {
    const account = await createMember()
    // Stores the token alone, as a browser that has lost the rest would have it.
    await openAsAdministrator(page, '/admin/sistema', account)
    await expect(heading(page)).toBeVisible()
    const other = await context.newPage()
    await open(other, '/admin/dashboard')
    await expect(heading(other)).toBeVisible()

    await other.getByLabel('Senha que você recebeu').fill(account.password)
    for (const label of [/^Nova senha/, /^Repita/]) await other.getByLabel(label).fill(ownPassword)
    await other.getByRole('button', { name: 'Salvar e continuar' }).click()

    await expect(other.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
    await expect(heading(page)).toHaveCount(0)
    await expect(page.locator('.user-menu span')).toHaveText(account.username)
  })

  test('can be left for later', async ({ page }) => {
    const account = await createMember()
    await open(page, '/admin')
    await logInOnPage(page, account)
    await page.getByRole('button', { name: 'Sair' }).click()
    await expect(page.getByRole('button', { name: 'Entrar' })).toBeVisible()
    await logInOnPage(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Painel' })).toBeVisible()
    await expect(await openMenu(page)).toBeVisible()
  })
})
