// Campaigns in the admin area, and their effect on the public pages.
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import {
  asAdministrator,
  createCampaign,
  expectSessionEnded,
  logInOnPage,
  openAsAdministrator,
  openMenu,
  pressLogout,
  triggerRefetch,
} from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import {
  displayedCount,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  fillSignature,
  holdRequests,
  open,
  siteUrl,
  takeScreenshot,
  test,
  waitForLoad,
} from '#tests/e2e/visitor.ts'
import { aCampaign } from '#tests/helpers/factories.ts'
import { aPicture } from '#tests/helpers/pictures.ts'

const campaigns = '/api/admin/campaigns'

/** At phone and desktop width. */
async function screenshot(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [375, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await takeScreenshot(page, `admin-campanhas-${name}-${width}`, { fullPage: true })
  }
  await page.setViewportSize({ width: 360, height: 740 })
}

const titleOf = (page: Page) => page.getByLabel('Título *', { exact: true })
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Manifesto' })
const save = (page: Page) => page.getByRole('button', { name: 'Salvar', exact: true }).click()

/** While the database is busy, the server serves cached data for a short time after a change. */
const answers = (page: Page, path: string, status: number) =>
  expect.poll(async () => (await page.request.get(path)).status()).toBe(status)

/** Pastes HTML as from the clipboard of another program. */
async function paste(editor: Locator, html: string): Promise<void> {
  await editor.evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', text)
    clipboardData.setData('text/plain', 'texto')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
}

