// Lists of people in the admin area: search, export, protected data, deletion.
import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import readXlsxFile from 'read-excel-file/node'
import type { listSignedCampaigns } from '#contract/admin/people.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { interestRatePetition } from '#contract/petitions.ts'
import { expectIncompleteDateCleared, openAsAdministrator, openMenu } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'

async function send(path: string, body: object): Promise<void> {
  const answer = await fetch(siteUrl() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, await answer.text()).toBe(201)
}
const sign = (fields: Parameters<typeof aSignature>[0]) => send('/api/peticoes', aSignature(fields))

/** A word that only names of one test contain. */
const newTag = () => `Etiqueta${crypto.randomUUID().replace(/\d|-/g, '').slice(0, 8)}`

const names = (page: Page) => page.locator('.person-name').allTextContents()
const screenshot = (page: Page, name: string) => takeScreenshot(page, `admin-pessoas-${name}`, { fullPage: true })

/** On a phone most filters are shown on demand. */
async function showAllFilters(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Mais filtros' })
  if (await more.isVisible()) await more.click()
}

async function exportFile(page: Page): Promise<Download> {
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click()
  return download
}

test('people are found by name and by city', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  await sign({ nome: `Conceição ${tag}`, whatsapp: '+55 (71) 98811-2233', estado: 'BA', cidade: 'Salvador' })
  await sign({ nome: `Antônio ${tag}`, whatsapp: '(11) 98811-2233', estado: 'SP', cidade: 'Santos' })
  await openAsAdministrator(page, '/admin/pessoas')
  await expect(page).toHaveURL(/\/admin\/pessoas\/assinaturas$/)
  await expectAccessible(page)

  const search = page.getByLabel('Nome, e-mail ou telefone')
  await search.fill(tag.toUpperCase())
  await expect(page.getByText('2 assinaturas', { exact: true })).toBeVisible()
  await expect.poll(() => names(page)).toEqual([`Antônio ${tag}`, `Conceição ${tag}`])
  await screenshot(page, 'celular')
  await expectNoHorizontalScroll(page)

  await showAllFilters(page)
  await page.getByLabel('Estado').selectOption('BA')
  await page.getByLabel('Cidade').fill('salva')
  await page.getByRole('option', { name: 'Salvador' }).click()
  await expect(page.getByText('1 assinatura', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/estado=BA/)
  await expect(page).toHaveURL(/cidade=Salvador/)
  await page.reload()
  await expect(page.getByLabel('Cidade')).toHaveValue('Salvador')
  await expect(page.getByText('1 assinatura', { exact: true })).toBeVisible()
})

test('a page that the menu opens starts at its top, with the focus on its content', async ({ page }) => {
  await openAsAdministrator(page, '/admin')
  for (const name of ['Pessoas', 'Painel']) {
    await (await openMenu(page)).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    // Longer than a smooth scroll takes.
    await page.waitForTimeout(800)
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }
})

test('a phone number is found in three spellings', async ({ page }) => {
  const tag = newTag()
  const number = String(10_000_000 + Math.floor(Math.random() * 9e7)).slice(0, 8)
  const [first, last] = [number.slice(0, 4), number.slice(4)]
  await sign({ nome: `Conceição ${tag}`, whatsapp: `+55 (71) 9${first}-${last}` })
  await sign({ nome: `Antônio ${tag}`, whatsapp: `(11) 9${first}-${last}` })
  await openAsAdministrator(page, '/admin/pessoas/assinaturas?estado=AC')
  await expect(page.getByLabel('Estado')).toHaveValue('AC')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect(page.getByLabel('Estado')).toHaveValue('')

  for (const typed of [`(71) ${first}-${last}`, `719${number}`, `+55 71 9${first} ${last}`]) {
    await page.getByLabel('Nome, e-mail ou telefone').fill(typed)
    await expect.poll(() => new URL(page.url()).searchParams.get('busca')).toBe(typed)
    await expect(page.locator('.people-list[aria-busy="false"] .person-name')).toHaveText([`Conceição ${tag}`])
  }
})

test('typing can continue after the search has started', async ({ page }) => {
  await openAsAdministrator(page, '/admin/pessoas/assinaturas')
  const search = page.getByLabel('Nome, e-mail ou telefone')
  await search.pressSequentially('Maria ')
  await expect(page).toHaveURL(/busca=Maria$/)
  await search.pressSequentially('Silva')
  await expect(page).toHaveURL(/busca=Maria\+Silva$/)
  await expect(search).toHaveValue('Maria Silva')

  await search.pressSequentially(' e mais')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  // Longer than the debounce time of the search.
  await page.waitForTimeout(600)
  await expect(page).toHaveURL(/assinaturas$/)
  await expect(search).toHaveValue('')
})

