// An administrator in the browser: the first account of the tested site.
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import type { StoredCampaign } from '#contract/admin/campaigns.ts'
import type { readNumbers } from '#contract/admin/numbers.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { siteUrl } from '#tests/e2e/visitor.ts'
import { aCampaign } from '#tests/helpers/factories.ts'

export const credentials = { username: 'admin', password: 'senha-de-teste-123' }

export interface Caller {
  token: string
  /** Sends a request to the admin API, which must succeed. For the preparation of a test. */
  ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
}

export async function asAdministrator(account = credentials): Promise<Caller> {
  const ask =
    (token = '') =>
    async <Reply>(method: string, path: string, body?: unknown): Promise<Reply> => {
      const answer = await fetch(siteUrl() + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true)
      return JSON.parse(text) as Reply
    }
  const { token } = await ask()<{ token: string }>('POST', '/api/admin/login', account)
  return { token, ask: ask(token) }
}

/** Waits until the page of the campaign is public: a busy server serves cached data for a short time after a change. */
export async function createCampaign({ ask }: Caller, fields: object = {}): Promise<StoredCampaign> {
  const { campaign } = await ask<{ campaign: StoredCampaign }>('POST', '/api/admin/campaigns', aCampaign(fields))
  if (campaign.isActive)
    await expect.poll(async () => (await fetch(`${siteUrl()}/p/${campaign.slug}`)).status).toBe(200)
  return campaign
}

/** The browser does not wait for the response to the logout, so this polls. */
export async function expectSessionEnded(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await fetch(`${siteUrl()}/api/admin/sessao`, { headers })).status).toBe(401)
}

/** Opens a page of the admin area with a session. */
export async function openAsAdministrator(page: Page, path: string, account = credentials): Promise<Caller> {
  const caller = await asAdministrator(account)
  // A page without scripts: stores the data of a login before the admin area opens.
  await page.goto('/metodologia')
  const label = caller.token.slice(0, 8)
  const stored = {
    admin_nome: `${label} ${account.username.toLowerCase()}`,
    // The role of other accounts is read from the server.
    ...(account === credentials && { admin_papel: `${label} coordenacao` }),
    admin_token: caller.token,
  }
  await page.evaluate((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value)
  }, stored)
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return caller
}

/** On a phone a button opens the menu. */
export async function openMenu(page: Page): Promise<Locator> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const menu = page.getByRole('button', { name: 'Menu' })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
  return page.getByRole('navigation', { name: 'Administração' })
}

export async function pressLogout(page: Page): Promise<void> {
  const menu = await openMenu(page)
  await menu.getByRole('button', { name: 'Sair', exact: true }).click()
}

export async function logInOnPage(page: Page, account = credentials): Promise<void> {
  await page.getByLabel('Usuário').fill(account.username)
  await page.getByLabel('Senha').fill(account.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** When the network is back, an open page refetches its data if that is old enough. Needs `page.clock`. */
export async function triggerRefetch(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await page.clock.fastForward(15_000)
  await context.setOffline(false)
}

/**
 * Cities and origins are counted periodically, for all campaigns at once, and other tests request a count too. Takes up
 * to a minute and a half on a busy machine: call `test.slow()` before.
 */
export async function waitForBreakdown({ ask }: Caller, slug: string, signatures: number): Promise<void> {
  const countedSignatures = async () =>
    (await ask<ReplyOf<typeof readNumbers>>('GET', `/api/admin/numeros/${slug}`)).counted?.signatures
  await expect.poll(countedSignatures, { timeout: 90_000 }).toBe(signatures)
}

/** A date field with an incomplete date reports an empty value, although the typed digits are visible. */
export async function expectIncompleteDateCleared(page: Page): Promise<void> {
  const day = page.getByLabel('De', { exact: true })
  const isIncomplete = () => day.evaluate((field: HTMLInputElement) => field.validity.badInput)
  await day.focus()
  await page.keyboard.type('11')
  expect(await isIncomplete()).toBe(true)

  await page.getByRole('button', { name: 'Limpar filtros' }).click()

  await expect(page).not.toHaveURL(/[?]/)
  await expect.poll(isIncomplete).toBe(false)
}