test.describe('the life of a campaign', () => {
  test.use({ expectedErrors: /status of 404/ })

  test('an administrator writes a campaign, a visitor signs it, and the administrator deactivates it', async ({
    page,
    context,
  }) => {
    test.slow()
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    await expect(page.getByRole('link', { name: 'O Brasil quer paz', exact: true })).toBeVisible()
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'lista')
    await page.getByRole('link', { name: 'Nova campanha' }).click()

    // An empty form focuses the first missing field.
    await expect(editorOf(page)).toBeVisible()
    await page.getByRole('button', { name: 'Criar campanha' }).click()
    await expect(page.getByRole('link', { name: /Manifesto: Escreva o manifesto/ })).toBeVisible()
    await expect(page.getByLabel('Título *', { exact: true })).toBeFocused()

    // The slug follows the title until it is edited, and is checked while it is typed.
    await page.getByLabel('Título *', { exact: true }).fill('O Brasil quer paz')
    await expect(page.getByLabel('Endereço da página')).toHaveValue('o-brasil-quer-paz')
    await page.getByLabel('Endereço da página').fill('brasilquerpaz')
    await expect(page.getByText('Já existe uma campanha com esse endereço')).toBeVisible()
    const slug = `praca-viva-${crypto.randomUUID()}`
    await page.getByLabel('Endereço da página').fill(slug)
    await expect(page.getByText('Endereço disponível')).toBeVisible()
    await page.getByLabel('Título *', { exact: true }).fill('Praça viva, já!')
    await expect(page.getByLabel('Endereço da página')).toHaveValue(slug)
    await expect(page.getByText('15 de 200 caracteres')).toBeVisible()

    await page.getByRole('button', { name: 'Criar campanha' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Confira os campos marcados' })).toBeVisible()
    await expect(page.getByRole('link', { name: /Manifesto: Escreva o manifesto/ })).toBeVisible()
    await expect(editorOf(page)).toBeFocused()
    await expectAccessible(page)
    await screenshot(page, 'erro')

    // By keyboard: into the toolbar, along it, and back into the text.
    await editorOf(page).click()
    await page.keyboard.type('Queremos sombra e bancos.')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Título (nível 2)' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('O que pedimos')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Título (nível 2)' }).focus()
    for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('button', { name: 'Lista', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Uma árvore')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('Um banco')
    await page.getByRole('radio', { name: 'Verde' }).check()
    const drawn = page.waitForRequest(/\/cartao\?.*count=1200\b/)
    await page.getByLabel('Contagem inicial').fill('1.200')
    await drawn
    // The sheet tab follows the title until it is edited.
    await expect(page.getByLabel('Aba da planilha')).toHaveValue('Praça viva, já!')
    await page.getByLabel('Aba da planilha').fill('praca')
    await page.getByLabel('Título *', { exact: true }).fill('Praça viva')
    await expect(page.getByText('10 de 200 caracteres')).toBeVisible()
    await page.getByLabel('Título *', { exact: true }).fill('Praça viva, já!')
    await expect(page.getByText('15 de 200 caracteres')).toBeVisible()
    await expect(page.getByLabel('Aba da planilha')).toHaveValue('praca')
    await expect(page.getByLabel('Pôr no ar assim que for criada')).not.toBeChecked()
    await page.getByLabel('Pôr no ar assim que for criada').check()
    await expect(page.getByText('Há mudanças não salvas')).toBeVisible()
    await expect(page.locator('.share-bubble img')).toHaveAttribute('src', /^data:image\/png/)
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'formulario')

    await page.getByRole('button', { name: 'Ver prévia' }).click()
    const frame = page.frameLocator('iframe')
    await expect(frame.getByRole('heading', { level: 1, name: 'Praça viva, já!' })).toBeVisible()
    await expect(frame.locator('.manifesto')).toContainText('Uma árvore')
    expect(await displayedCount(frame)).toBe(1200)
    await screenshot(page, 'previa')
    await page.getByLabel('Computador').check()
    await expect(frame.getByRole('navigation', { name: 'Principal' })).toBeVisible()
    await screenshot(page, 'previa-computador')
    // The preview does not send the form.
    await frame.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(frame.getByRole('alert').filter({ hasText: 'Nome' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Fechar', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Ver prévia' })).toBeFocused()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await page.getByRole('button', { name: 'Criar campanha' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Praça viva, já!' })).toBeVisible()
    await expect(page).toHaveURL(/\/admin\/campanhas\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
    expect(campaign.manifestoHtml).toBe(
      '<p>Queremos sombra e bancos.</p><h2>O que pedimos</h2><ul><li>Uma árvore</li><li><strong>Um banco</strong></li></ul>',
    )

    const visitor = await context.newPage()
    await answers(page, `/p/${slug}`, 200)
    await open(visitor, `/p/${slug}`)
    await expect(visitor.getByRole('heading', { level: 1, name: 'Praça viva, já!' })).toBeVisible()
    expect(await displayedCount(visitor)).toBe(1200)
    await fillSignature(visitor)
    await visitor.getByRole('button', { name: 'Assinar a petição' }).click()
    await expect(visitor.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()

    const signatures = async () =>
      (await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)).campaign.signatures
    await expect.poll(signatures).toBe(1)
    await page.reload()
    await expect(page.getByText('1 assinatura, 0 confirmadas', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Endereço da página')).not.toBeEditable()
    await expect(page.getByText('O endereço não muda mais: a campanha já tem assinaturas')).toBeVisible()

    await page.getByRole('button', { name: 'Tirar do ar' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Tirar do ar' }).click()
    await expect(page.locator('.campaign-facts').getByText('Fora do ar')).toBeVisible()
    await answers(page, `/p/${slug}`, 404)
    await answers(page, `/api/campaigns/${slug}/count`, 404)
    await page.getByRole('button', { name: 'Pôr no ar' }).click()
    await expect(page.locator('.campaign-facts').getByText('No ar')).toBeVisible()
    await answers(page, `/p/${slug}`, 200)
  })
})

test('a page opened before a change signs the version that it showed, online or after being offline', async ({
  page,
  context,
  newVisitor,
}) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id, slug } = await createCampaign(caller)
  const visitor = await context.newPage()
  await open(visitor, `/p/${slug}`)
  await fillSignature(visitor)
  const offlineVisitor = await newVisitor({ expectedErrors: /ERR_INTERNET_DISCONNECTED/ })
  const offlineContext = offlineVisitor.context()
  await open(offlineVisitor, `/p/${slug}`)
  await fillSignature(offlineVisitor)
  await offlineContext.setOffline(true)
  await offlineVisitor.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(offlineVisitor.getByRole('heading', { name: /Sua assinatura está guardada/ })).toBeVisible()

  await page.goto(`/admin/campanhas/${id}`)
  await editorOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' E mais uma frase.')
  await save(page)
  await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()

  await visitor.getByRole('button', { name: 'Assinar a petição' }).click()
  await expect(visitor.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible()
  await offlineContext.setOffline(false)
  await expect(offlineVisitor.getByRole('heading', { name: 'Obrigado! Sua voz conta' })).toBeVisible({
    timeout: 30_000,
  })
  const versions = page.getByRole('region', { name: 'Versões do manifesto' })
  const listed = versions.getByRole('row')
  // The counts are updated periodically.
  await expect(async () => {
    await page.reload()
    await expect(listed.nth(2).getByRole('cell').nth(3)).toHaveText('2', { timeout: 8_000 })
  }).toPass({ timeout: 45_000 })
  await expect(listed.nth(1)).toContainText('2 (atual)')
  await expect(listed.nth(1).getByRole('cell').nth(3)).toHaveText('0')
  await expect(versions.getByText(/^Assinaturas contadas em .*\d\.$/)).toBeVisible()
  await listed.nth(2).getByRole('button', { name: 'Ler a versão 1' }).click()
  await expect(page.getByRole('dialog')).toContainText('Um texto de exemplo.')
  await expect(page.getByRole('dialog')).not.toContainText('E mais uma frase')
  await expectAccessible(page)
})

test('deactivating a campaign that another administrator has just deactivated does not activate it', async ({
  page,
  context,
}) => {
  await page.clock.install()
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id, titulo } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  await page.getByRole('button', { name: `Tirar do ar ${titulo}` }).click()
  await caller.ask('POST', `${campaigns}/${id}/desativar`)
  await triggerRefetch(page, context)
  await expect(page.getByRole('button', { name: `Pôr no ar ${titulo}`, includeHidden: true })).toBeAttached()

  await page.getByRole('dialog').getByRole('button', { name: 'Tirar do ar' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
  expect(campaign.isActive).toBe(false)
})

test('the dialog for deactivating a campaign lists where it is linked', { tag: '@quick' }, async ({ page }) => {
  await openAsAdministrator(page, '/admin/campanhas')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: /: fim da escala 6x1$/ }) })
  await row.getByRole('button', { name: 'Tirar do ar' }).click()

  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Ela sai sozinha da página inicial', { exact: false })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText(['Menu de todas as páginas: Fim da escala 6x1'])
  await expectAccessible(page)
  await screenshot(page, 'tirar-do-ar')
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
})

test('the dialog closes after a deactivation, even while the list is still loading', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { titulo } = await createCampaign(caller, { titulo: `Some da lista ${crypto.randomUUID()}` })
  await page.reload()
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: titulo, exact: true }) })
  await row.getByRole('button', { name: `Tirar do ar ${titulo}` }).click()
  const release = await holdRequests(page, campaigns)
  await page.getByRole('dialog').getByRole('button', { name: 'Tirar do ar' }).click()

  await expect(page.locator('.toast')).toBeAttached()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  release()
  await expect(row).toContainText('Fora do ar')
})

