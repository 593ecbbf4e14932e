// Site settings: what an organiser changes at /admin/site is what visitors see. Each test has a site of its own.
import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { StoredSite } from '#contract/admin/site.ts'
import { credentials } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'
import { startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

let server: Awaited<ReturnType<typeof startServer>>
test.beforeEach(async () => {
  const dataDir = temporaryFolder()
  server = await startServer({ env: { ADMIN_PASSWORD: credentials.password }, dataDir })
})
test.afterEach(async () => {
  await server.stop()
  rmSync(server.dataDir, { recursive: true, force: true })
})

async function openSettings(page: Page): Promise<void> {
  await page.goto('/admin')
  await page.getByLabel('Usuário').fill(credentials.username)
  await page.getByLabel('Senha').fill(credentials.password)
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: /^Site/ }).click()
  await expect(page.getByLabel('Nome do movimento')).toBeVisible()
}

const save = (page: Page) => page.getByRole('button', { name: 'Salvar', exact: true }).click()
const saved = (page: Page) => expect(page.locator('.save-bar')).toContainText('Configurações salvas')

/** The settings as another administrator sees them, and a save by that administrator. */
async function saveElsewhere(page: Page, change: object): Promise<void> {
  await page.evaluate(async (changed) => {
    const headers = {
      authorization: `Bearer ${localStorage.getItem('admin_token')}`,
      'content-type': 'application/json',
    }
    const { site } = (await (await fetch('/api/admin/site', { headers })).json()) as { site: StoredSite }
    const body = JSON.stringify({ ...site.settings, ...changed, versao: site.versao })
    await fetch('/api/admin/site', { method: 'PUT', headers, body })
  }, change)
}

test('an organiser changes the WhatsApp group link and adds a menu link, and a visitor sees both', async ({
  newVisitor,
  viewport,
  isMobile,
}, { project }) => {
  test.slow()
  const options = { baseURL: server.url, viewport, isMobile, expectedErrors: /400|409/ }
  const page = await newVisitor(options)
  await openSettings(page)
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)

  const group = page.getByRole('group', { name: 'Grupo geral' })
  await group.getByLabel('Cheio').check()
  await group.getByRole('button', { name: 'Adicionar link' }).click()
  await page.keyboard.type('http://example.org/novo')
  await page.getByRole('button', { name: 'Adicionar link ao menu' }).click()
  await page.keyboard.type('Nossa loja')
  const address = page.getByLabel('Endereço do link 8 do menu')
  const suggestions = page.locator(`datalist[id="${await address.getAttribute('list')}"] option`)
  await expect(suggestions.filter({ hasText: 'Todas as campanhas' })).toHaveAttribute('value', '/campanhas')
  await expect(page.locator('datalist option[value="/p/fim-escala-6x1"]')).not.toBeEmpty()
  const warning = page.getByText('Não há página com este endereço no site.')
  await address.fill('/p/nossa-lojinha')
  await expect(warning).toBeVisible()
  await expect(address).toHaveAccessibleDescription(/^Não há página com este endereço/)
  await expectAccessible(page)
  await address.evaluate((field) => field.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await takeScreenshot(page, `admin-site-menu-${project.name}`)
  await address.fill('/campanhas')
  await expect(warning).toHaveCount(0)
  await address.fill('loja')
  const moveUp = page.getByRole('button', { name: 'Subir Nossa loja' })
  await moveUp.focus()
  for (let position = 7; position > 1; position--) {
    await page.keyboard.press('Enter')
    await expect(moveUp).toBeFocused()
  }
  await expect(page.locator('.header-preview li').nth(1)).toHaveText('Nossa loja')

  const whatsapp = page.getByLabel('Número do WhatsApp')
  await whatsapp.fill('(11) 98765-4321')
  await whatsapp.press('Tab')
  await expect(whatsapp).toHaveValue('5511987654321')

  await save(page)
  const wrong = page.getByRole('textbox', { name: 'Link 2 de Grupo geral' })
  await expect(wrong).toBeFocused()
  await expect(wrong).toHaveAccessibleDescription('Precisa começar com https://')
  await expect(page.locator('.problems li')).toContainText([
    'Link 2 de Grupo geral: Precisa começar com https://',
    'Endereço do link 2 do menu: Precisa começar com /',
  ])
  await page.getByLabel('Endereço do link 2 do menu').fill('https://example.org/loja')
  await expectAccessible(page)
  await takeScreenshot(page, `admin-site-erro-${project.name}`)
  await wrong.fill('https://example.org/novo')
  await save(page)
  await saved(page)
  await expectAccessible(page)
  await takeScreenshot(page, `admin-site-${project.name}`, { fullPage: true })

  const visitor = await newVisitor(options)
  // While the server is busy, the former settings are served for a moment.
  const isShown = async () => {
    const html = await (await visitor.request.get('/')).text()
    return ['novo', 'loja'].every((link) => html.includes(`https://example.org/${link}`))
  }
  await expect.poll(isShown).toBe(true)
  await visitor.goto('/')
  await expect(visitor.getByRole('link', { name: 'Grupo do WhatsApp' })).toHaveAttribute(
    'href',
    'https://example.org/novo',
  )
  const menuButton = visitor.getByRole('button', { name: 'Menu' })
  if (await menuButton.isVisible()) await menuButton.click()
  const links = visitor.getByRole('navigation', { name: 'Principal' }).getByRole('link')
  await expect(links.nth(1)).toHaveText('Nossa loja')
  await expect(links.nth(1)).toHaveAttribute('href', 'https://example.org/loja')
  await expectAccessible(visitor)
})

