// An administrator at the browser: the first account of the site under test.
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { siteUrl } from '#tests/e2e/visitor.ts'

export const credentials = { username: 'admin', password: 'senha-de-teste-123' }

export interface Caller {
  token: string
  /** One call of the area's API, which must succeed: for what a test needs but is not about. */
  ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
}

export async function asAdministrator(who = credentials): Promise<Caller> {
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
  const { token } = await ask()<{ token: string }>('POST', '/api/admin/login', who)
  return { token, ask: ask(token) }
}

/** Nobody waits until the server has heard of it. */
export async function expectEnded(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await fetch(`${siteUrl()}/api/admin/sessao`, { headers })).status).toBe(401)
}

/** A page of the area, for somebody who is in already. */
export async function openAsAdministrator(page: Page, path: string, who = credentials): Promise<Caller> {
  const caller = await asAdministrator(who)
  // A page without scripts: what the login keeps is put there before the area is opened.
  await page.goto('/metodologia')
  const kept = { admin_nome: `${caller.token} ${who.username.toLowerCase()}`, admin_token: caller.token }
  await page.evaluate((items) => {
    for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value)
  }, kept)
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.viva === 'sim')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return caller
}

/** On a phone it waits behind a button. */
export async function openMenu(page: Page): Promise<Locator> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const menu = page.getByRole('button', { name: 'Menu' })
  if ((await menu.isVisible()) && (await menu.getAttribute('aria-expanded')) === 'false') await menu.click()
  return page.getByRole('navigation', { name: 'Administração' })
}

export async function pressLeave(page: Page): Promise<void> {
  const menu = await openMenu(page)
  await menu.getByRole('button', { name: 'Sair', exact: true }).click()
}

export async function logInOnPage(page: Page, who = credentials): Promise<void> {
  await page.getByLabel('Usuário').fill(who.username)
  await page.getByLabel('Senha').fill(who.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** What an open page shows is asked for again when the network comes back, if it has been there for a while. Needs `page.clock`. */
export async function readAgain(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true)
  await page.clock.fastForward(15_000)
  await context.setOffline(false)
}

/** Such a field says that it is empty, though one sees what was typed. */
export async function expectHalfADayToGo(page: Page): Promise<void> {
  const day = page.getByLabel('De', { exact: true })
  const isHalf = () => day.evaluate((field: HTMLInputElement) => field.validity.badInput)
  await day.focus()
  await page.keyboard.type('11')
  expect(await isHalf()).toBe(true)

  await page.getByRole('button', { name: 'Limpar filtros' }).click()

  await expect(page).not.toHaveURL(/[?]/)
  await expect.poll(isHalf).toBe(false)
}
