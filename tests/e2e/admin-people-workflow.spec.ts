// An organiser works with a list of people: filters, owners, notes, WhatsApp.
import type { Page } from '@playwright/test'
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

/** How much of the focused element the bar of the selection covers. */
const coveredHeight = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.selection-actions')
    const focused = document.activeElement
    if (!bar || !focused) throw new Error('nothing is selected or focused')
    if (bar.contains(focused)) return 0
    return Math.max(0, focused.getBoundingClientRect().bottom - bar.getBoundingClientRect().top - 1)
  })

test('an organiser assigns a leader, writes a note and opens WhatsApp', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  for (const nome of [`Fulana ${tag}`, `Beltrana ${tag}`]) {
    const answer = await fetch(`${siteUrl()}/api/formulario-lideres`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aLeader({ nome, whatsapp: '71988112233' })),
    })
    expect(answer.status).toBe(201)
  }
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}&status=novo`)
  await expect(page.getByText('2 líderes', { exact: true })).toBeVisible()
  await expect(page.getByText('(71) 98811-2233')).toHaveCount(2)
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
  await page.getByRole('main').getByRole('link', { name: 'Líderes', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Sair sem salvar?' })
  await takeScreenshot(page, 'admin-pessoas-nota')
  await leaving.getByRole('button', { name: 'Continuar editando' }).click()
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
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-pessoas-pessoa-largo', { fullPage: true })

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

test('an organiser saves a filter and edits everyone it finds', async ({ page }) => {
  const tag = newTag()
  for (let n = 0; n < 27; n++) {
    const answer = await fetch(`${siteUrl()}/api/formulario-lideres`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aLeader({ nome: `Líder ${n} ${tag}` })),
    })
    expect(answer.status).toBe(201)
  }
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}&status=novo`)
  await expect(page.getByText('27 líderes', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Salvar este filtro' }).click()
  await page.getByLabel('Nome do filtro').fill(`Lista ${tag}`)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Salvar', exact: true }).click()
  await page.getByText(/^Filtros salvos \(/).click()
  // Searched text is not saved: it can be the name of a person who is erased later.
  await expect(page.getByRole('link', { name: `Lista ${tag}` })).toHaveAttribute(
    'href',
    /^\/admin\/pessoas\/lideres\?status=novo$/,
  )

  await page.getByLabel(`Selecionar Líder 26 ${tag}`).check()
  await expect(page.getByText('1 selecionada')).toBeVisible()
  await page.getByLabel('Selecionar a página').check()
  await page.getByRole('button', { name: 'Selecionar todo o filtro: 27 líderes' }).click()
  await takeScreenshot(page, 'admin-pessoas-selecao', { fullPage: true })
  await page.getByRole('button', { name: 'Editar seleção' }).click()
  await page.getByRole('dialog').getByLabel('Situação').selectOption('ativo')
  await page.getByRole('combobox', { name: 'Incluir etiquetas' }).fill(tag)
  await page.getByRole('button', { name: 'Incluir', exact: true }).first().click()
  await expectAccessible(page)
  await takeScreenshot(page, 'admin-pessoas-editar', { fullPage: true })
  await page.getByRole('button', { name: 'Mudar 27 líderes' }).click()
  await expect(page.getByText('Pronto: 27 pessoas editadas.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click()
  await page.goto(`/admin/pessoas/lideres?status=ativo&etiqueta=${tag}`)
  await expect(page.getByText('27 líderes', { exact: true })).toBeVisible()
  await expectNoHorizontalScroll(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-pessoas-lista-largo')
})

test('the action for selected people stays in view and covers no control, also with enlarged text', async ({
  page,
}) => {
  const tag = newTag()
  for (let n = 0; n < 8; n++) {
    const answer = await fetch(`${siteUrl()}/api/formulario-lideres`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(aLeader({ nome: `Líder ${n} ${tag}` })),
    })
    expect(answer.status).toBe(201)
  }
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}`)
  await expect(page.getByText('8 líderes', { exact: true })).toBeVisible()
  // Scrolls at once.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByLabel(`Selecionar Líder 4 ${tag}`).check()

  for (const fontSize of ['100%', '200%']) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, fontSize)
    await page.getByLabel(`Selecionar Líder 7 ${tag}`).focus()
    for (let rest = await page.locator('.people-list table :is(input, a, button)').count(); rest > 1; rest--) {
      await page.keyboard.press('Tab')
      expect(await coveredHeight(page)).toBe(0)
    }
    await page.getByLabel(`Selecionar Líder 3 ${tag}`).focus()
    await expect(page.getByText('1 selecionada')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Editar seleção' })).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `admin-pessoas-selecao-texto-${fontSize}`)
  }
  await page.getByRole('button', { name: 'Mais filtros' }).click()
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-pessoas-filtros-texto-200%')
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
  await page.getByRole('button', { name: 'Menos filtros' }).scrollIntoViewIfNeeded()
  await takeScreenshot(page, 'admin-pessoas-filtros')
  await page.getByRole('button', { name: 'Editar seleção' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0)
  await takeScreenshot(page, 'admin-pessoas-editar-selecao')
})