test('saving another field creates no new version of the manifesto', { tag: '@quick' }, async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { campaigns: all } = await caller.ask<{ campaigns: StoredCampaign[] }>('GET', campaigns)
  const stored = all.find(({ slug }) => slug === 'contra-pec-da-impunidade')
  await page.goto(`/admin/campanhas/${stored?.id}`)
  await editorOf(page).click()
  await page.keyboard.type('x')
  await page.keyboard.press('Backspace')
  await expect(page.getByText('Há mudanças não salvas')).toBeHidden()
  await page.getByLabel('Aba da planilha').fill(`pec-da-impunidade ${crypto.randomUUID().slice(0, 8)}`)
  await save(page)
  await expect(page.getByText('Campanha salva com sucesso!').first()).toBeVisible()
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${stored?.id}`)
  expect(campaign.versaoManifesto).toBe(stored?.versaoManifesto)
})

test.describe('two administrators', () => {
  test.use({ expectedErrors: /status of 409/ })

  test('the second one sees the conflict and the changes, and both edits are kept', { tag: '@quick' }, async ({
    page,
  }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const read = await createCampaign(caller, {
      subtitulo: 'O subtítulo de antes',
      manifestoHtml: '<p>Primeiro parágrafo.</p><p>Segundo parágrafo.</p>',
    })
    await page.goto(`/admin/campanhas/${read.id}`)
    await page.getByLabel('Título *', { exact: true }).fill('O título da segunda')
    await editorOf(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Da segunda.')

    await caller.ask('PUT', `${campaigns}/${read.id}`, {
      ...read,
      titulo: 'O título da primeira',
      subtitulo: 'O subtítulo da primeira',
      manifestoHtml: '<p>Primeiro parágrafo, mudado.</p><p>Segundo parágrafo.</p>',
    })
    await save(page)

    await expect(page.getByRole('heading', { name: 'Outra pessoa salvou antes de você' })).toBeFocused()
    const panel = page.getByRole('region', { name: 'Outra pessoa salvou antes de você' })
    await expect(panel).toContainText('O subtítulo da primeira')
    await expect(panel.getByRole('group', { name: /Título: vocês dois mudaram/ })).toContainText('O título da primeira')
    await expect(panel.getByRole('group', { name: /Manifesto: vocês dois/ }).locator('ins')).toHaveText([
      'Segundo parágrafo. Da segunda.',
      'Primeiro parágrafo, mudado.',
    ])
    await expectAccessible(page)
    await expectNoHorizontalScroll(page)
    await screenshot(page, 'conflito')
    // The form is locked: text typed now would not be part of the merge.
    await titleOf(page).focus()
    await page.keyboard.type(' e mais')
    await expect(titleOf(page)).toHaveValue('O título da segunda')
    const stored = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${read.id}`)
    expect(stored.campaign.titulo).toBe('O título da primeira')

    await panel
      .getByRole('group', { name: /Manifesto: vocês dois/ })
      .getByLabel('Ficar com o que está salvo')
      .check()
    await panel.getByRole('button', { name: 'Juntar as mudanças' }).click()
    await expect(page.getByLabel('Subtítulo', { exact: true })).toHaveValue('O subtítulo da primeira')
    await expect(page.getByLabel('Título *', { exact: true })).toHaveValue('O título da segunda')
    await expect(editorOf(page)).toContainText('Primeiro parágrafo, mudado.')
    await save(page)
    await expect(page.getByText('Campanha salva com sucesso!').first()).toBeVisible()
    const after = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${read.id}`)
    expect(after.campaign).toMatchObject({
      titulo: 'O título da segunda',
      subtitulo: 'O subtítulo da primeira',
      manifestoHtml: '<p>Primeiro parágrafo, mudado.</p><p>Segundo parágrafo.</p>',
    })
  })
})

test.describe('a session that ends during editing', () => {
  test.use({ expectedErrors: /status of (401|409)/ })

  test('loses no text, and still warns that another administrator has saved', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const read = await createCampaign(caller)
    await page.goto(`/admin/campanhas/${read.id}`)
    await page.getByLabel('Título *', { exact: true }).fill('Um título que custou')
    await editorOf(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Uma frase que custou.')
    await caller.ask('POST', '/api/admin/logout')
    // The request for the link preview may detect the end of the session first.
    await page
      .getByRole('button', { name: 'Salvar', exact: true })
      .click({ timeout: 3_000 })
      .catch(() => {})
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()

    const other = await asAdministrator()
    await other.ask('PUT', `${campaigns}/${read.id}`, { ...read, subtitulo: 'De outra pessoa' })
    await logInOnPage(page)

    await expect(page.getByText('Trouxemos de volta o que você tinha escrito.')).toBeVisible()
    await expect(page.getByLabel('Título *', { exact: true })).toHaveValue('Um título que custou')
    await expect(editorOf(page)).toContainText('Uma frase que custou.')
    await save(page)
    await expect(page.getByRole('heading', { name: 'Outra pessoa salvou antes de você' })).toBeFocused()
    await page.getByRole('button', { name: 'Juntar as mudanças' }).click()
    await save(page)
    await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()
    const { campaign } = await other.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${read.id}`)
    expect(campaign).toMatchObject({
      titulo: 'Um título que custou',
      subtitulo: 'De outra pessoa',
      manifestoHtml: '<p>Um texto de exemplo. Uma frase que custou.</p>',
    })
  })

  test('in another tab loses no text either', async ({ page, context }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const { id } = await createCampaign(caller)
    await page.goto(`/admin/campanhas/${id}`)
    await titleOf(page).fill('Um título da outra aba')
    await editorOf(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Uma frase da outra aba.')

    const other = await context.newPage()
    await open(other, '/admin/dashboard')
    await pressLogout(other)
    await expect(other).toHaveURL(/\/admin$/)
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)

    await expect(page.getByText('Trouxemos de volta o que você tinha escrito.')).toBeVisible()
    await expect(titleOf(page)).toHaveValue('Um título da outra aba')
    await expect(editorOf(page)).toContainText('Uma frase da outra aba.')
    await save(page)
    await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()
    await expect(page.getByText('Trouxemos de volta')).toHaveCount(0)
  })

  test('leaves a draft that can be discarded', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const { id, titulo } = await createCampaign(caller)
    await page.goto(`/admin/campanhas/${id}`)
    await titleOf(page).fill('Não quero mais')
    await caller.ask('POST', '/api/admin/logout')
    // The request for the link preview may detect the end of the session first.
    await save(page).catch(() => {})
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)
    await expect(titleOf(page)).toHaveValue('Não quero mais')
    const discard = page.getByRole('button', { name: 'Descartar e usar o que está salvo' })
    await expect(discard).toBeInViewport({ ratio: 1 })
    await screenshot(page, 'rascunho-de-volta')
    await discard.click()
    await expect(titleOf(page)).toHaveValue(titulo)
    await expect(page.getByText('Trouxemos de volta')).toHaveCount(0)
    await expect(page.locator('.campaign-facts')).toBeFocused()
    await expect(page.getByText('Há mudanças não salvas')).toHaveCount(0)
    await page.reload()
    await expect(titleOf(page)).toHaveValue(titulo)
  })

  test('leaves a draft of a new campaign that can be discarded', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas/nova')
    await titleOf(page).fill('Não quero mais')
    await caller.ask('POST', '/api/admin/logout')
    await page
      .getByRole('button', { name: 'Criar campanha' })
      .click({ timeout: 3_000 })
      .catch(() => {})
    await expect(page.getByText('Sua sessão terminou.')).toBeVisible()
    await logInOnPage(page)
    await expect(titleOf(page)).toHaveValue('Não quero mais')
    await page.getByRole('button', { name: 'Descartar', exact: true }).click()
    await expect(titleOf(page)).toHaveValue('')
    await expect(titleOf(page)).toBeFocused()
    await expect(page.getByText('Trouxemos de volta')).toHaveCount(0)
  })
})

