// News in the admin area. Uses its own site, which sends slowly, so that a sending can be watched.
import type { Page } from '@playwright/test'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import type { SendProgress, StoredNews } from '#contract/admin/news.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'
import {
  asAdministrator,
  type Caller,
  createCampaign,
  logInOnPage,
  openAsAdministrator,
  openMenu,
} from '#tests/e2e/admin.ts'
import { rows } from '#tests/e2e/database.ts'
import { type Site, startSite } from '#tests/e2e/site.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { aPicture, imageForm } from '#tests/helpers/pictures.ts'

let site: Site
const shared = { url: process.env.SITE_URL, data: process.env.SITE_DATA }
test.beforeAll(async () => {
  site = await startSite({ DELIVERIES: 'on', EMAILS_PER_MINUTE: '60' })
  process.env.SITE_URL = site.url
  process.env.SITE_DATA = site.dataDir
})
test.afterAll(async () => {
  process.env.SITE_URL = shared.url
  process.env.SITE_DATA = shared.data
  await site.remove()
})

const address = '/admin/novidades'
const api = '/api/admin/novidades'
const form = (page: Page) => page.getByRole('form', { name: 'Novidade' })
const dialog = (page: Page) => page.getByRole('dialog')
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Salvar', exact: true })
const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Texto', exact: true })

