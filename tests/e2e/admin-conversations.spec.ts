// Conversations of the chatbot in the admin area.
import type { Locator, Page } from '@playwright/test'
import { asAdministrator, type Caller, logInOnPage, openAsAdministrator } from '#tests/e2e/admin.ts'
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  holdRequests,
  siteUrl,
  takeScreenshot,
  test,
} from '#tests/e2e/visitor.ts'
import { callWebhook } from '#tests/helpers/chatbot.ts'
import { aChatbotCall, type ChatbotFields } from '#tests/helpers/factories.ts'

let administrator: Caller
let secret: string
test.beforeAll(async () => {
  administrator = await asAdministrator()
  // The site generates the secret at its first start.
  secret = (await administrator.ask<{ token: string }>('GET', '/api/admin/botconversa/webhook/token')).token
})

/** A name that is unique in this run. */
const aName = () => `Conversadora ${crypto.randomUUID().slice(0, 8)}`

async function receiveMessage(fields: Partial<ChatbotFields> = {}) {
  const call = aChatbotCall({ nome: aName(), ...fields })
  expect((await callWebhook({ url: siteUrl() }, call, { 'x-webhook-token': secret })).status).toBe(200)
  return { ...call, nome: String(call.nome), mensagem: String(call.mensagem) }
}

const screenshot = (page: Page, name: string) =>
  takeScreenshot(page, `conversas-${name}-${test.info().project.name}`, { fullPage: true, animations: 'disabled' })

async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
}

/** A poll that was in flight when the clock jumped returned old data: the next one is ten seconds later. */
async function expectAfterPoll(page: Page, locator: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(10_000)
    await expect(locator).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 12_000 })
}

test('a new conversation is announced in the list, opened as a chat and marked as completed', {
  tag: '@quick',
}, async ({ page }) => {
  const existing = await receiveMessage()
  await page.clock.install()
  await openAsAdministrator(page, '/admin/botconversa')
  const row = page.getByRole('row').filter({ hasText: existing.nome })
  await expect(row).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  const position = await row.boundingBox()

  const sentAt = new Date()
  const call = await receiveMessage({
    mensagem: 'Quero ajudar na minha cidade.\nComo faço?',
    resposta: 'Que bom! Em que cidade você mora?',
    tags: ['voluntária', 'nova'],
    campos: { cidade: 'Exemplópolis', endereco: { bairro: 'Centro' } },
  })
  const news = page.getByRole('button', { name: /com novidade: mostrar/ })
  await expectAfterPoll(page, news)
  expect(await row.boundingBox()).toEqual(position)
  await expectAccessibleLayout(page)
  await screenshot(page, 'lista')
  await news.click()
  // The day may have changed since then.
  await page.clock.setSystemTime(sentAt)
  await page.getByRole('link', { name: call.nome }).click()

  await expect(page.getByRole('heading', { level: 1, name: call.nome })).toBeVisible()
  const chat = page.getByRole('log')
  await expect(chat.getByRole('heading', { name: 'Hoje' })).toBeVisible()
  await expect(chat.getByRole('listitem')).toHaveText([/Como faço\?\d\d:\d\d$/, /Em que cidade você mora\?\d\d:\d\d$/])
  await expect(page.locator('.tags li')).toHaveText(['voluntária', 'nova'])
  await expect(page.getByText('Exemplópolis')).toBeVisible()
  await expect(page.getByText('Centro')).toBeVisible()

  const { subscriber_id, nome } = call
  await receiveMessage({ subscriber_id, nome, mensagem: 'Moro em Exemplópolis', tags: ['respondeu'] })
  await expectAfterPoll(page, chat.getByText('Moro em Exemplópolis'))
  await expect(page.locator('.tags li')).toHaveText(['respondeu', 'voluntária', 'nova'])
  await expectAccessibleLayout(page)
  await screenshot(page, 'chat')

  await page.getByRole('button', { name: 'Concluída' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Status da conversa alterado.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Concluída' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Conversas' }).last().click()
  await page.getByLabel('Status').selectOption('completed')
  await expect(page).toHaveURL(/\/admin\/botconversa\?status=completed$/)
  await expect(page.getByRole('row').filter({ hasText: call.nome }).getByText('Concluída')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: existing.nome })).toHaveCount(0)
})

