// A client of the admin API of a test site, with a session of its own.
import { hash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestSite } from '#tests/helpers/test-site.ts'

/** The first account of every test site. */
export const credentials = { username: 'admin', password: 'senha-de-teste-123' }

export interface Administrator {
  token: string
  /** Sends one request as this administrator. A body that is not FormData is sent as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** Sends a request that must succeed, and returns the JSON of the response. */
  ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
}

type SiteAccess = Pick<TestSite, 'url'> & Partial<Pick<TestSite, 'rows'>>

/**
 * Logs in. Without credentials it uses the first account, and stores its session directly if `rows` gives access to the
 * database: hashing a password is slow.
 */
export async function enter(site: SiteAccess, account?: typeof credentials): Promise<Administrator> {
  const { url, rows } = site
  return clientWith(url, rows && !account ? await storeSession(rows) : await logIn(url, account))
}

function clientWith(url: string, token: string): Administrator {
  const call: Administrator['call'] = (method, path, body) => {
    const { headers, ...content } = body instanceof FormData ? { body, headers: {} } : json(body)
    return fetch(url + path, { method, headers: { ...headers, authorization: `Bearer ${token}` }, ...content })
  }
  return {
    token,
    call,
    async ask<Reply>(method: string, path: string, body?: unknown) {
      const response = await call(method, path, body)
      const text = await response.text()
      expect(response.status, text).toBeLessThan(300)
      return JSON.parse(text) as Reply
    },
  }
}

/** Adds an account with a role, and a session of it. Nobody knows its password. */
export async function enterAs(
  site: Pick<TestSite, 'url' | 'rows'>,
  { username, role }: { username: string; role: string },
): Promise<Administrator> {
  await site.rows(
    `insert into admin_users (username, password, email, role) values ($1, '', $2, $3) on conflict do nothing`,
    [username, `${username}@example.org`, role],
  )
  return clientWith(site.url, await storeSession(site.rows, username))
}

async function storeSession(rows: TestSite['rows'], username = credentials.username): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const stored = await rows(
    `insert into admin_sessions ("tokenHash", "adminUserId") select $1, id from admin_users where username = $2 and "isActive" returning 1`,
    [hash('sha256', token, 'base64url'), username],
  )
  expect(stored).toHaveLength(1)
  return token
}

async function logIn(url: string, account = credentials): Promise<string> {
  const response = await fetch(`${url}/api/admin/login`, { method: 'POST', ...json(account) })
  expect(response.status).toBe(200)
  return ((await response.json()) as { token: string }).token
}

function json(body: unknown) {
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body, bigintAsString) }
}

const bigintAsString = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