/** At the two phone sizes and at desktop width. A dialog is as large as the screen. */
async function check(page: Page, name: string): Promise<void> {
  const fullPage = (await dialog(page).count()) === 0
  for (const [width, height] of [
    [390, 664],
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectNoHorizontalScroll(page)
    await expectAccessible(page, { exclude: 'iframe' })
    await takeScreenshot(page, `admin-novidades-${name}-${width}`, { fullPage })
  }
}

interface SignerState {
  acceptsNews?: boolean
  isConfirmed?: boolean
  estado?: string
}

/** Stores signatures directly: confirmations by e-mail would use up the rate of the news. */
async function addSigners({ slug }: StoredCampaign, count: number, state: SignerState = {}): Promise<void> {
  const { acceptsNews = true, isConfirmed = true, estado = 'SP' } = state
  for (let n = 0; n < count; n += 1) {
    const { nome, email, whatsapp, cidade } = aSignature()
    await rows(
      `insert into peticoes (id, "requestId", campanha, nome, email, "canonicalEmail", whatsapp, cidade, estado,
        "aceitaNovidades", "versaoConsentimento", "confirmadoEm") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '2026-01-01', $11)`,
      [
        uuidV7(),
        uuidV7(),
        slug,
        nome,
        email,
        canonicalizeEmail(email),
        whatsapp.replace(/\D/g, ''),
        cidade,
        estado,
      ].concat([acceptsNews as never, (isConfirmed ? new Date() : null) as never]),
    )
  }
}

async function createNews(caller: Caller, campaign: StoredCampaign, fields: object = {}): Promise<StoredNews> {
  const { novidade } = await caller.ask<{ novidade: StoredNews }>('POST', api, {
    campanha: campaign.id,
    titulo: 'Entregamos as assinaturas',
    html: '<p>Estivemos em <strong>Brasília</strong> com as caixas.</p>',
    ...{ naPagina: true, porEmail: true, segmento: { tipos: ['assinaturas'], campanhas: [campaign.id] } },
    ...fields,
  })
  return novidade
}

async function publish(caller: Caller, { id, revisao }: StoredNews): Promise<StoredNews> {
  return (await caller.ask<{ novidade: StoredNews }>('POST', `${api}/${id}/publicar`, { revisao })).novidade
}

async function sendOf({ ask }: Caller, id: number): Promise<SendProgress | null> {
  return (await ask<{ envio: SendProgress | null }>('GET', `${api}/${id}/envio`)).envio
}

/** A toast covers a part of the page, and goes away by itself. */
async function closeToast(page: Page): Promise<void> {
  await page.locator('.toast').waitFor({ state: 'detached' })
}

test('an organiser writes a news item, counts its recipients, tests it and publishes it', async ({ page }) => {
  test.slow()
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller, { titulo: 'Passe livre já' })
  await addSigners(campaign, 3)
  await addSigners(campaign, 2, { acceptsNews: false })
  await addSigners(campaign, 1, { isConfirmed: false })
  await page.goto('/admin')
  await logInOnPage(page)
  await expect(page).toHaveURL('/admin/dashboard')
  const menu = await openMenu(page)
  await menu.getByRole('link', { name: 'Novidades', exact: true }).click()

  await expect(page.getByText('Nenhuma novidade ainda.', { exact: false })).toBeVisible()
  await check(page, 'vazia')
  await page.getByRole('link', { name: 'Escrever novidade' }).click()

  // An empty form focuses the first missing field.
  await expect(editorOf(page)).toBeVisible()
  await check(page, 'nova')
  await page.getByRole('button', { name: 'Salvar rascunho' }).click()
  await expect(page.getByText('Informe o título da novidade').first()).toBeVisible()
  await expect(page.getByLabel('Campanha *')).toBeFocused()
  await check(page, 'nova-erros')

  await page.getByLabel('Campanha *').selectOption('Passe livre já')
  await expect(form(page).getByRole('checkbox', { name: 'Passe livre já' })).toBeChecked()
  await page.getByLabel('Título *').fill('Entregamos as assinaturas em Brasília')
  await expect(page.getByText('37 de 200 caracteres', { exact: false })).toBeVisible()
  await editorOf(page).fill('Foram três caixas de papel.')
  await page.getByRole('button', { name: 'Salvar rascunho' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Entregamos as assinaturas em Brasília' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/novidades\/\d+$/)
  const id = Number(page.url().split('/').at(-1))
  await expect(page.getByText('Rascunho', { exact: true })).toBeVisible()

  // The number of recipients, and why others get no e-mail.
  await page.getByRole('button', { name: 'Contar destinatários' }).click()
  await expect(page.getByText('3 pessoas recebem o e-mail')).toBeVisible()
  await expect(page.getByText('não aceitaram receber novidades: 2')).toBeVisible()
  await expect(page.getByText('não confirmaram o endereço de e-mail: 1')).toBeVisible()
  await closeToast(page)
  await check(page, 'contada')

  // A changed selection makes the count outdated; counting again saves first.
  await page.getByRole('group', { name: 'Quem recebe' }).getByLabel('Voluntários').check()
  await expect(page.getByText('A seleção mudou depois desta contagem.', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Salvar e contar destinatários' }).click()
  await expect(page.getByText('Novidade salva.').first()).toBeVisible()
  await expect(page.getByText('A seleção mudou depois desta contagem.', { exact: false })).toBeHidden()
  await expect(page.getByText(/pessoas recebem o e-mail/)).toBeVisible()
  await page.getByRole('group', { name: 'Quem recebe' }).getByLabel('Voluntários').uncheck()
  await save(page).click()

  // The preview as a page and as an e-mail, in both widths.
  await page.getByRole('button', { name: 'Ver prévia' }).click()
  const framed = page.frameLocator('iframe[title="Prévia da página da novidade"]')
  await expect(framed.getByRole('heading', { name: 'Entregamos as assinaturas em Brasília' })).toBeVisible()
  await check(page, 'previa-pagina')
  await dialog(page).getByLabel('Computador').check()
  await takeScreenshot(page, 'admin-novidades-previa-pagina-computador-360')
  await dialog(page).getByRole('tab', { name: 'Página' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByRole('tab', { name: 'E-mail' })).toBeFocused()
  await expect(dialog(page).getByText('Assunto: Entregamos as assinaturas em Brasília')).toBeVisible()
  const email = page.frameLocator('iframe[title="Prévia do e-mail"]')
  await expect(email.getByText('Foram três caixas de papel.', { exact: true })).toBeVisible()
  await takeScreenshot(page, 'admin-novidades-previa-email-computador-360')
  await dialog(page).getByLabel('Celular').check()
  await expect(email.getByText('Foram três caixas de papel.', { exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Enviar teste para mim' }).click()
  await expect(dialog(page).getByText(/E-mail de teste enviado para /)).toBeVisible()
  await closeToast(page)
  await check(page, 'previa-email')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Ver prévia' })).toBeFocused()

  // The dialog counts first, because the selection was saved after the last count.
  await page.getByRole('button', { name: 'Publicar agora' }).click()
  await expect(dialog(page).getByText('Entra na página da campanha “Passe livre já” agora mesmo.')).toBeVisible()
  const publishing = dialog(page).getByRole('button', { name: 'Publicar e enviar para 3 pessoas' })
  await expect(publishing).toBeEnabled()
  await check(page, 'publicar')
  await publishing.click()

  await expect(panel(page, 'Envio por e-mail')).toBeVisible()
  await expect(page.locator('.news-facts')).toBeFocused()
  await expect(panel(page, 'Envio por e-mail').getByText('Concluído', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(panel(page, 'Envio por e-mail').getByText('3 de 3 e-mails aceitos pelo servidor')).toBeVisible()
  await expect(panel(page, 'Resultados').getByText('Ninguém é rastreado', { exact: false })).toBeVisible()
  await closeToast(page)
  await check(page, 'publicada')
  const path = `/p/${campaign.slug}/novidades/1`
  await expect(panel(page, 'Na página da campanha').getByText(path)).toBeVisible()
  await expect.poll(async () => (await page.request.get(path)).status()).toBe(200)
  expect(await sendOf(caller, id)).toMatchObject({ status: 'done', aceitos: 3 })

  // The text for WhatsApp.
  const text = await panel(page, 'WhatsApp').getByLabel('Texto para o WhatsApp').inputValue()
  expect(text).toContain('*Entregamos as assinaturas em Brasília*')
  expect(text).toContain(path)
  const whatsApp = panel(page, 'WhatsApp').getByRole('link', { name: 'Abrir no WhatsApp' })
  await expect(whatsApp).toHaveAttribute('href', `https://wa.me/?text=${encodeURIComponent(text)}`)

  await page.getByRole('link', { name: 'Novidades', exact: true }).first().click()
  const row = page.getByRole('row').filter({ hasText: 'Entregamos as assinaturas em Brasília' })
  await expect(row.getByText('Publicada')).toBeVisible()
  await expect(row.getByText('3 de 3 aceitos')).toBeVisible()
  await check(page, 'lista')
})

test('the dialog of the publication counts again when the count is older than ten minutes', async ({ page }) => {
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await addSigners(campaign, 3)
  const news = await createNews(caller, campaign, { naPagina: false })
  await caller.ask('POST', `${api}/${news.id}/contar`)
  await expect.poll(async () => (await sendOf(caller, news.id))?.status).toBe('prepared')
  await rows(`update news_sends set "preparedAt" = now() - interval '11 minutes' where "newsId" = $1`, [news.id])
  await addSigners(campaign, 2)
  await openAsAdministrator(page, `${address}/${news.id}`)
  await page.getByRole('button', { name: 'Publicar agora' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Publicar e enviar para 5 pessoas' })).toBeEnabled()

  // The dialog stays open for too long. The clock of the browser is now ahead.
  await addSigners(campaign, 1)
  await page.clock.setSystemTime(Date.now() + 11 * 60_000)
  await dialog(page).getByRole('button', { name: 'Publicar e enviar para 5 pessoas' }).click()
  const publishing = dialog(page).getByRole('button', { name: 'Publicar e enviar para 6 pessoas' })
  await expect(publishing).toBeEnabled()
  expect(await sendOf(caller, news.id)).toMatchObject({ status: 'prepared', destinatarios: 6 })
  await publishing.click()
  await expect(panel(page, 'Envio por e-mail')).toBeVisible()
  await caller.ask('POST', `${api}/${news.id}/envio/cancelar`)
})

test('a sending is paused, resumed and cancelled', async ({ page }) => {
  test.slow()
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await addSigners(campaign, 90)
  const news = await createNews(caller, campaign)
  await publish(caller, news)
  await openAsAdministrator(page, `${address}/${news.id}`)
  const sending = panel(page, 'Envio por e-mail')
  await expect(sending.getByText(/^Enviando: \d+ de 90 e-mails aceitos pelo servidor$/)).toBeVisible()
  await expect(sending.getByText(/^Falta/)).toBeVisible()
  const bar = sending.getByRole('progressbar', { name: 'Andamento do envio' })
  await expect.poll(async () => Number(await bar.getAttribute('value'))).toBeGreaterThan(0)
  await check(page, 'enviando')

  await sending.getByRole('button', { name: 'Pausar envio' }).click()
  await expect(sending.getByText('Pausado', { exact: true })).toBeVisible()
  await expect(sending.getByRole('heading')).toBeFocused()
  await closeToast(page)
  // Failures of the mail server, and the daily limit of an address.
  await rows(
    `insert into outbox (kind, payload, attempts, dead, reason, "dueAt") values
      ('novidade', jsonb_build_object('novidade', $1::int), 8, true, 'O servidor de e-mail não respondeu.', now()),
      ('novidade', jsonb_build_object('novidade', $1::int), 0, false, null, now() + interval '1 day')`,
    [news.id],
  )
  await page.reload()
  await expect(sending.getByText('Adiados')).toBeVisible()
  await expect(sending.getByRole('link', { name: 'Ver em Sistema' })).toHaveAttribute('href', '/admin/sistema')
  await check(page, 'pausada')
  await rows(`delete from outbox where kind = 'novidade' and payload = jsonb_build_object('novidade', $1::int)`, [
    news.id,
  ])
  const accepted = (await sendOf(caller, news.id))?.aceitos ?? 0

  await sending.getByRole('button', { name: 'Retomar envio' }).click()
  await expect(sending.getByText('Enviando', { exact: true })).toBeVisible()
  await expect.poll(async () => (await sendOf(caller, news.id))?.aceitos ?? 0).toBeGreaterThan(accepted)

  await sending.getByRole('button', { name: 'Cancelar envio' }).click()
  await expect(dialog(page).getByText(/\d+ pessoas deixam de receber\./)).toBeVisible()
  await check(page, 'cancelar')
  await dialog(page).getByRole('button', { name: 'Cancelar envio' }).click()
  await expect(sending.getByText('Cancelado', { exact: true })).toBeVisible()
  await expect(sending.getByRole('button', { name: /envio/ })).toHaveCount(0)
  expect(await sendOf(caller, news.id)).toMatchObject({ status: 'cancelled' })
})

test('the page of a sending does not poll while it is hidden', async ({ page }) => {
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await addSigners(campaign, 60)
  const news = await createNews(caller, campaign)
  await publish(caller, news)
  await openAsAdministrator(page, `${address}/${news.id}`)
  let polls = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/envio')) polls += 1
  })
  await expect.poll(() => polls).toBeGreaterThan(1)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const before = polls
  await page.waitForTimeout(5_000)
  expect(polls - before).toBeLessThanOrEqual(1)
  await caller.ask('POST', `${api}/${news.id}/envio/cancelar`)
})

test.describe('a schedule', () => {
  test.use({ expectedErrors: /status of 400/ })

  test('a news item is scheduled, the schedule is cancelled, and the draft deleted', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/dashboard')
    const campaign = await createCampaign(caller)
    const news = await createNews(caller, campaign)
    await page.goto(`${address}/${news.id}`)
    await page.getByRole('button', { name: 'Agendar', exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Agendar' }).click()
    await expect(dialog(page).getByText('Informe dia e hora.', { exact: false })).toBeVisible()
    await expect(dialog(page).getByLabel('Dia e hora')).toBeFocused()
    await check(page, 'agendar')
    await dialog(page).getByLabel('Dia e hora').fill('2020-01-01T09:00')
    await dialog(page).getByRole('button', { name: 'Agendar' }).click()
    await expect(dialog(page).getByText('A hora de publicar já passou.', { exact: false })).toBeVisible()
    await dialog(page).getByLabel('Dia e hora').fill('2099-11-20T09:00')
    await dialog(page).getByRole('button', { name: 'Agendar' }).click()

    await expect(panel(page, 'Publicar').getByText('20/11/2099 às 09:00')).toBeVisible()
    await expect(page.getByText('Agendada', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Apagar rascunho' })).toBeHidden()
    await closeToast(page)
    await check(page, 'agendada')
    // The edit goes on after the change of the schedule.
    await page.getByLabel('Título *').fill('Outro título')
    await save(page).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Outro título' })).toBeVisible()

    await page.getByRole('button', { name: 'Cancelar agendamento' }).click()
    await expect(page.getByText('Rascunho', { exact: true })).toBeVisible()
    await expect(panel(page, 'Publicar').getByRole('heading')).toBeFocused()

    await page.getByRole('button', { name: 'Apagar rascunho' }).click()
    await check(page, 'apagar')
    await dialog(page).getByRole('button', { name: 'Apagar' }).click()
    await expect(page).toHaveURL(address)
    await expect(page.getByText('Rascunho apagado.').first()).toBeVisible()
    expect(
      (await fetch(`${siteUrl()}${api}/${news.id}`, { headers: { authorization: `Bearer ${caller.token}` } })).status,
    ).toBe(404)
  })
})

test.describe('a conflict', () => {
  test.use({ expectedErrors: /status of 409/ })

  test('with another administrator offers both versions', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/dashboard')
    const campaign = await createCampaign(caller)
    const news = await createNews(caller, campaign)
    await page.goto(`${address}/${news.id}`)
    await page.getByLabel('Título *').fill('O meu título')
    const { titulo: _, campanha: __, ...fields } = news
    const change = (titulo: string, revisao: number) =>
      caller.ask<{ novidade: StoredNews }>('PUT', `${api}/${news.id}`, { ...fields, titulo, revisao })
    const { novidade: changed } = await change('O título da outra pessoa', news.revisao)

    await save(page).click()
    await expect(dialog(page).getByRole('heading', { name: 'Outra pessoa salvou antes de você' })).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Ver a versão salva' }).click()
    await expect(dialog(page).getByText('A salva: “O título da outra pessoa”.', { exact: false })).toBeVisible()
    await closeToast(page)
    await check(page, 'conflito')
    await dialog(page).getByRole('button', { name: 'Salvar a minha' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'O meu título' })).toBeVisible()

    await page.getByLabel('Título *').fill('O meu segundo título')
    await change('O segundo da outra pessoa', changed.revisao + 1)
    await save(page).click()
    await dialog(page).getByRole('button', { name: 'Ver a versão salva' }).click()
    await dialog(page).getByRole('button', { name: 'Usar a versão salva' }).click()
    await expect(page.getByLabel('Título *')).toHaveValue('O segundo da outra pessoa')
    await expect(page.getByText('Há mudanças não salvas')).toBeHidden()
  })
})

test('unsaved changes are not lost without a question', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/dashboard')
  const campaign = await createCampaign(caller)
  const news = await createNews(caller, campaign)
  await page.goto(`${address}/${news.id}`)
  await page.getByRole('group', { name: 'Quem recebe' }).getByLabel('Líderes').check()
  await expect(page.getByText('Há mudanças não salvas')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Novidades', exact: true }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Sair sem salvar?' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Continuar editando' }).click()
  await page.getByRole('group', { name: 'Quem recebe' }).getByLabel('Líderes').uncheck()
  await expect(page.getByText('Há mudanças não salvas')).toBeHidden()
  await page.getByRole('main').getByRole('link', { name: 'Novidades', exact: true }).click()
  await expect(page).toHaveURL(address)
})

test('recipients are selected, and a selection is saved, used and removed', async ({ page }) => {
  test.slow()
  const caller = await openAsAdministrator(page, '/admin/dashboard')
  const campaign = await createCampaign(caller)
  await addSigners(campaign, 2, { estado: 'BA' })
  await addSigners(campaign, 1, { estado: 'SP' })
  const earlier = await publish(caller, await createNews(caller, campaign, { titulo: 'A novidade anterior' }))
  await expect.poll(async () => (await sendOf(caller, earlier.id))?.status).toBe('done')
  await addSigners(campaign, 4, { estado: 'BA' })
  await page.goto(`${address}/nova?campanha=${campaign.id}`)
  await expect(page.getByLabel('Campanha *')).toHaveValue(String(campaign.id))
  await page.getByLabel('Título *').fill('Só para a Bahia')
  await editorOf(page).fill('Texto.')
  const kinds = page.getByRole('group', { name: 'Quem recebe' })
  await page.getByText('Estados: todos').click()
  await page.getByRole('group', { name: 'Estados' }).getByLabel('Bahia').check()
  await expect(page.getByText('Estados: BA')).toBeVisible()

  // A kind without the field is left out, and the form says so.
  await kinds.getByLabel('Voluntários').check()
  await expect(page.getByText('Voluntários não informam estado nem cidade', { exact: false })).toBeVisible()
  await check(page, 'selecao')
  await kinds.getByLabel('Voluntários').uncheck()
  await expect(page.getByText('Voluntários não informam', { exact: false })).toBeHidden()

  // Without a kind the form is refused, and the first kind takes the focus.
  await kinds.getByLabel('Assinaturas').uncheck()
  await page.getByRole('button', { name: 'Salvar rascunho' }).click()
  await expect(page.getByText('Escolha ao menos um tipo de cadastro').first()).toBeVisible()
  await expect(kinds.getByLabel('Assinaturas')).toBeFocused()
  await kinds.getByLabel('Assinaturas').check()
  await expect(page.getByText('Escolha ao menos um tipo de cadastro')).toHaveCount(0)
  await page.getByRole('checkbox', { name: campaign.titulo }).check()
  await page.getByText('Estados: todos').click()
  await page.getByRole('group', { name: 'Estados' }).getByLabel('Bahia').check()

  // Dates in the wrong order are refused.
  await page.getByLabel('Cadastros de').fill('2026-02-01')
  await page.getByLabel('Cadastros até').fill('2026-01-01')
  await page.getByRole('button', { name: 'Salvar rascunho' }).click()
  await expect(page.getByText('A data final precisa ser igual ou posterior à inicial').first()).toBeVisible()
  await page.getByLabel('Cadastros de').fill('')
  await page.getByLabel('Cadastros até').fill('')
  await page.getByLabel('Deixar de fora quem recebeu').selectOption('A novidade anterior')

  await page.getByRole('button', { name: 'Salvar esta seleção' }).click()
  await dialog(page).getByLabel('Nome da seleção').fill('Bahia')
  await check(page, 'salvar-selecao')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Seleção salva para toda a equipe.').first()).toBeVisible()
  await page.getByText('Seleções salvas (1)').click()
  await expect(page.getByRole('button', { name: 'Usar a seleção Bahia' })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Salvar rascunho' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Só para a Bahia' })).toBeVisible()
  await page.getByRole('button', { name: 'Contar destinatários' }).click()
  await expect(page.getByText('4 pessoas recebem o e-mail')).toBeVisible()
  await expect(page.getByText('já receberam a novidade escolhida: 2')).toBeVisible()

  // A tag is added with Enter, which does not send the form.
  await page.getByLabel('Etiquetas').fill('Imprensa')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Tirar a etiqueta imprensa' })).toBeVisible()
  // So is one that is left in the field: without it, more people would get the e-mail.
  await page.getByLabel('Etiquetas').fill('rádio')
  await save(page).click()
  await expect(page.getByRole('button', { name: 'Tirar a etiqueta rádio' })).toBeVisible()
  await expect(page.getByText('Novidade salva.').first()).toBeVisible()
  const id = Number(page.url().split('/').at(-1))
  const saved = await caller.ask<{ novidade: StoredNews }>('GET', `${api}/${id}`)
  expect(saved.novidade.segmento.etiquetas).toEqual(['imprensa', 'rádio'])
  await page.getByText('Seleções salvas (1)').click()
  await page.getByRole('button', { name: 'Usar a seleção Bahia' }).click()
  await expect(page.getByRole('button', { name: 'Tirar a etiqueta imprensa' })).toBeHidden()
  await expect(page.getByText('Há mudanças não salvas')).toBeVisible()
  await page.getByRole('button', { name: 'Apagar a seleção Bahia' }).click()
  await dialog(page).getByRole('button', { name: 'Apagar' }).click()
  await expect(page.getByText('Seleções salvas (1)')).toBeHidden()
})

test('a published item is taken off the page, edited, and shown again', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/dashboard')
  const campaign = await createCampaign(caller)
  const { imagemUrl } = (await (
    await fetch(`${siteUrl()}/api/admin/imagens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.token}` },
      body: imageForm(await aPicture('png', { width: 600, height: 750 })),
    })
  ).json()) as { imagemUrl: string }
  const news = await publish(caller, await createNews(caller, campaign, { porEmail: false, imagem: imagemUrl }))
  await page.goto(`${address}/${news.id}`)
  const place = panel(page, 'Na página da campanha')
  await expect(panel(page, 'Envio por e-mail')).toBeHidden()
  await expect(panel(page, 'WhatsApp').getByRole('link', { name: 'Baixar imagem' })).toBeVisible()
  await check(page, 'so-pagina')
  await place.getByRole('button', { name: 'Tirar da página' }).click()
  await check(page, 'tirar')
  await dialog(page).getByRole('button', { name: 'Tirar da página' }).click()
  await expect(place.getByText('Esta novidade não aparece na página da campanha.')).toBeVisible()
  await expect.poll(async () => (await page.request.get(`/p/${campaign.slug}/novidades/1`)).status()).toBe(404)

  // The destinations are fixed, the text is not.
  await expect(page.getByLabel('Por e-mail')).toBeHidden()
  await page.getByLabel('Título *').fill('Título corrigido')
  await save(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Título corrigido' })).toBeVisible()
  await place.getByRole('button', { name: 'Mostrar na página' }).click()
  await expect(place.getByRole('button', { name: 'Tirar da página' })).toBeVisible()
  await expect(async () => {
    const html = await (await page.request.get(`/p/${campaign.slug}/novidades/1`)).text()
    expect(html.includes('Título corrigido')).toBe(true)
  }).toPass({ timeout: 15_000 })
})

test('an image of a content is chosen', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/dashboard')
  const campaign = await createCampaign(caller)
  const news = await createNews(caller, campaign)
  const content = imageForm(await aPicture('png', { width: 600, height: 750 }), {
    ...{ titulo: 'Cartaz da praça', categoria: 'PRAÇAS', descricao: 'Cole.' },
  })
  const created = await fetch(`${siteUrl()}/api/admin/carousel-contents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}` },
    body: content,
  })
  expect(created.status).toBe(201)
  await page.goto(`${address}/${news.id}`)
  await page.getByRole('button', { name: 'Escolher de um conteúdo' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Cartaz da praça' })).toBeVisible()
  await check(page, 'imagens')
  await dialog(page).getByRole('button', { name: 'Cartaz da praça' }).click()
  await expect(page.getByAltText('Prévia da imagem')).toBeVisible()
  await save(page).click()
  await expect(page.getByText('Novidade salva.').first()).toBeVisible()
  const { novidade } = await caller.ask<{ novidade: StoredNews }>('GET', `${api}/${news.id}`)
  expect(novidade.imagem).toMatch(/^\/media\//)
})

test.describe('a refusal', () => {
  test.use({ expectedErrors: /status of (409|503|500)/ })

  test('of a publication is explained in the dialog', async ({ page }) => {
    const caller = await openAsAdministrator(page, '/admin/dashboard')
    const campaign = await createCampaign(caller)
    const news = await createNews(caller, campaign, { porEmail: false })
    await rows('update campaigns set "isActive" = false where id = $1', [campaign.id])
    await page.goto(`${address}/${news.id}`)
    await page.getByRole('button', { name: 'Publicar agora' }).click()
    await dialog(page).getByRole('button', { name: 'Publicar', exact: true }).click()
    await expect(dialog(page).getByText('A campanha está fora do ar.', { exact: false })).toBeVisible()
    await check(page, 'recusada')
  })
})

test('the list has pages, and states of loading and failure', async ({ page, newVisitor }) => {
  test.slow()
  const caller = await asAdministrator()
  const campaign = await createCampaign(caller)
  await addSigners(campaign, 1)
  const earliest = await publish(caller, await createNews(caller, campaign, { titulo: 'A mais antiga' }))
  await expect.poll(async () => (await sendOf(caller, earliest.id))?.status).toBe('done')
  for (let n = 1; n <= 27; n += 1) await createNews(caller, campaign, { titulo: `Novidade de número ${n}` })
  await openAsAdministrator(page, address)
  await expect(page.getByRole('link', { name: 'Novidade de número 27' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Novidade de número 2', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page.getByRole('link', { name: 'Novidade de número 2', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(page.getByRole('link', { name: 'Novidade de número 27' })).toBeVisible()
  await expect(page).toHaveURL(address)

  // Recipients of news items of earlier pages can be left out too.
  await page.goto(`${address}/nova?campanha=${campaign.id}`)
  await page.getByRole('button', { name: 'Mostrar novidades mais antigas' }).click()
  const earlier = page.getByLabel('Deixar de fora quem recebeu')
  await expect(page.locator('div:focus', { has: earlier })).toBeVisible()
  await earlier.selectOption('A mais antiga')
  await check(page, 'anteriores')

  const other = await newVisitor({ expectedErrors: /Failed to load resource/ })
  await openAsAdministrator(other, '/admin/dashboard')
  const release = await holdRequests(other, api)
  await other.goto(address)
  await expect(other.getByText('Carregando...')).toBeAttached()
  await takeScreenshot(other, 'admin-novidades-carregando')
  release()
  await expect(other.getByRole('link', { name: 'Novidade de número 27' })).toBeVisible()
  await other.route(`**${api}**`, (route) => route.abort())
  await other.reload()
  await expect(other.getByRole('button', { name: 'Tentar de novo' })).toBeVisible()
  await expectAccessible(other)
})

test('the page of a campaign leads to a news item about it', async ({ page }) => {
  const caller = await openAsAdministrator(page, '/admin/dashboard')
  const campaign = await createCampaign(caller)
  await page.goto(`/admin/campanhas/${campaign.id}`)
  await page.getByRole('link', { name: 'Escrever novidade' }).click()
  await expect(page).toHaveURL(`${address}/nova?campanha=${campaign.id}`)
  await expect(page.getByLabel('Campanha *')).toHaveValue(String(campaign.id))
})