test('leaving with unsaved changes asks for confirmation and can be cancelled', async ({ page }) => {
  await openAsAdministrator(page, '/admin/campanhas/nova')
  await page.getByLabel('Título *', { exact: true }).fill('Ainda não')
  await page.getByRole('main').getByRole('link', { name: 'Campanhas', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continuar editando' }).click()
  await expect(page.getByLabel('Título *', { exact: true })).toHaveValue('Ainda não')
  await page.getByRole('main').getByRole('link', { name: 'Campanhas', exact: true }).click()
  await page.getByRole('button', { name: 'Sair sem salvar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Campanhas' })).toBeVisible()

  // The menu stays on the page, so the focus must move to the new page.
  await page.getByRole('link', { name: 'Nova campanha' }).click()
  await titleOf(page).fill('Ainda não')
  const menu = await openMenu(page)
  await menu.getByRole('link', { name: 'Campanhas' }).click()
  await page.getByRole('button', { name: 'Sair sem salvar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Campanhas' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test.describe('Sair', () => {
  test.use({ expectedErrors: /status of 401/ })

  test('asks for confirmation with unsaved changes, and discards them after the logout', async ({ page }) => {
    await openAsAdministrator(page, '/admin/campanhas/nova')
    const drawn = page.waitForResponse(/\/cartao\?.*Ainda/)
    await titleOf(page).fill('Ainda não')
    await drawn
    await pressLogout(page)
    const question = page.getByRole('dialog', { name: 'Sair sem salvar?' })
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Continuar editando' }).click()
    await expect(question).toHaveCount(0)
    await expect(titleOf(page)).toHaveValue('Ainda não')
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).not.toBeNull()

    // A pending request of the page is rejected after the next login.
    const token = await page.evaluate(() => localStorage.getItem('admin_token'))
    const release = await holdRequests(page, '/api/admin/logout', 'POST')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route(`**${campaigns}/cartao?*`, async (route) => {
      await answered
      await route.fulfill({ status: 401, json: { success: false } })
    })
    const requested = page.waitForRequest(/\/cartao\?.*novo/)
    await titleOf(page).fill('Ainda não, de novo')
    await requested
    const logoutRequest = page.waitForRequest('**/api/admin/logout')
    await pressLogout(page)
    await question.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect(page).toHaveURL(/\/admin$/)
    await expect(page.getByText('Sua sessão terminou.')).toHaveCount(0)
    expect(await page.evaluate(() => localStorage.getItem('admin_token'))).toBeNull()
    expect((await logoutRequest).headers().authorization).toBe(`Bearer ${token}`)

    await logInOnPage(page)
    await expect(page).toHaveURL(/\/admin\/campanhas\/nova$/)
    const refused = page.waitForResponse((reply) => reply.status() === 401)
    answer()
    release()
    await refused
    await expect(titleOf(page)).toHaveValue('')
    await expectSessionEnded(String(token))
  })
})

test('saving waits until an image has been uploaded', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  await titleOf(page).fill('Com imagem')
  const release = await holdRequests(page, '/api/admin/imagens', 'POST')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await page
    .getByLabel('Imagem da página')
    .setInputFiles({ name: 'praca.png', mimeType: 'image/png', buffer: await aPicture() })

  await expect(page.getByText('A imagem ainda está sendo enviada.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Salvar', exact: true })).toBeDisabled()
  await titleOf(page).press('Enter')
  await expectAccessible(page)
  expect(sent).toEqual([])

  release()
  await save(page)
  await expect(page.getByText('Campanha salva com sucesso!').first()).toBeVisible()
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
  expect(campaign).toMatchObject({ titulo: 'Com imagem', heroImageUrl: expect.stringMatching(/^\/media\//) })
})

test('opening the preview saves nothing and is no change', { tag: '@quick' }, async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id, titulo, revisao } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await page.getByRole('button', { name: 'Ver prévia' }).click()
  const preview = page.getByRole('dialog', { name: 'Prévia da página' })
  await expect(preview.frameLocator('iframe').getByRole('heading', { name: titulo })).toBeVisible()

  await preview.getByLabel('Celular').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await expect(preview.getByLabel('Computador')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(preview).toBeVisible()
  // Also from inside the preview frame.
  await waitForLoad(page)
  await page.keyboard.press('Tab')
  await expect(preview.locator('iframe')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Ver prévia' })).toBeFocused()

  // A changed form would leave a draft.
  await page.reload()
  await expect(titleOf(page)).toHaveValue(titulo)
  await expect(page.getByText('Trouxemos de volta')).toHaveCount(0)
  expect(sent).toEqual([])
  const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
  expect(campaign.revisao).toBe(revisao)
})

test('a link dialog that is cancelled is no change', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id, titulo } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  await editorOf(page).click()
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByLabel('Endereço', { exact: true }).fill('example.org')
  await page.keyboard.press('Escape')

  await page.reload()

  await expect(titleOf(page)).toHaveValue(titulo)
  await expect(page.getByText('Trouxemos de volta')).toHaveCount(0)
})

test('text typed during a save counts as unsaved', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  await titleOf(page).fill('Antes')
  const release = await holdRequests(page, `${campaigns}/${id}`, 'PUT')
  await save(page)
  await expect(page.getByRole('button', { name: 'Salvando...' })).toBeVisible()
  await titleOf(page).fill('Antes e depois')
  release()
  await expect(page.getByRole('button', { name: 'Salvar', exact: true })).toBeEnabled()
  await expect(page.getByText('Há mudanças não salvas')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Campanhas', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Sair sem salvar?' })).toBeVisible()
})