test('a state gets a group of its own by keyboard, and embedded petitions have the logo', async ({
  newVisitor,
  viewport,
  isMobile,
}, { project }) => {
  test.slow()
  const options = { baseURL: server.url, viewport, isMobile, expectedErrors: /nothing/ }
  const page = await newVisitor(options)
  await openSettings(page)
  const states = page.getByRole('region', { name: 'Grupos por estado' })
  // Choosing alone changes nothing: arrow keys choose each option on the way.
  await states.getByLabel('Dar um grupo a um estado').selectOption('AC')
  await states.getByLabel('Dar um grupo a um estado').selectOption('BA')
  await states.getByRole('button', { name: 'Adicionar', exact: true }).press('Enter')
  await expect(states.getByRole('group', { name: 'Acre' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Link de Bahia' })).toBeFocused()
  await page.keyboard.type('https://example.org/bahia')
  await page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'logo.png', mimeType: 'image/png' },
    buffer: await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0b6e4f' } })
      .png()
      .toBuffer(),
  })
  await expect(page.locator('.header-preview img')).toBeVisible()
  await save(page)
  await saved(page)

  await page.reload()
  const logo = page.locator('.area-logo img')
  await expect(logo).toHaveAttribute('src', /\.logo\.webp$/)
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await takeScreenshot(page, `admin-site-logo-${project.name}`)

  const visitor = await newVisitor(options)
  await visitor.goto('/admin')
  await expect(visitor.locator('.login-head img')).toHaveAttribute('src', /\.logo\.webp$/)
  await takeScreenshot(visitor, `admin-login-logo-${project.name}`)
  await expect.poll(async () => (await visitor.request.get('/embed/juros')).text()).toContain('.logo.webp')
  await visitor.goto('/embed/juros')
  await expect(visitor.locator('html')).toHaveAttribute('data-viva', 'sim')
  await expect(visitor.locator('.framed-origin img')).toHaveAttribute('src', /\.logo\.webp$/)
  const group = await visitor.request.get('/grupo?uf=BA', { maxRedirects: 0 })
  expect(group.headers().location).toBe('https://example.org/bahia')
})

test('nothing is lost when another organiser saved first, and an earlier version comes back', async ({
  newVisitor,
  viewport,
  isMobile,
}) => {
  test.slow()
  const page = await newVisitor({ baseURL: server.url, viewport, isMobile, expectedErrors: /409/ })
  await openSettings(page)
  await page.getByLabel('Lema').fill('Um lema meu.')
  await page.getByRole('main').getByRole('link', { name: 'Menu' }).click()
  await expect(page.getByLabel('Lema')).toHaveValue('Um lema meu.')
  await saveElsewhere(page, { movimento: 'Nome Delas' })
  await save(page)
  const conflict = page.getByRole('region', { name: 'Há uma versão mais nova' })
  await expect(conflict).toContainText('Nome do movimento')
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Juntar com as minhas mudanças' }).click()
  await expect(page.getByLabel('Nome do movimento')).toHaveValue('Nome Delas')
  await expect(page.getByLabel('Lema')).toHaveValue('Um lema meu.')
  await save(page)
  await saved(page)

  const versions = page.getByRole('region', { name: 'Versões' })
  // By keyboard: the toast may cover the button.
  await versions.getByRole('button', { name: 'Restaurar a versão 1' }).press('Enter')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Restaurar' }).press('Enter')
  await expect(versions.getByText('3 (em vigor)')).toBeVisible()
  await expect(page.getByLabel('Lema')).not.toHaveValue('Um lema meu.')

  // Leaving with an edit asks first.
  await page.getByLabel('Lema').fill('Sem salvar.')
  await page.goBack()
  await page
    .getByRole('dialog', { name: 'Sair sem salvar?' })
    .getByRole('button', { name: 'Continuar editando' })
    .click()
  await expect(page.getByLabel('Lema')).toHaveValue('Sem salvar.')
})
