// An organiser's errands with lists of people: finding somebody, taking a list home, looking at what is reserved, erasing.
import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import readXlsxFile from 'read-excel-file/node'
import { expectHalfADayToGo, openAsAdministrator } from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  holdBack,
  siteUrl,
  takePicture,
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

/** A word that only the people of one test have in their names. */
const newTag = () => `Etiqueta${crypto.randomUUID().replace(/\d|-/g, '').slice(0, 8)}`

const names = (page: Page) => page.locator('.person-name').allTextContents()
const picture = (page: Page, name: string) => takePicture(page, `admin-pessoas-${name}`, { fullPage: true })

async function takeFile(page: Page): Promise<Download> {
  const coming = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Exportar' }).click()
  return coming
}

test('somebody is found by name and by city', { tag: '@quick' }, async ({ page }) => {
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
  await picture(page, 'celular')
  await expectNoSidewaysScroll(page)

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

test('a telephone is found in each of three ways to type it', async ({ page }) => {
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

test('who stops after a word goes on with the next', async ({ page }) => {
  await openAsAdministrator(page, '/admin/pessoas/assinaturas')
  const search = page.getByLabel('Nome, e-mail ou telefone')
  await search.pressSequentially('Maria ')
  await expect(page).toHaveURL(/busca=Maria$/)
  await search.pressSequentially('Silva')
  await expect(page).toHaveURL(/busca=Maria\+Silva$/)
  await expect(search).toHaveValue('Maria Silva')

  await search.pressSequentially(' e mais')
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  // Longer than the pause of who has finished.
  await page.waitForTimeout(600)
  await expect(page).toHaveURL(/assinaturas$/)
  await expect(search).toHaveValue('')
})

test('half a day goes with the other filters', async ({ page }) => {
  await openAsAdministrator(page, '/admin/pessoas/assinaturas?busca=Maria')
  await expectHalfADayToGo(page)
})

test('where there is nobody, that is said', async ({ page }) => {
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${newTag()}`)
  await expect(page.getByText('Ninguém com estes filtros.', { exact: false })).toBeVisible()
  await expect(page.getByText('0 assinaturas', { exact: true })).toBeVisible()
  await picture(page, 'ninguem-celular')
  await expectAccessible(page)
})

test.describe('a wrong address', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('a filter that cannot be understood is explained beside its field', async ({ page }) => {
    await openAsAdministrator(page, '/admin/pessoas/assinaturas?de=2026-02-31')
    await expect(page.getByText('Data inválida. Exemplo: 2026-11-15.').first()).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('the server does not answer', () => {
  test.use({ expectedErrors: /status of 503/ })

  test('a chosen campaign stays chosen though its name is not known', async ({ page }) => {
    await page.route('**/pessoas/campanhas', (route) => route.fulfill({ status: 503, json: { success: false } }))
    await openAsAdministrator(page, '/admin/pessoas/assinaturas?campanha=juros')
    await expect(page.getByLabel('Campanha')).toHaveValue('juros')
    await page.getByLabel('Nome, e-mail ou telefone').fill('Maria')
    await expect(page).toHaveURL(/busca=Maria&campanha=juros/)
  })

  test('that is told, and one can try again', async ({ page }) => {
    let away = true
    await page.route('**/api/admin/pessoas/voluntarios?**', (route) =>
      away
        ? route.fulfill({ status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } })
        : route.continue(),
    )
    await page.route('**/api/admin/pessoas/voluntarios', (route) =>
      away
        ? route.fulfill({ status: 503, json: { success: false, message: 'Estamos com muita procura agora.' } })
        : route.continue(),
    )
    await openAsAdministrator(page, '/admin/pessoas/voluntarios')
    await expect(page.getByRole('alert').filter({ hasText: 'muita procura' })).toBeVisible({ timeout: 15_000 })
    await picture(page, 'erro-celular')
    away = false
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'muita procura' })).toBeHidden()
  })
})

test('a list goes home in both formats, as it is filtered', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  await sign({ nome: `Fulana ${tag}`, estado: 'BA' })
  await sign({ nome: `Beltrana ${tag}`, estado: 'SP' })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}&estado=BA`)
  await page.getByRole('button', { name: 'Exportar' }).click()
  await expect(page.getByText('O arquivo terá 1 assinatura', { exact: false })).toBeVisible()
  await expectAccessible(page)

  const workbook = await takeFile(page)
  expect(workbook.suggestedFilename()).toMatch(/^assinaturas-\d{4}-\d\d-\d\d\.xlsx$/)
  await expect(page.getByText(/^Pronto: assinaturas-.*\.xlsx, com 1 linha\.$/)).toBeVisible()
  const [sheet] = await readXlsxFile(await workbook.path())
  expect(sheet?.data.map(([nome]) => nome)).toEqual(['Nome', `Fulana ${tag}`])
  await picture(page, 'exportar-celular')

  await page.getByLabel('Texto separado por ponto e vírgula (CSV)').check()
  const table = readFileSync(await (await takeFile(page)).path(), 'utf8')
  expect(table.startsWith('\uFEFF"Nome";"E-mail";')).toBe(true)
  expect(table.match(/\r\n/g)).toHaveLength(2)
  expect(table).toContain(`"Fulana ${tag}"`)
})

test.describe('an export that does not end', () => {
  test.use({ expectedErrors: /ERR_INCOMPLETE|ERR_FAILED|status of 429/ })

  test('is told, and no file is saved', async ({ page }) => {
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

test('a CPF is shown when asked for, and hides again by itself', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  await send('/api/formulario-lideres', aLeader({ nome: `Líder ${tag}`, cpf: '529.982.247-25' }))
  await openAsAdministrator(page, `/admin/pessoas/lideres?busca=${tag}`)
  await expect(page.getByText('•••.982.247-••')).toBeVisible()
  await page.getByRole('link', { name: `Líder ${tag}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('•••.982.247-••')).toBeVisible()
  await page.clock.install()

  await dialog.getByRole('button', { name: 'Revelar' }).click()
  await expect(dialog.getByText('529.982.247-25')).toBeVisible()
  await expect(dialog.getByText('29/02/1984')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'lider-celular')

  await page.clock.fastForward(61_000)
  await expect(dialog.getByText('529.982.247-25')).toBeHidden()
  await expect(dialog.getByText('•••.982.247-••')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('link', { name: `Líder ${tag}` })).toBeFocused()
})

test('who asks to be erased is gone from every list', { tag: '@quick' }, async ({ page }) => {
  const tag = newTag()
  const email = `apagar.${tag.toLowerCase()}@example.org`
  await sign({ nome: `Fulana ${tag}`, email })
  await send('/api/lideres', anInfluencer({ name: `Fulana ${tag}`, email }))
  const [conversation] = await rows<{ id: string }>(
    'insert into bot_conversas ("subscriberId", nome, email) values ($1, $2, $3) returning id',
    [tag, `Fulana ${tag}`, email],
  )
  const { ask } = await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  const counted = () =>
    fetch(`${siteUrl()}/api/peticoes/count`).then(async (answer) => ((await answer.json()) as { count: number }).count)
  await expect.poll(counted).toBeGreaterThan(18_245)

  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
  const confirmation = page.getByRole('dialog').filter({ hasText: 'Não dá para desfazer.' })
  await expectAccessible(page)
  await picture(page, 'apagar-celular')
  await expect(confirmation.last()).toContainText('O que ela disse ao chatbot não sai junto')
  await confirmation.last().getByRole('button', { name: 'Cancelar' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: /^Conversa/ })).toHaveAttribute(
    'href',
    `/admin/botconversa/${conversation?.id}`,
  )
  await picture(page, 'com-conversa-celular')
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Influenciadores/ })
    .click()
  await expect(page).toHaveURL(/\/admin\/pessoas\/influenciadores/)
  await expect(page.getByRole('dialog').getByRole('link', { name: /Assinaturas/ })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Dados apagados.' }).first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const { total } = await ask<{ total: number }>('GET', `/api/admin/pessoas/influenciadores/total?busca=${tag}`)
  expect(total).toBe(0)
})

test('an erasure under way cannot be called off, and its answer leads nobody away from where they went', async ({
  page,
}) => {
  const tag = newTag()
  await sign({ nome: `Fulana ${tag}` })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  await page.getByRole('link', { name: `Fulana ${tag}` }).click()
  const letGo = await holdBack(page, '/api/admin/pessoas/assinaturas/*', 'DELETE')
  await page.getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
  await page.getByRole('button', { name: 'Apagar', exact: true }).click()
  const confirmation = page.getByRole('dialog', { name: 'Apagar os dados' })
  await expect(confirmation.getByRole('button', { name: 'Cancelar' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(confirmation).toBeVisible()

  await page.goBack()
  await page.getByRole('link', { name: 'Voluntários' }).click()
  await page.getByLabel('Tarefa').selectOption({ index: 1 })
  await expect(page).toHaveURL(/voluntarios\?tarefa=/)
  const there = page.url()
  letGo()
  await expect(page.getByText('Dados apagados.').first()).toBeVisible()
  expect(page.url()).toBe(there)
})

test.describe('erased', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('by somebody else meanwhile: that is told, and the list is as it is', async ({ page }) => {
    const tag = newTag()
    await sign({ nome: `Fulana ${tag}` })
    await sign({ nome: `Beltrana ${tag}` })
    const { ask } = await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
    await page.getByRole('link', { name: `Fulana ${tag}` }).click()
    await page.getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
    await ask('DELETE', `/api/admin/pessoas/assinaturas/${new URL(page.url()).searchParams.get('registro')}`)
    await page.getByRole('button', { name: 'Apagar', exact: true }).click()
    const confirmation = page.getByRole('dialog', { name: 'Apagar os dados' })
    await expect(confirmation.getByRole('alert')).toHaveText('Este registro não existe ou já foi apagado.')
    await expect.poll(() => names(page)).toEqual([`Beltrana ${tag}`])
    await confirmation.getByRole('button', { name: 'Cancelar' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('link', { name: `Beltrana ${tag}` }).click()
    await page.getByRole('button', { name: 'Apagar os dados desta pessoa' }).click()
    await page.getByRole('button', { name: 'Apagar', exact: true }).click()
    await expect(page.getByText('0 assinaturas')).toBeFocused()
  })

  test('the last of a later page: the way back to the newest is there', async ({ page }) => {
    const tag = newTag()
    await sign({ nome: `Fulana ${tag}` })
    await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
    const address = await page.getByRole('link', { name: `Fulana ${tag}` }).getAttribute('href')
    const id = new URLSearchParams(address?.slice(1)).get('registro')
    await page.goto(`/admin/pessoas/assinaturas?busca=${tag}&antes=${id}`)
    await expect(page.getByText('Não há mais nada deste lado da lista.')).toBeVisible()
    await page.getByRole('button', { name: 'Ir para o começo da lista' }).click()
    await expect(page.getByRole('link', { name: `Fulana ${tag}` })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`assinaturas\\?busca=${tag}$`))
  })
})

test('on a wide screen it is a table', async ({ page }) => {
  const tag = newTag()
  for (let n = 0; n < 30; n++) await sign({ nome: `Fulana de Tal com um Nome Bastante Comprido ${n} ${tag}` })
  await page.setViewportSize({ width: 1280, height: 800 })
  await openAsAdministrator(page, `/admin/pessoas/assinaturas?busca=${tag}`)
  await expect(page.getByText('30 assinaturas')).toBeVisible()
  await picture(page, 'largo')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page.locator('.people-list[aria-busy="false"] .person-name')).toHaveCount(5)
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(page.locator('.people-list[aria-busy="false"] .person-name')).toHaveCount(25)
  await page.getByRole('link', { name: new RegExp(` 29 ${tag}`) }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'registro-largo')
})