test('the list shows a changed status at once, with and without a filter', async ({ page }) => {
  const family = aName()
  const [settled, other] = [
    await receiveMessage({ nome: `${family} Uma` }),
    await receiveMessage({ nome: `${family} Outra` }),
  ]
  const row = (nome: string) => page.getByRole('row').filter({ hasText: nome })
  const news = page.getByRole('button', { name: /com novidade/ })
  const list = `/admin/botconversa?busca=${encodeURIComponent(family)}`
  await openAsAdministrator(page, list)
  await expect(row(settled.nome).getByText('Ativa')).toBeVisible()
  await page.getByLabel('Status').selectOption('active')
  await expect(page).toHaveURL(/status=active/)
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.waitForLoadState('networkidle')

  await page.getByRole('link', { name: settled.nome }).click()
  await page.getByRole('button', { name: 'Bloqueada' }).click()
  await expect(page.getByRole('button', { name: 'Bloqueada' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('main').getByRole('link', { name: 'Conversas', exact: true }).click()

  await expect(row(settled.nome)).toHaveCount(0)
  await expect(news).toHaveCount(0)
  await expect(row(other.nome).getByText('Ativa')).toBeVisible()
  await page.getByLabel('Status').selectOption('')
  await expect(row(settled.nome).getByText('Bloqueada')).toBeVisible()
  await expect(news).toHaveCount(0)
  const id = await page.getByRole('link', { name: settled.nome }).getAttribute('href')
  await page.goto('/admin/registro?pessoa=admin&tipo=Mudou+o+status+de+uma+conversa')
  await expect(page.getByText(`Conversa ${id?.split('/').at(-1)}: bloqueada`)).toBeVisible()
})

test('a phone number is found in three spellings, and going back restores the list', {
  tag: '@quick',
}, async ({ page }) => {
  const digits = String(Math.random()).slice(2, 6).padEnd(4, '0')
  const call = await receiveMessage({ telefone: `55987123${digits}` })
  await openAsAdministrator(page, '/admin/botconversa')
  for (const typed of [`(98) 97123-${digits}`, `+55 98 7123-${digits}`, `9897123${digits}`]) {
    await page.getByLabel('Nome, e-mail ou telefone').fill(typed)
    await page.getByRole('button', { name: 'Buscar' }).click()
    await expect(page).toHaveURL((url) => url.searchParams.get('busca') === typed)
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('link', { name: call.nome })).toBeVisible()
  }
  await page.getByRole('link', { name: call.nome }).click()
  await expect(page.getByRole('heading', { level: 1, name: call.nome })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Conversas', exact: true }).click()
  await expect(page.getByLabel('Nome, e-mail ou telefone')).toHaveValue(`9897123${digits}`)
  await page.getByRole('button', { name: 'Limpar' }).click()
  await expect(page).toHaveURL(/\/admin\/botconversa$/)
  await expect(page.getByLabel('Nome, e-mail ou telefone')).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('pages have twenty rows, and a changed status starts at the first page', async ({ page }) => {
  const nome = aName()
  for (let n = 0; n < 23; n += 1) await receiveMessage({ nome, status: n % 2 ? 'blocked' : 'active' })
  await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(nome)}`)
  await expect(page.getByText('23 conversas')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(21)
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(page).toHaveURL(/antes=/)
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByLabel('Status').selectOption('blocked')
  await expect(page).toHaveURL(/\?busca=[^&]+&status=blocked$/)
  await expect(page.getByText('11 conversas')).toBeVisible()
})

test('older messages load on request, and the visible ones keep their position', async ({ page }) => {
  const { subscriber_id, nome } = await receiveMessage({ mensagem: 'Fala 0', ts: 1_767_355_200 })
  for (let n = 1; n < 70; n += 1)
    await receiveMessage({ subscriber_id, nome, mensagem: `Fala ${n}`, resposta: 'x', ts: 1_767_355_200 + n * 3_600 })
  await page.clock.install()
  await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(nome)}`)
  await page.getByRole('link', { name: nome }).click()
  const chat = page.getByRole('log')
  await expect(chat.getByText('Fala 69')).toBeInViewport()
  await expect(chat.getByRole('heading', { name: '5 de janeiro de 2026' })).toBeAttached()

  const older = chat.getByRole('button', { name: 'Mensagens anteriores' })
  await older.scrollIntoViewIfNeeded()
  const first = chat.getByText('Fala 20', { exact: true })
  const position = await first.boundingBox()
  const release = await holdRequests(page, '/mensagens?antes=*')
  await older.press('Enter')
  // Old messages are not announced as new, and the focus is kept.
  await expect(chat.getByRole('button', { name: 'Carregando...' })).toBeFocused()
  await expect(chat).toHaveAttribute('aria-live', 'off')
  release()
  await expect(chat.getByText('Fala 0', { exact: true })).toBeAttached()
  await expect(chat).toBeFocused()
  const after = await first.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (position?.y ?? 1_000))).toBeLessThanOrEqual(60)
  await expect(older).toHaveCount(0)
  await expect(chat).not.toHaveAttribute('aria-live')

  const before = await first.boundingBox()
  await receiveMessage({ subscriber_id, nome, mensagem: 'Uma fala nova' })
  const toEnd = page.getByRole('button', { name: 'Mensagem nova' })
  await expectAfterPoll(page, toEnd)
  expect(await first.boundingBox()).toEqual(before)
  await toEnd.click()
  await expect(chat.getByText('Uma fala nova')).toBeInViewport()
  await expect(toEnd).toHaveCount(0)
})

test('a conversation links to its page in the chatbot when the company is known', async ({ page }) => {
  const call = await receiveMessage()
  const liveChat = 'https://app.botconversa.com.br/movimento-ficticio/live-chat/all/+5599990000001'
  const { conversas } = await administrator.ask<{ conversas: object[] }>(
    'GET',
    `/api/admin/botconversa?busca=${call.subscriber_id}`,
  )
  const json = { success: true, conversa: { ...conversas[0], liveChat } }
  await page.route(/\/api\/admin\/botconversa\/\d+$/, (route) => route.fulfill({ json }))
  await openAsAdministrator(page, `/admin/botconversa?busca=${call.nome}`)
  await page.getByRole('link', { name: call.nome }).click()
  const link = page.getByRole('link', { name: 'Abrir no BotConversa' })
  await expect(link).toHaveAttribute('href', liveChat)
  await expect(link).toHaveAttribute('rel', 'noreferrer')
})

test('a conversation can be deleted after a confirmation', { tag: '@quick' }, async ({ page }) => {
  const { nome } = await receiveMessage()
  await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(nome)}`)
  await page.getByRole('link', { name: nome }).click()
  const remove = page.getByRole('button', { name: 'Apagar conversa' })
  await remove.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Tem certeza que deseja apagar esta conversa')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await expect(remove).toBeFocused()
  await remove.click()
  await dialog.getByRole('button', { name: 'Apagar' }).click()
  await expect(page.getByText('Conversa apagada.')).toBeVisible()
  await expect(page).toHaveURL((url) => url.searchParams.get('busca') === nome)
  await expect(page.getByText('Nenhuma conversa encontrada')).toBeVisible()
})

test('a late response to a deletion does not change the current page', async ({ page }) => {
  const family = aName()
  const [deleted, current] = [
    await receiveMessage({ nome: `${family} Uma` }),
    await receiveMessage({ nome: `${family} Outra` }),
  ]
  await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(family)}`)
  await page.getByRole('link', { name: deleted.nome }).click()
  const release = await holdRequests(page, '/api/admin/botconversa/*', 'DELETE')
  await page.getByRole('button', { name: 'Apagar conversa' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Apagar' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeDisabled()
  await page.goBack()
  await page.getByRole('link', { name: current.nome }).click()
  await expect(page.getByRole('heading', { level: 1, name: current.nome })).toBeVisible()

  release()
  await expect(page.getByText('Conversa apagada.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: current.nome })).toBeVisible()
})

test('conversations that new ones displace are on the next page', async ({ page }) => {
  test.slow()
  await page.clock.install()
  const nome = aName()
  for (let n = 0; n < 23; n += 1) await receiveMessage({ nome, subscriber_id: `${nome} ${n}` })
  await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(nome)}`)
  const next = page.getByRole('button', { name: 'Anteriores' })
  await next.click()
  await expect(page.getByRole('row')).toHaveCount(4)
  await page.getByRole('button', { name: 'Mais recentes' }).click()
  await expect(page.getByRole('row')).toHaveCount(21)
  await receiveMessage({ nome })
  const news = page.getByRole('button', { name: '1 conversa com novidade: mostrar' })
  await expectAfterPoll(page, news)
  await news.click()
  await next.click()
  await expect(page.getByText('24 conversas')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(5)
})

test('choosing a status also applies the typed search', async ({ page }) => {
  const { nome } = await receiveMessage({ status: 'blocked' })
  await openAsAdministrator(page, '/admin/botconversa')
  await page.getByLabel('Nome, e-mail ou telefone').fill(nome)
  await page.getByLabel('Status').selectOption('blocked')
  await expect(page).toHaveURL((url) => url.searchParams.get('busca') === nome)
  await expect(page.getByLabel('Nome, e-mail ou telefone')).toHaveValue(nome)
  await expect(page.getByRole('row')).toHaveCount(2)
})

test('without any conversation, the page says so and shows how to connect the chatbot', async ({ page }) => {
  await page.route(/\/api\/admin\/botconversa\?/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), conversas: [], total: 0, haMais: false },
    })
  })
  await openAsAdministrator(page, '/admin/botconversa')
  await expect(page.getByText('Nenhuma conversa encontrada')).toBeVisible()
  await expect(page.getByText('O robô ainda não enviou nada a este site.', { exact: false })).toBeVisible()
  await expect(page.getByText(/\/api\/webhook\/botconversa$/)).toBeVisible()
  await expectAccessibleLayout(page)

  await page.goto('/admin/botconversa?status=blocked')
  await expect(page.getByText('Nenhuma conversa encontrada')).toBeVisible()
  await expect(page.getByText('O robô ainda não enviou nada a este site.', { exact: false })).toHaveCount(0)
  await expect(page.getByText(/\/api\/webhook\/botconversa$/)).toBeHidden()
  // The page may send a request at this time.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the connection data of the chatbot can be copied, and its secret is shown on request', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await receiveMessage()
  await openAsAdministrator(page, '/admin/botconversa')
  await page.getByText('Como ligar o BotConversa a este site').click()
  await expect(page.getByText(/\/api\/webhook\/botconversa$/)).toBeVisible()
  await expect(page.getByText(secret)).toHaveCount(0)
  await page.getByRole('button', { name: 'Mostrar o segredo' }).click()
  await expect(page.getByText(secret)).toBeVisible()
  await expect(page.locator('.copyable').filter({ hasText: secret }).getByRole('button')).toBeFocused()

  // The message disappears after two seconds. The clock is paused, because a busy machine may check late.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Copiar' }).last().click()
  await expect(page.getByRole('button', { name: 'Copiado!' })).toBeVisible()
  const body = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as Record<string, unknown>
  expect(Object.keys(body)).toContain('subscriber_id')
  await page.clock.runFor(2_100)
  await expect(page.getByRole('button', { name: 'Copiado!' })).toHaveCount(0)
  await page.clock.resume()
  await expectAccessibleLayout(page)
  await screenshot(page, 'webhook')
})

test('an open page polls, and polling does not extend the session', async ({ page }) => {
  await receiveMessage()
  await page.clock.install()
  await openAsAdministrator(page, '/admin/botconversa')
  const total = page.locator('.conversation-stats .panel').filter({ hasText: 'Total' }).locator('dd')
  await expect(total).toHaveText(/^\d/)
  await expect(page.getByText(/^\d+ conversas?$/)).toBeVisible()
  const before = Number(await total.textContent())
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) requests.push(`${pathname} ${request.headers()['x-por-si']}`)
  })

  const { nome } = await receiveMessage()
  await expect(async () => {
    await page.clock.fastForward(30_000)
    expect(Number(await total.textContent())).toBeGreaterThan(before)
  }).toPass()
  await page.getByRole('button', { name: /com novidade: mostrar/ }).click()
  expect(new Set(requests)).toEqual(new Set(['/api/admin/botconversa/stats 1', '/api/admin/botconversa 1']))

  await page.getByRole('link', { name: nome }).click()
  await expect(page.getByRole('log')).toBeVisible()
  await page.waitForLoadState('networkidle')
  requests.length = 0
  await receiveMessage({ subscriber_id: await subscriberOf(nome), nome, mensagem: 'Mais uma coisa' })
  await expectAfterPoll(page, page.getByRole('log').getByText('Mais uma coisa'))
  expect(requests.filter((call) => !call.endsWith(' 1'))).toEqual([])
})

async function subscriberOf(nome: string): Promise<string> {
  const path = `/api/admin/botconversa?busca=${encodeURIComponent(nome)}`
  const { conversas } = await administrator.ask<{ conversas: { subscriberId: string }[] }>('GET', path)
  return String(conversas[0]?.subscriberId)
}

test.describe('errors', () => {
  test.use({ expectedErrors: /status of (401|404|503)/ })

  test('an ended session leads to the login and back to the same list', async ({ page }) => {
    await page.clock.install()
    const { nome } = await receiveMessage()
    const { ask } = await openAsAdministrator(
      page,
      `/admin/botconversa?status=active&busca=${encodeURIComponent(nome)}`,
    )
    await expect(page.getByRole('link', { name: nome })).toBeVisible()
    await ask('POST', '/api/admin/logout')
    await expectAfterPoll(page, page.getByText('Sua sessão terminou.'))
    await logInOnPage(page)
    await expect(page).toHaveURL((url) => url.searchParams.get('busca') === nome)
    await expect(page.getByLabel('Status')).toHaveValue('active')
    await expect(page.getByRole('link', { name: nome })).toBeVisible()
  })

  test('an empty result says so, and a new conversation appears at once', async ({ page }) => {
    const nome = aName()
    await page.clock.install()
    await openAsAdministrator(page, `/admin/botconversa?busca=${encodeURIComponent(nome)}`)
    await expect(page.getByText('Nenhuma conversa encontrada')).toBeVisible()
    await expectAccessibleLayout(page)
    await screenshot(page, 'vazia')
    await receiveMessage({ nome })
    await expectAfterPoll(page, page.getByRole('link', { name: nome }))
  })

  test('a list that does not load shows an error with a retry', async ({ page }) => {
    await receiveMessage()
    let failing = true
    await page.route(/\/api\/admin\/botconversa(\?|$|\/stats)/, (route) =>
      failing ? route.fulfill({ status: 503, json: { success: false, message: 'Fora do ar' } }) : route.continue(),
    )
    await page.clock.install()
    await openAsAdministrator(page, '/admin/botconversa')
    await page.clock.fastForward(20_000)
    const alert = page.getByRole('alert').filter({ hasText: 'Erro ao buscar conversas' })
    await expect(alert.first()).toBeVisible()
    await expectAccessibleLayout(page)
    await screenshot(page, 'erro')
    failing = false
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect(page.getByRole('row').nth(1)).toBeVisible()
  })

  test('an unknown conversation shows an error', async ({ page }) => {
    await openAsAdministrator(page, '/admin/botconversa/999999')
    await expect(page.getByText('Conversa não encontrada')).toBeVisible()
  })
})
