// An organiser imports a list: upload, columns, preview, origin, progress and rejected lines.
import { readFileSync } from 'node:fs'
import { openAsAdministrator } from '#tests/e2e/admin.ts'
import { expect, expectAccessible, expectNoHorizontalScroll, takeScreenshot, test } from '#tests/e2e/visitor.ts'

// The start without a legal basis is refused.
test.use({ expectedErrors: /status of 400/ })

test('an organiser imports a list', { tag: '@quick' }, async ({ page }) => {
  const tag = `Etiqueta${crypto.randomUUID().replace(/\d|-/g, '').slice(0, 8)}`
  // One page of people: their order within a millisecond is random.
  const lines = [
    'Nome completo;E-mail;Celular;Município;UF',
    ...Array.from(
      { length: 24 },
      (_, n) => `Fulana ${n} ${tag};f${n}.${tag}@example.org;(00) 00000-0000;São Luís;Maranhão`,
    ),
    `X;sem-arroba;1;Y;ZZ`,
  ]
  await openAsAdministrator(page, '/admin/pessoas/assinaturas')
  await page.getByRole('link', { name: 'Importar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Importar lista' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await expect(page.getByText('Escolha um arquivo CSV ou XLSX.')).toBeVisible()
  await page.getByLabel('Arquivo').setInputFiles({
    name: `lista-${tag}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n'), 'latin1'),
  })
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()

  await expect(page.getByRole('heading', { name: '1. Confira as colunas' })).toBeVisible()
  await expect(page.getByLabel('Nome', { exact: true })).toHaveValue('0')
  await expect(page.getByLabel('Estado', { exact: true })).toHaveValue('4')
  await expect(page.getByText('20 de 20 linhas da amostra entram.', { exact: false })).toBeVisible()
  await page.getByLabel('Cidade', { exact: true }).selectOption({ label: 'Não vem no arquivo' })
  await expect(page.getByText('Falta indicar: Cidade.')).toBeVisible()
  await page.getByLabel('Cidade', { exact: true }).selectOption({ label: 'Município' })
  await expect(page.getByText(`Nome: Fulana 0 ${tag} · E-mail`, { exact: false })).toBeVisible()
  await page.getByLabel('Origem, em poucas palavras').fill(`feira ${tag}`)
  await page.getByRole('button', { name: 'Importar 25 linhas' }).click()
  await expect(page.getByText('Explique em pelo menos 10 letras', { exact: false }).first()).toBeVisible()
  await page.getByLabel('Base legal', { exact: false }).fill('lista em papel assinada em evento')
  // A campaign is never chosen by default: the import adds to its public counter.
  await page.getByRole('button', { name: 'Importar 25 linhas' }).click()
  await expect(page.getByLabel('Campanha')).toHaveAccessibleDescription('Campanha inválida.')
  await page.getByLabel('Campanha').selectOption('juros')
  const title = (await page.getByLabel('Campanha').locator('option:checked').textContent()) ?? ''
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-importar-colunas', { fullPage: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await expectAccessible(page)
  await takeScreenshot(page, 'admin-importar-colunas-largo', { fullPage: true })
  await page.getByRole('button', { name: 'Importar 25 linhas' }).click()

  await expect(page.getByRole('heading', { name: 'Terminada' })).toBeVisible()
  await expect(page.getByText('24 linhas aceitas')).toBeVisible()
  await expect(page.getByText('1 linha rejeitada')).toBeVisible()
  await expect(page.getByText(title, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-importar-resultado', { fullPage: true })
  const setTextSize = (size: string) =>
    page.evaluate((value) => {
      document.documentElement.style.fontSize = value
    }, size)
  await page.setViewportSize({ width: 360, height: 740 })
  await setTextSize('200%')
  await expectNoHorizontalScroll(page)
  await takeScreenshot(page, 'admin-importar-resultado-texto', { fullPage: true })
  await setTextSize('')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Baixar as rejeitadas (CSV)' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file).toContain('"sem-arroba"')

  await page.getByRole('link', { name: 'Ver as pessoas desta origem' }).click()
  await expect(page.getByText('24 assinaturas', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: `Fulana 23 ${tag}` }).click()
  await expect(page.getByText('importado', { exact: true })).toBeVisible()
  await expect(page.getByText('lista em papel assinada em evento')).toBeVisible()
  await expectAccessible(page)
})

test('volunteers without a column of tasks get those that the organiser ticks', async ({ page }) => {
  const name = `Voluntária ${crypto.randomUUID().slice(0, 8)}`
  await openAsAdministrator(page, '/admin/pessoas/voluntarios')
  await page.getByRole('link', { name: 'Importar' }).click()
  await page.getByLabel('Lista de destino').selectOption('voluntarios')
  await page.getByLabel('Arquivo').setInputFiles({
    name: 'voluntarios.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Nome;E-mail;WhatsApp\n${name};${crypto.randomUUID()}@example.org;(00) 00000-0000`),
  })
  await page.getByRole('button', { name: 'Enviar arquivo' }).click()
  await page.getByLabel('Tarefas', { exact: true }).selectOption({ label: 'Valor igual para todas' })
  const tasks = page.getByRole('group', { name: 'Tarefas: valor para todas as linhas' }).getByRole('checkbox')
  await tasks.nth(0).check()
  await tasks.nth(1).check()
  await expect(page.getByText('1 de 1 linha da amostra entra.', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
})