test('clearing the filters also clears an incomplete date', async ({ page }) => {
  await openAsAdministrator(page, '/admin/pessoas/assinaturas?busca=Maria')
  await showAllFilters(page)
  await expectIncompleteDateCleared(page)
})

test('an empty result says so', async ({ page }) => {
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${newTag()}`)
  await expect(page.getByText('Ninguém com estes filtros.', { exact: false })).toBeVisible()
  await expect(page.getByText('0 assinaturas', { exact: true })).toBeVisible()
  await screenshot(page, 'ninguem-celular')
  await expectAccessible(page)
})

test.describe('an invalid URL', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('an invalid filter is explained at its field', async ({ page }) => {
    await openAsAdministrator(page, '/admin/pessoas/assinaturas?de=2026-02-31')
    await expect(page.getByText('Data inválida. Exemplo: 2026-11-15.').first()).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('the server does not respond', () => {
  test.use({ expectedErrors: /status of 503/ })

  test('a selected campaign stays selected when its name is unknown', async ({ page }) => {
    await page.route('**/pessoas/campanhas', (route) => route.fulfill({ status: 503, json: { success: false } }))
    await openAsAdministrator(page, '/admin/pessoas/assinaturas?campanha=juros')
    await expect(page.getByLabel('Campanha')).toHaveValue('juros')
    await page.getByLabel('Nome, e-mail ou telefone').fill('Maria')
    await expect(page).toHaveURL(/busca=Maria&campanha=juros/)
  })

  test('the page shows an error with a retry', async ({ page }) => {
    let failing = true
    await page.route('**/api/admin/pessoas/voluntarios?**', (route) =>
      failing
        ? route.fulfill({ status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } })
        : route.continue(),
    )
    await page.route('**/api/admin/pessoas/voluntarios', (route) =>
      failing
        ? route.fulfill({ status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } })
        : route.continue(),
    )
    await openAsAdministrator(page, '/admin/pessoas/voluntarios')
    await expect(page.getByRole('alert').filter({ hasText: 'muita procura' })).toBeVisible({ timeout: 15_000 })
    await screenshot(page, 'erro-celular')
    failing = false
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'muita procura' })).toBeHidden()
  })
})

test('a filtered list can be exported in both formats', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  await sign({ nome: `Fulana ${tag}`, estado: 'BA' })
  await sign({ nome: `Beltrana ${tag}`, estado: 'SP' })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}&estado=BA`)
  await page.getByRole('button', { name: 'Exportar' }).click()
  await expect(page.getByText('O arquivo terá 1 assinatura', { exact: false })).toBeVisible()
  await expectAccessible(page)

  const workbook = await exportFile(page)
  expect(workbook.suggestedFilename()).toMatch(/^assinaturas-\d{4}-\d\d-\d\d\.xlsx$/)
  await expect(page.getByText(/^Pronto: assinaturas-.*\.xlsx, com 1 linha\.$/)).toBeVisible()
  const [sheet] = await readXlsxFile(await workbook.path())
  expect(sheet?.data.map(([nome]) => nome)).toEqual(['Nome', `Fulana ${tag}`])
  await screenshot(page, 'exportar-celular')

  await page.getByLabel('Texto separado por ponto e vírgula (CSV)').check()
  const table = readFileSync(await (await exportFile(page)).path(), 'utf8')
  expect(table.startsWith('\uFEFF"Nome";"E-mail";')).toBe(true)
  expect(table.match(/\r\n/g)).toHaveLength(2)
  expect(table).toContain(`"Fulana ${tag}"`)
})

