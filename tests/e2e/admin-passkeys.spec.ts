// Passkeys on the own account page, at the login and for a recent login, with the keyboard and a virtual authenticator.
import type { CDPSession, Page } from '@playwright/test'
import { asAdministrator, logInOnPage, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  open,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'

/** Browsers create passkeys for domains only. It is also the default of PUBLIC_URL. */
const domain = () => siteUrl().replace('127.0.0.1', 'localhost')

const ownPassword = 'uma-frase-bem-comprida'
let nameCount = 0
async function createAccount() {
  const username = `chave.${process.pid}.${++nameCount}`
  const account = { username, password: ownPassword }
  await (await asAdministrator()).ask('POST', '/api/admin/equipe', { ...account, email: `${username}@example.org` })
  return account
}

const endRecentLogin = (username: string) =>
  rows(
    `update admin_sessions set "createdAt" = now() - interval '11 minutes', "verifiedAt" = null
    where "adminUserId" = (select id from admin_users where username = $1)`,
    [username],
  )

async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return session
}

/** The next request to the authenticator fails as if the person had closed the dialog of the browser. */
const cancelNext = (page: Page, method: 'create' | 'get') =>
  page.evaluate((name) => {
    const { credentials } = navigator
    const original = credentials[name].bind(credentials)
    credentials[name] = async () => {
      Object.assign(credentials, { [name]: original })
      throw new DOMException('', 'NotAllowedError')
    }
  }, method)

async function checkLayout(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [320, 640],
    [390, 664],
    [1280, 740],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await takeScreenshot(page, `admin-${name}-${width}`)
  }
}

/** With the keyboard: the button has the focus when Enter is pressed. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await press(page, 'Adicionar chave de acesso')
  await page.getByRole('dialog', { name: 'Adicionar chave de acesso' }).getByLabel('Nome da chave').fill(name)
  await page.keyboard.press('Enter')
}

const cancelled = 'A chave de acesso não foi usada: o pedido foi cancelado, ou o tempo acabou. Tente de novo.'

test.use({ expectedErrors: /status of 40[013]/ })

test('a passkey is added, asked for at the login and for a recent login, and removed', {
  tag: '@quick',
}, async ({ newVisitor }) => {
  test.slow()
  const account = await createAccount()
  const page = await newVisitor({ baseURL: domain() })
  const authenticator = await addAuthenticator(page)
  await openAsAdministrator(page, '/admin/conta', account)
  await expect(page.getByText('Desligada', { exact: true })).toBeVisible()
  await checkLayout(page, 'conta')

  await press(page, 'Adicionar chave de acesso')
  const setup = page.getByRole('dialog', { name: 'Adicionar chave de acesso' })
  await expect(setup).toBeVisible()
  await checkLayout(page, 'chave-adicionar')
  await expect(setup.getByLabel('Nome da chave')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(setup.getByLabel('Nome da chave')).toHaveAccessibleDescription(/Dê um nome/)
  await cancelNext(page, 'create')
  await page.keyboard.type('Meu celular')
  await page.keyboard.press('Enter')
  await expect(setup.getByText(cancelled)).toBeVisible()
  await setup.getByLabel('Nome da chave').focus()
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Códigos de recuperação' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await press(page, 'Já guardei')
  await expect(page.getByText('Ligada', { exact: true })).toBeVisible()
  const passkey = page.getByRole('listitem').filter({ hasText: 'Meu celular' })
  await expect(passkey).toContainText('ainda não usada')
  await checkLayout(page, 'conta-chave')
  await addPasskey(page, 'Outra')
  await expect(setup.getByText('Este aparelho já tem uma chave de acesso da sua conta.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.evaluate(() => localStorage.clear())
  await open(page, '/admin/conta')
  await logInOnPage(page, account)
  const enter = page.getByRole('button', { name: 'Entrar com a chave de acesso' })
  await expect(enter).toBeFocused()
  expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
  await checkLayout(page, 'login-chave')
  await cancelNext(page, 'get')
  await page.keyboard.press('Enter')
  await expect(page.getByText(cancelled)).toBeVisible()
  await expect(enter).toBeFocused()
  await checkLayout(page, 'login-chave-cancelada')
  await page.keyboard.press('Enter')
  await expect(passkey).toContainText('usada em')

  await endRecentLogin(account.username)
  await press(page, 'Ligar o aplicativo')
  const question = page.getByRole('dialog', { name: 'Confirme que é você' })
  await expect(question.getByLabel('Sua senha')).toBeFocused()
  await checkLayout(page, 'confirmar-chave')
  await page.keyboard.type(account.password)
  await cancelNext(page, 'get')
  await page.keyboard.press('Enter')
  await expect(question.getByText(cancelled)).toBeVisible()
  await press(page, 'Usar um código')
  await expect(question.getByLabel('Código de recuperação')).toBeVisible()
  await press(page, 'Usar a chave de acesso')
  await press(page, 'Confirmar com a chave de acesso')
  const app = page.getByRole('dialog', { name: 'Ligar o aplicativo de códigos' })
  await expect(app.getByRole('img', { name: 'Código QR da chave' })).toBeVisible()
  await page.keyboard.press('Escape')

  await press(page, 'Retirar a chave Meu celular')
  const removal = page.getByRole('dialog', { name: 'Retirar a chave “Meu celular”' })
  await expect(removal.getByLabel('Sua senha')).toBeFocused()
  await checkLayout(page, 'chave-retirar')
  await page.keyboard.type(account.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Desligada', { exact: true })).toBeVisible()
  await authenticator.detach()
  await asAdministrator(account)
})

test('an account with a passkey logs in with a recovery code where the passkey is missing', async ({
  page,
  newVisitor,
}) => {
  test.slow()
  const account = await createAccount()
  const owner = await newVisitor({ baseURL: domain() })
  await addAuthenticator(owner)
  await openAsAdministrator(owner, '/admin/conta', account)
  await addPasskey(owner, 'Meu celular')
  const codes = owner.getByRole('dialog', { name: 'Códigos de recuperação' })
  const code = String(await codes.getByRole('listitem').first().textContent())

  // At another address of the site there are no passkeys.
  await open(page, '/admin/conta')
  await logInOnPage(page, account)
  await expect(page.getByText(`As chaves de acesso só funcionam em ${domain()}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Entrar com a chave de acesso' })).toHaveCount(0)
  await checkLayout(page, 'login-outro-endereco')
  await page.getByLabel('Código de recuperação').fill(code)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Você ainda tem 9 códigos de recuperação')).toBeVisible()
  await expect(page.getByText(`As chaves de acesso só funcionam em ${domain()}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Adicionar chave de acesso' })).toHaveCount(0)
})
