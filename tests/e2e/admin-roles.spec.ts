// What an administrator with the role `conteudo` sees, and the change of a role on the team page.
import type { Page } from '@playwright/test'
import { type Caller, openAsAdministrator, openMenu } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'

const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-${name}`, { fullPage: true })
const password = 'senha-da-editora-1'
let nameCount = 0

async function createEditor({ ask }: Caller): Promise<string> {
  const username = `editora.${process.pid}.${++nameCount}`
  await ask('POST', '/api/admin/equipe', { username, email: `${username}@example.org`, password, role: 'conteudo' })
  return username
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('`conteudo` sees contents, campaigns, news and numbers, and a sentence at every other address', {
  tag: '@quick',
}, async ({ page, newVisitor }) => {
  test.slow()
  const username = await createEditor(await openAsAdministrator(page, '/admin/equipe'))
  const editor = await newVisitor()
  const { ask } = await openAsAdministrator(editor, '/admin/dashboard', { username, password })

  await expect(heading(editor, 'Painel')).toBeVisible()
  const menu = await openMenu(editor)
  await expect(menu.getByRole('link')).toHaveText([
    ...['Painel', 'Conteúdos', 'Campanhas', 'Novidades', 'Números'],
    ...['Minha conta', 'Ver o site'],
  ])
  await editor.keyboard.press('Escape')
  await expect(editor.getByText('Assinaturas hoje')).toBeVisible()
  for (const hidden of ['Líderes sem resposta', 'Conversas hoje', 'Novos voluntários hoje', 'Status do sistema'])
    await expect(editor.getByText(hidden)).toHaveCount(0)
  await expect(editor.locator('.cards h3')).toHaveText([
    ...['Conteúdos', 'Campanhas', 'Novidades', 'Números', 'Configurações'],
  ])
  await expectAccessible(editor)
  for (const size of [
    { width: 360, height: 740 },
    { width: 390, height: 664 },
    { width: 1280, height: 800 },
  ]) {
    await editor.setViewportSize(size)
    await expectNoHorizontalScroll(editor)
    await screenshot(editor, `papel-painel-${size.width}`)
  }
  await editor.setViewportSize({ width: 360, height: 740 })

  for (const path of ['pessoas/lideres', 'pessoas/importar', 'botconversa', 'registro', 'sistema', 'site', 'equipe']) {
    await editor.goto(`/admin/${path}`)
    await expect(heading(editor, 'Só para a coordenação')).toBeVisible()
    await expect(editor.getByText('peça a alguém da coordenação')).toBeVisible()
  }
  await expectAccessible(editor)
  await screenshot(editor, 'papel-recusa-360')
  await editor.getByRole('main').getByRole('link', { name: 'Ir para o painel' }).click()
  await expect(heading(editor, 'Painel')).toBeVisible()

  await editor.goto('/admin/conta')
  await expect(heading(editor, 'Minha conta')).toBeVisible()
  await expect(editor.getByRole('button', { name: 'Trocar minha senha' })).toBeVisible()
  await editor.getByRole('button', { name: 'Encerrar minhas outras sessões' }).click()
  await editor.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click()
  await expect(editor.getByText('As suas outras sessões terminaram.')).toBeVisible()
  await expectAccessible(editor)

  const { campaigns } = await ask<{ campaigns: { id: number; titulo: string }[] }>('GET', '/api/admin/campaigns')
  const [campaign] = campaigns
  await editor.goto(`/admin/campanhas/${campaign?.id}`)
  await expect(editor.getByRole('button', { name: 'Baixar PDF com os totais' })).toBeVisible()
  await expect(editor.getByRole('button', { name: 'Baixar PDF com a lista de nomes' })).toHaveCount(0)
  await expect(editor.getByRole('link', { name: 'Quem assinou' })).toHaveCount(0)

  await editor.goto(`/admin/novidades/nova?campanha=${campaign?.id}`)
  await expect(editor.getByText('Novidades por e-mail são escritas, alteradas e enviadas só pela')).toBeVisible()
  await editor.getByRole('textbox', { name: 'Título' }).fill('Novidade só da página')
  await editor.getByRole('textbox', { name: 'Texto', exact: true }).fill('Foi hoje, em frente ao Congresso.')
  await editor.getByRole('button', { name: 'Salvar rascunho' }).click()
  await expect(heading(editor, 'Novidade só da página')).toBeVisible()
  await expectAccessible(editor)
  await expectNoHorizontalScroll(editor)
  await screenshot(editor, 'papel-novidade-360')
  await editor.getByRole('button', { name: 'Publicar agora' }).click()
  await editor.getByRole('dialog').getByRole('button', { name: 'Publicar' }).click()
  await expect(editor.locator('.news-facts')).toContainText('Publicada')
})

test('a role changes on the team page with the keyboard, and the open page of the other account follows', async ({
  page,
  newVisitor,
}) => {
  test.slow()
  const username = await createEditor(await openAsAdministrator(page, '/admin/equipe'))
  await page.reload()
  const row = page.getByRole('row').filter({ has: page.getByText(username, { exact: true }) })
  await expect(row).toContainText('Conteúdo')

  async function change(role: string): Promise<void> {
    await row.getByRole('button', { name: `Mudar papel de ${username}` }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Papel de ${username}` })
    await dialog.getByLabel('Papel').focus()
    await page.keyboard.type(role)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'papel-mudar-360')
    await dialog.getByRole('button', { name: 'Salvar' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(row).toContainText(role)
  }

  await change('Coordenação')
  const other = await newVisitor({ expectedErrors: /status of 403/ })
  await openAsAdministrator(other, '/admin/pessoas/voluntarios', { username, password })
  await expect(heading(other, 'Pessoas')).toBeVisible()
  await change('Conteúdo')
  await other.getByRole('searchbox').fill('ana')
  await expect(heading(other, 'Só para a coordenação')).toBeVisible()
  await expect((await openMenu(other)).getByRole('link', { name: 'Pessoas' })).toHaveCount(0)
})