test('text typed during the creation of a campaign is kept as an unsaved change', async ({ page }) => {
  await openAsAdministrator(page, '/admin/campanhas/nova')
  const { titulo, slug, sheetTab } = aCampaign()
  await titleOf(page).fill(titulo)
  await page.getByLabel('Endereço da página').fill(slug)
  await page.getByLabel('Aba da planilha').fill(sheetTab)
  await editorOf(page).click()
  await page.keyboard.type('Queremos sombra.')
  const release = await holdRequests(page, campaigns, 'POST')
  await page.getByRole('button', { name: 'Criar campanha' }).click()
  await expect(page.getByRole('button', { name: 'Salvando...' })).toBeVisible()
  await editorOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' E bancos.')
  release()
  await expect(page).toHaveURL(/\/admin\/campanhas\/\d+$/)
  await expect(editorOf(page)).toContainText('Queremos sombra. E bancos.')
  await expect(page.getByText('Há mudanças não salvas')).toBeVisible()
  await save(page)
  await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()
})

test.describe('pasted text is reduced to the elements of a manifesto', () => {
  const sources: Record<string, [html: string, manifesto: string]> = {
    Word: [
      `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm; font-family:"Calibri",sans-serif;} --></style></head><body lang=PT-BR><!--StartFragment-->
<p class=MsoTitle><span style='mso-ascii-font-family:"Calibri Light"'>Praça viva<o:p></o:p></span></p>
<p class=MsoNormal style='margin-bottom:8.0pt;mso-fareast-language:EN-US'><b><span style='font-size:14.0pt;color:#C00000'>Queremos</span></b><span
style='font-size:12.0pt'> uma praça com <i>sombra</i> e <u>bancos</u>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span><![endif]>Árvores<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level2 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><!--[endif]-->Ipês<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>Bancos<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp; </span></span>Primeiro<o:p></o:p></p>
<table class=MsoTableGrid border=1><tr><td width=200 style='border:solid 1.0pt'><p class=MsoNormal>Rua<o:p></o:p></p></td><td><p class=MsoNormal>Metros<o:p></o:p></p></td></tr><tr><td>Das Flores</td><td>120</td></tr></table>
<p class=MsoNormal><img width=10 src="file:///C:/Users/fulano/AppData/clip_image001.png"><a href="http://example.org/praca"><span style='color:#0563C1'>Leia mais</span></a></p>
<!--EndFragment--></body></html>`,
      '<h2>Praça viva</h2><p><strong>Queremos</strong> uma praça com <em>sombra</em> e <u>bancos</u>.</p><ul><li>Árvores<ul><li>Ipês</li></ul></li><li>Bancos</li></ul><ol><li>Primeiro</li></ol><p>Rua</p><p>Metros</p><p>Das Flores</p><p>120</p><p><a href="https://example.org/praca">Leia mais</a></p>',
    ],
    'Google Docs': [
      `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-0a1b2c3d"><h1 dir="ltr" style="line-height:1.38;"><span style="font-size:20pt;font-family:Arial;font-weight:400;">Praça viva</span></h1><p dir="ltr"><span style="font-weight:700;text-decoration:none;">Negrito</span><span style="font-weight:400;"> e </span><span style="font-style:italic;font-weight:400;">itálico</span><span style="font-weight:400;text-decoration:line-through;">, riscado</span></p><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>Um</span></p></li><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Dois</span></p></li></ul><p dir="ltr"><a href="https://www.google.com/url?q=https://example.org/a?b%3D1&amp;sa=D&amp;source=editors" style="text-decoration:none;"><span style="text-decoration:underline;color:#1155cc;">o link</span></a></p><br><div dir="ltr" align="left"><table><colgroup><col width="100"></colgroup><tbody><tr><td><p dir="ltr"><span>A</span></p></td><td><p dir="ltr"><span>B</span></p></td></tr></tbody></table></div></b>`,
      '<h2>Praça viva</h2><p><strong>Negrito</strong> e <em>itálico</em><s>, riscado</s></p><ul><li>Um</li><li>Dois</li></ul><p><a href="https://example.org/a?b=1">o link</a></p><p>A</p><p>B</p>',
    ],
    'WhatsApp web': [
      `<meta charset='utf-8'><div class="copyable-text" data-pre-plain-text="[10:00, 01/02/2026] Fulano: "><div class="_akbu"><span dir="ltr" aria-label="" class="_ao3e selectable-text copyable-text" style="min-height: 0px;"><span><strong class="_ao3e selectable-text">Vamos</strong> à praça <img crossorigin="anonymous" src="https://web.whatsapp.com/emoji/1f333.png" alt="🌳" draggable="false" class="b75 emoji wa" style="background-position: -40px -20px;" data-plain-text="🌳"> hoje<br>às 10h</span></span></div></div>`,
      '<p><strong>Vamos</strong> à praça 🌳 hoje<br />às 10h</p>',
    ],
    'a hostile page': [
      `<p onclick="fetch('/x')">Texto<script>document.title='x'</script><img src=x onerror="document.title='x'"><a href="javascript:alert(1)">clique</a></p><iframe src="https://example.org"></iframe><svg onload="document.title='x'"><text>oi</text></svg>`,
      '<p>Textoclique</p><p>oi</p>',
    ],
  }
  for (const [name, [html, manifesto]] of Object.entries(sources)) {
    test(`from ${name}`, async ({ page }) => {
      const caller = await openAsAdministrator(page, '/admin/campanhas')
      const { id } = await createCampaign(caller)
      await page.goto(`/admin/campanhas/${id}`)
      await editorOf(page).click()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await paste(editorOf(page), html)
      await save(page)
      await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()
      const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
      expect(campaign.manifestoHtml).toBe(manifesto)
      // The editor showed the stored text: nothing is left to save.
      await expect(page.getByText('Há mudanças não salvas')).toBeHidden()
    })
  }
})

