// Floods of GET requests that need no session: few queries, whatever the number of requests.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { digestOf } from '#server/core/tokens.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

const requests = 1_000
const atOnce = 100

/** Lookups for requests that arrive at the same time have this distance. On a slow machine fewer requests share one. */
const lookupPeriodMs = 20

/**
 * Runs a flood, and returns how many queries of any connection pool it caused, how many the lookups of this time may
 * cause, and the statuses of the replies.
 */
async function flood(path: (n: number) => string) {
  // The response cache and the schedule of this second are not part of the flood.
  const query = vi.spyOn(pg.Pool.prototype, 'query')
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  try {
    for (let sent = 0; sent < requests; sent += atOnce) {
      const replies = Array.from({ length: atOnce }, async (_, n) => {
        const reply = await fetch(site.url + path(sent + n))
        await reply.arrayBuffer()
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      })
      await Promise.all(replies)
    }
    const lookups = (performance.now() - startedAt) / lookupPeriodMs
    return { queries: query.mock.calls.length, lookups, statuses: Object.fromEntries(statuses) }
  } finally {
    query.mockRestore()
  }
}

const aToken = (n: number) => `${n}`.padStart(22, 'A')

test.each([
  ['/saude/pronto', () => '/saude/pronto', 200],
  ['/api/admin/diagnostico', () => '/api/admin/diagnostico', 200],
  ['unknown images', (n: number) => `/media/${String(n).padStart(64, '0')}.webp`, 404],
  ['pages of unknown links', (n: number) => `/confirmar/${aToken(n)}`, 404],
  ['unknown links of the API', (n: number) => `/api/descadastrar/${aToken(n)}`, 404],
  ['unknown links to own data', (n: number) => `/api/meus-dados/${aToken(n)}`, 404],
  ['pages of unknown links to own data', (n: number) => `/meus-dados/${aToken(n)}`, 404],
] as const)('%s: at most one query for twenty requests', async (_, path, status) => {
  await fetch(site.url + path(0))
  const { queries, lookups, statuses } = await flood(path)
  expect(statuses).toEqual({ [status]: requests })
  expect(queries).toBeLessThanOrEqual(Math.max(requests / 20, lookups))
})

test('the page of one link: at most one query for ten requests, and each reply shows its present state', async () => {
  const token = aToken(7)
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "expiresAt") values ($1, 'descadastrar', $1, now() + interval '1 day')`,
    [digestOf(token)],
  )
  const path = `/descadastrar/${token}`
  const { queries, lookups, statuses } = await flood(() => path)
  expect(statuses).toEqual({ 200: requests })
  // One for the link, and one for its state.
  expect(queries).toBeLessThanOrEqual(2 * Math.max(requests / 20, lookups))
  await fetch(site.url + path, { method: 'POST', body: new URLSearchParams({ escolha: 'nunca' }) })
  const after = (await (await fetch(`${site.url}/api${path}`)).json()) as { saiu: string }
  expect(after.saiu).toBe('tudo')
})

test('an image is found as soon as it is stored, also after a request that came too early', async () => {
  const sha256 = 'a'.repeat(64)
  const path = `/media/${sha256}.webp`
  expect((await fetch(site.url + path)).status).toBe(404)
  await site.rows(
    `insert into media (sha256, format, "contentType", width, height, bytes) values ($1, 'webp', 'image/webp', 1, 1, 'x')`,
    [sha256],
  )
  expect((await fetch(site.url + path)).status).toBe(200)
})
