// An administrator of a test site, with a token of their own.
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

export async function enter({ url }: Pick<TestSite, 'url'>, who = credentials): Promise<Administrator> {
  const entered = await fetch(`${url}/api/admin/login`, { method: 'POST', ...json(who) })
  expect(entered.status).toBe(200)
  const { token } = (await entered.json()) as { token: string }

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

function json(body: unknown) {
  return body === undefined
    ? { headers: {} }
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body, writable) }
}

const writable = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