test.describe('an incomplete export', () => {
  test.use({ expectedErrors: /ERR_INCOMPLETE|ERR_FAILED|status of 429/ })

  test('shows an error and saves no file', async ({ page }) => {
    await openAsAdministrator(page, '/admin/pessoas/assinaturas')
    let saved = 0
    page.on('download', () => (saved += 1))
    await page.route('**/exportar?**', async (route) => {
      const answer = await route.fetch()
      const body = await answer.body()
      await route.fulfill({ response: answer, body: body.subarray(0, body.length - 10) })
    })
    await page.getByRole('button', { name: 'Exportar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click()
    await expect(
      page.getByText('A exportação parou no meio e o arquivo não está completo.', { exact: false }),
    ).toBeVisible()
    expect(saved).toBe(0)
  })

  test('can be cancelled', async ({ page }) => {
    await openAsAdministrator(page, '/admin/pessoas/assinaturas')
    await page.route('**/exportar?**', () => {})
    await page.getByRole('button', { name: 'Exportar' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click()
    await expect(page.getByRole('progressbar')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancelar exportação' })).toBeFocused()
    await page.getByRole('button', { name: 'Cancelar exportação' }).click()
    await expect(page.getByText('Exportação cancelada.')).toBeVisible()
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Exportar' })).toBeFocused()
  })
})

test('a CPF is revealed on request and hidden again automatically', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  await send('/api/formulario-lideres', aLeader({ nome: `Líder ${tag}`, cpf: '529.982.247-25' }))
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}`)
  // On a phone the list shows three columns, and the others on request.
  const more = page.getByRole('button', { name: 'Ver mais' })
  await expect(page.getByRole('link', { name: `Líder ${tag}` })).toBeVisible()
  if (await more.isVisible()) await more.click()
  await expect(page.getByText('•••.982.247-••')).toBeVisible()
  await page.getByRole('link', { name: `Líder ${tag}` }).click()
  const reserved = page.getByRole('region', { name: 'Dados reservados' })
  await expect(reserved.getByText('•••.982.247-••')).toBeVisible()
  await page.clock.install()

  await reserved.getByRole('button', { name: 'Revelar' }).click()
  await expect(reserved.getByText('529.982.247-25')).toBeVisible()
  await expect(reserved.getByText('29/02/1984')).toBeVisible()
  await expectAccessible(page)
  await screenshot(page, 'lider-celular')

  await page.clock.fastForward(61_000)
  await expect(reserved.getByText('529.982.247-25')).toBeHidden()
  await expect(reserved.getByText('•••.982.247-••')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Líderes', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`lideres\\?busca=${tag}$`))
})

test('a deleted person is gone from every list', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  const email = `apagar.${tag.toLowerCase()}@example.org`
  await sign({ nome: `Fulana ${tag}`, email })
  await send('/api/lideres', anInfluencer({ name: `Fulana ${tag}`, email }))
  const [conversation] = await rows<{ id: string }>(
    'insert into bot_conversas ("subscriberId", nome, email) values ($1, $2, $3) returning id',
    [tag, `Fulana ${tag}`, email],
  )
  const { ask } = await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  const { campanhas } = await ask<ReplyOf<typeof listSignedCampaigns>>('GET', '/api/admin/pessoas/campanhas')
  const title = campanhas.find(({ slug }) => slug === interestRatePetition.slug)?.titulo ?? ''
  expect(title).not.toBe('')
  const counted = () =>
    fetch(`${siteUrl()}/api/peticoes/count`).then(async (answer) => ((await answer.json()) as { count: number }).count)
  await expect.poll(counted).toBeGreaterThan(18_245)

  // A phone shows the campaign on demand.
  await expect(page.locator('td[data-title="Campanha"]')).toHaveText(title)
  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  await expect(page.getByRole('region', { name: 'Dados' })).toContainText(title)
  await page.getByRole('button', { name: 'Apagar só este registro' }).click()
  const confirmation = page.getByRole('dialog').filter({ hasText: 'Não dá para desfazer.' })
  await expectAccessible(page)
  await screenshot(page, 'apagar-celular')
  await expect(confirmation.last()).toContainText('O que ela disse ao chatbot não sai junto')
  await confirmation.last().getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: /^Conversa ·/ })).toHaveAttribute(
    'href',
    `/admin/botconversa/${conversation?.id}`,
  )
  await screenshot(page, 'com-conversa-celular')
  await page
    .getByRole('region', { name: 'Com o mesmo e-mail' })
    .getByRole('link', { name: /Influenciadores/ })
    .click()
  await expect(page).toHaveURL(/\/admin\/pessoas\/influenciadores/)
  await expect(
    page.getByRole('region', { name: 'Com o mesmo e-mail' }).getByRole('link', { name: `Assinaturas · ${title}` }),
  ).toBeVisible()
  // It cannot be saved any more, so the page is left without a question.
  await page.getByLabel('Nova nota').fill('Pediu para sair.')
  await page.getByRole('button', { name: 'Apagar só este registro' }).click()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Dados apagados.' }).first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const { total } = await ask<{ total: number }>('GET', `/api/admin/pessoas/influenciadores/total?busca=${tag}`)
  expect(total).toBe(0)
})

test('everything about a person is listed and erased with the keyboard', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  const email = `tudo.${tag.toLowerCase()}@example.org`
  await sign({ nome: `Fulana ${tag}`, email })
  await send('/api/lideres', anInfluencer({ name: `Fulana ${tag}`, email }))
  await rows('insert into bot_conversas ("subscriberId", nome, email) values ($1, $2, $3)', [
    ...[tag, `Fulana ${tag}`, email],
  ])
  const { ask } = await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  await page.getByRole('button', { name: 'Apagar tudo desta pessoa' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Apagar tudo desta pessoa' })
  await expect(dialog.getByRole('listitem')).toContainText([
    '1 assinatura',
    '1 influenciador',
    '1 conversa com o chatbot',
  ])
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  await screenshot(page, 'apagar-tudo')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Apagar tudo desta pessoa' })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Apagar tudo' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Tudo desta pessoa foi apagado.').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/admin/pessoas/assinaturas\\?busca=${tag}$`))
  await expect(page.getByText('0 assinaturas')).toBeVisible()
  const { total } = await ask<{ total: number }>('GET', `/api/admin/pessoas/influenciadores/total?busca=${tag}`)
  expect(total).toBe(0)
  expect(await rows('select id from bot_conversas where "subscriberId" = $1', [tag])).toEqual([])
})

test('a deletion in progress cannot be cancelled, and its response does not change the current page', async ({
  page,
}) => {
  const tag = newTag()
  await sign({ nome: `Fulana ${tag}` })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  const release = await holdRequests(page, '/api/admin/pessoas/assinaturas/*', 'DELETE')
  await page.getByRole('button', { name: 'Apagar só este registro' }).click()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  const confirmation = page.getByRole('dialog', { name: 'Apagar o registro' })
  await expect(confirmation.getByRole('button', { name: 'Cancelar' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(confirmation).toBeVisible()

  await page.goBack()
  await page.getByRole('link', { name: 'Voluntários' }).click()
  await showAllFilters(page)
  await page.getByLabel('Tarefa').selectOption({ index: 1 })
  await expect(page).toHaveURL(/voluntarios\?tarefa=/)
  const currentUrl = page.url()
  release()
  await expect(page.getByText('Dados apagados.').first()).toBeVisible()
  expect(page.url()).toBe(currentUrl)
})

test.describe('deletion', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('of a record that another administrator has deleted shows a message and updates the list', async ({ page }) => {
    const tag = newTag()
    await sign({ nome: `Fulana ${tag}` })
    await sign({ nome: `Beltrana ${tag}` })
    const { ask } = await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
    await page.getByRole('link', { name: `Fulana ${tag}` }).click()
    await page.getByRole('button', { name: 'Apagar só este registro' }).click()
    await ask('DELETE', `/api/admin/pessoas/assinaturas/${new URL(page.url()).pathname.split('/').at(-1)}`)
    await page.getByRole('button', { name: 'Apagar', exact: true }).click()
    const confirmation = page.getByRole('dialog', { name: 'Apagar o registro' })
    await expect(confirmation.getByRole('alert')).toHaveText('Este registro não existe ou já foi apagado.')
    await confirmation.getByRole('button', { name: 'Cancelar' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect.poll(() => names(page)).toEqual([`Beltrana ${tag}`])

    await page.getByRole('link', { name: `Beltrana ${tag}` }).click()
    await page.getByRole('button', { name: 'Apagar só este registro' }).click()
    await page.getByRole('button', { name: 'Apagar', exact: true }).click()
    await expect(page.getByText('0 assinaturas')).toBeVisible()
  })

  test('of the last record of a later page offers the way to the first page', async ({ page }) => {
    const tag = newTag()
    await sign({ nome: `Fulana ${tag}` })
    await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
    const address = await page.getByRole('link', { name: `Fulana ${tag}` }).getAttribute('href')
    const id = address?.split('/').at(-1)
    await page.goto(`/admin/pessoas/assinaturas?busca=${tag}&antes=${id}`)
    await expect(page.getByText('Não há mais nada deste lado da lista.')).toBeVisible()
    await page.getByRole('button', { name: 'Ir para o começo da lista' }).click()
    await expect(page.getByRole('link', { name: `Fulana ${tag}` })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`assinaturas\\?busca=${tag}$`))
  })
})

test('on a wide screen the list is a table', async ({ page }) => {
  const tag = newTag()
  for (let n = 0; n < 30; n++) await sign({ nome: `Fulana de Tal com um Nome Bastante Comprido ${n} ${tag}` })
  await page.setViewportSize({ width: 1280, height: 800 })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  await expect(page.getByText('30 assinaturas')).toBeVisible()
  await screenshot(page, 'largo')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page.locator('.people-list[aria-busy="false"] .person-name')).toHaveCount(5)
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(page.locator('.people-list[aria-busy="false"] .person-name')).toHaveCount(25)
  await page.getByRole('link', { name: new RegExp(` 29 ${tag}`) }).click()
  await expect(page.getByRole('heading', { name: 'Acompanhamento' })).toBeVisible()
  await screenshot(page, 'registro-largo')
})
