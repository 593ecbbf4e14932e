// An organiser works with a list of people: filters, owners, notes, WhatsApp.
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aLeader } from '#tests/helpers/factories.ts'

const newTag = () => `Etiqueta${crypto.randomUUID().replace(/\d|-/g, '').slice(0, 8)}`

test('an organiser assigns a leader, writes a note and opens WhatsApp', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  for (const nome of [`Fulana ${tag}`, `Beltrana ${tag}`]) {
    const answer = await fetch(`${siteUrl()}/api/formulario-lideres`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aLeader({ nome, whatsapp: '(71) 98811-2233' })),
    })
    expect(answer.status).toBe(201)
  }
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}&status=novo`)
  await expect(page.getByText('2 líderes', { exact: true })).toBeVisible()
  await takeScreenshot(page, 'admin-pessoas-lista', { fullPage: true })
  await page.getByRole('link', { name: `Fulana ${tag}` }).click()

  await expect(page).toHaveURL(/\/admin\/pessoas\/lideres\/[0-9a-f-]{36}$/)
  await page.getByLabel('Situação').selectOption('em-contato')
  await page.getByLabel('Responsável').selectOption('admin')
  const tagField = page.getByRole('combobox', { name: 'Etiquetas' })
  await tagField.fill('Zona Sul')
  await page.getByRole('button', { name: 'Incluir' }).click()
  await expect(page.getByText('zona sul', { exact: true })).toBeVisible()
  await page.getByLabel('Nova nota').fill('Topa organizar a feira.\nLigar na terça.')
  await page.getByRole('button', { name: 'Salvar nota' }).click()
  await expect(page.getByText('Topa organizar a feira.')).toBeVisible()

  await page.getByText('Editar o texto').click()
  await page.getByLabel('Texto da mensagem').fill('Oi, {nome}, tudo bem?')
  await expect(page.getByRole('link', { name: 'Abrir no WhatsApp' })).toHaveAttribute(
    'href',
    'https://wa.me/5571988112233?text=Oi%2C%20Fulana%2C%20tudo%20bem%3F',
  )
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-pessoas-pessoa', { fullPage: true })

  await page.reload()
  await expect(page.getByLabel('Situação')).toHaveValue('em-contato')
  await expect(page.getByLabel('Responsável')).toHaveValue('admin')
  await expect(page.getByText('zona sul', { exact: true })).toBeVisible()
  await page.goto(`/admin/pessoas/lideres?busca=${tag}&responsavel=admin&etiqueta=zona+sul`)
  await expect(page.getByText('1 líder', { exact: true })).toBeVisible()
  await expect(page.getByText('com admin')).toBeVisible()

  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  await page.getByRole('button', { name: /^Apagar a nota de admin/ }).click()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  await expect(page.getByText('Nenhuma nota ainda.', { exact: false })).toBeVisible()
})
