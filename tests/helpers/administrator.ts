// An administrator of a test site, with a token of their own.
import { hash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestSite } from '#tests/helpers/test-site.ts'

/** Of the first account of every test site. */
export const credentials = { username: 'admin', password: 'senha-de-teste-123' }

export interface Administrator {
  token: string
  /** One call as this administrator; what is not text or form data goes as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Response>
  /** The same, for calls that must succeed: the answer's JSON. */
  ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
}

type Place = Pick<TestSite, 'url'> & Partial<Pick<TestSite, 'rows'>>

/** Without a name it is the first account, whose session is stored without a login where the database is at hand: hashing is slow. */
export async function enter(site: Place, who?: typeof credentials): Promise<Administrator> {
  const { url, rows } = site
  const token = rows && !who ? await storeSession(rows) : await logIn(url, who)

  const call: Administrator['call'] = (method, path, body) => {
    const { headers, ...content } = body instanceof FormData ? { body, headers: {} } : json(body)
    return fetch(url + path, { method, headers: { ...headers, authorization: `Bearer ${token}` }, ...content })
  }
  return {
    token,
    call,
    async ask<Reply>(method: string, path: string, body?: unknown) {
      const answer = await call(method, path, body)
      const text = await answer.text()
      expect(answer.status, text).toBeLessThan(300)
      return JSON.parse(text) as Reply
    },
  }
}

async function storeSession(rows: TestSite['rows']): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const stored = await rows(
    `insert into admin_sessions ("tokenHash", "adminUserId") select $1, id from admin_users where username = $2 and "isActive" returning 1`,
    [hash('sha256', token, 'base64url'), credentials.username],
  )
  expect(stored).toHaveLength(1)
  return token
}

async function logIn(url: string, who = credentials): Promise<string> {
  const entered = await fetch(`${url}/api/admin/login`, { method: 'POST', ...json(who) })
  expect(entered.status).toBe(200)
  return ((await entered.json()) as { token: string }).token
}

function json(body: unknown) {
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body, writable) }
}

const writable = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