test('links and uploaded images can be inserted into the text', async ({ page, context }) => {
  const caller = await openAsAdministrator(page, '/admin/campanhas')
  const { id, slug } = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${id}`)
  await editorOf(page).click()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByLabel('Endereço', { exact: true }).fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Use um endereço que comece com https:// ou mailto:')).toBeVisible()
  // The arrow keys belong to the field here, not to the toolbar.
  await page.getByLabel('Endereço', { exact: true }).fill('xample.org/praa')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('c')
  await page.keyboard.press('Home')
  await page.keyboard.type('e')
  await page.keyboard.press('Enter')
  await expect(editorOf(page).getByRole('link')).toHaveAttribute('href', 'https://example.org/praca')
  await expect(editorOf(page)).toBeFocused()

  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Imagem', exact: true }).click()
  const bytes = await sharp({ create: { width: 1400, height: 700, channels: 3, background: '#0b6e4f' } })
    .png()
    .toBuffer()
  const dialog = page.getByRole('dialog', { name: 'Pôr uma imagem' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'praca.png', mimeType: 'image/png', buffer: bytes })
  await expect(dialog.getByRole('button', { name: 'Tirar a imagem' })).toBeVisible()
  await dialog.getByLabel('Descrição da imagem').fill('Uma praça verde')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Pôr no texto' }).click()
  await expect(editorOf(page).getByRole('img', { name: 'Uma praça verde' })).toBeVisible()
  await save(page)
  await expect(page.getByText('O manifesto agora está na versão 2').first()).toBeVisible()

  const visitor = await context.newPage()
  await expect.poll(async () => (await page.request.get(`/p/${slug}`)).text()).toContain('Uma praça verde')
  await open(visitor, `/p/${slug}`)
  const image = visitor.locator('.manifesto').getByRole('img', { name: 'Uma praça verde' })
  await expect(image).toHaveAttribute('src', /^\/media\/[0-9a-f]{64}\.webp$/)
  await expectNoHorizontalScroll(visitor)
  await expect(visitor.locator('.manifesto').getByRole('link')).toHaveAttribute('href', 'https://example.org/praca')
})

test.describe('an image that has been deleted', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('gives an error at the editor instead of a broken image', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/campanhas')
    const { id } = await createCampaign(caller)
    await page.goto(`/admin/campanhas/${id}`)
    await editorOf(page).click()
    await page.getByRole('button', { name: 'Imagem', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Pôr uma imagem' })
    const buffer = await aPicture()
    await dialog.locator('input[type=file]').setInputFiles({ name: 'praca.png', mimeType: 'image/png', buffer })
    await expect(dialog.getByRole('button', { name: 'Tirar a imagem' })).toBeVisible()
    await dialog.getByLabel('Descrição da imagem').fill('Uma praça')
    await dialog.getByRole('button', { name: 'Pôr no texto' }).click()
    const image = editorOf(page).getByRole('img', { name: 'Uma praça' })
    const url = (await image.getAttribute('src')) ?? ''
    await rows('delete from media where sha256 = $1', [url.slice(7, 71)])

    await save(page)

    await expect(page.locator('#manifestoHtml-erro')).toHaveText('Essa imagem não está mais guardada. Envie de novo')
    await expect(editorOf(page)).toBeFocused()
    const { campaign } = await caller.ask<{ campaign: StoredCampaign }>('GET', `${campaigns}/${id}`)
    expect(campaign.versaoManifesto).toBe(1)
  })
})

test.describe('when the server does not respond', () => {
  test.use({ expectedErrors: /ERR_FAILED|status of 40[04]/ })

  test('the list shows an error with a retry, and typed text stays', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/dashboard')
    const { id } = await createCampaign(caller)
    await page.goto(`/admin/campanhas/${id}`)
    await expect(editorOf(page)).toBeVisible()
    await page.route(`**${campaigns}/**`, (route) => route.abort())
    await page.getByLabel('Título *', { exact: true }).fill('Não vai embora')
    await save(page)
    await expect(page.locator('.save-bar').getByRole('alert')).toHaveText('Erro de conexão. Verifique sua internet.')
    await expect(page.locator('.save-bar').getByRole('alert')).toBeInViewport({ ratio: 1 })
    await expect(page.getByText('Erro de conexão')).toHaveCount(1)
    await screenshot(page, 'sem-conexao')
    await expect(page.getByLabel('Título *', { exact: true })).toHaveValue('Não vai embora')
    await page.unroute(`**${campaigns}/**`)
    await save(page)
    await expect(page.getByText('Campanha salva com sucesso!').first()).toBeVisible()

    await page.goto('/admin/campanhas/99999999')
    await expect(page.getByText('Campanha não encontrada')).toBeVisible()
    await expectAccessible(page)

    await page.route(`**${campaigns}`, (route) => route.fulfill({ json: { success: true, campaigns: [] } }))
    await page.goto('/admin/campanhas')
    await expect(page.getByText('Nenhuma campanha ainda.')).toBeVisible()
    await screenshot(page, 'nada')
    await page.route(`**${campaigns}`, (route) =>
      route.fulfill({ status: 400, json: { success: false, message: 'Não entendemos o pedido.' } }),
    )
    await page.reload()
    await expect(page.getByRole('alert').filter({ hasText: 'Não entendemos o pedido.' })).toBeVisible()
    await screenshot(page, 'falha')
    await page.unroute(`**${campaigns}`)
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByRole('table', { name: 'Campanhas' })).toBeVisible()
  })
})

test('only our own pages can frame the preview, and no page can frame the admin area', async ({ request }) => {
  const policyOf = async (path: string) => (await request.get(siteUrl() + path)).headers()['content-security-policy']
  expect(await policyOf('/admin/previa')).toContain("frame-ancestors 'self'")
  expect(await policyOf('/admin/previa')).not.toContain('connect-src')
  expect(await policyOf('/admin/campanhas')).toContain("frame-ancestors 'none'")
})
