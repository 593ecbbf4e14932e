// Hostile input from an administrator: every route, taken from the router, answers with success or a message.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { expectPortuguese } from '#tests/helpers/portuguese.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let administrator: Administrator
beforeAll(async () => {
  site = await openTestSite()
  administrator = await enter(site)
})
afterAll(() => site.close())

const routes = () =>
  site.app.policies.filter(
    ({ method, access, url }) => method !== 'HEAD' && access === 'administrator' && url !== '/api/admin/logout',
  )

const openRoutes = () =>
  site.app.policies.filter(
    ({ method, access, url }) => method !== 'HEAD' && access === 'anyone' && url.startsWith('/api/admin/'),
  )

const hostileText = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1.5',
    '99999999999999999999',
    'NaN',
    '%00',
    '\u0000',
    '\ud83d',
    "' or 1=1 --",
    '../..',
    'x'.repeat(3_000),
    '2026-02-31',
    '00000000-0000-0000-0000-000000000000',
    '__proto__',
    '\\',
    '%_%',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const names = [
  'pagina',
  'limite',
  'offset',
  'status',
  'busca',
  'estado',
  'cidade',
  'de',
  'ate',
  'campanha',
  'tarefa',
  'confirmada',
  'depois',
  'antes',
  'formato',
  'slug',
  'titulo',
  'ordem',
  'ids',
  'id',
  'updatedAt',
  'pessoa',
  'tipo',
  'username',
  'password',
  'email',
  'isActive',
  'campaignId',
  'responsavel',
  'etiquetas',
  'incluir',
  'tirar',
  'texto',
  'nome',
  'filtros',
  'mapeamento',
  'origem',
  'baseLegal',
  'publishAt',
  'closeAt',
  'meta',
  'valores',
  'versao',
]

test('every route answers any input with success or a 4xx and a Portuguese message', {
  tags: ['slow'],
  timeout: 120_000,
}, async () => {
  expect(routes().length).toBeGreaterThan(0)
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        segment: hostileText,
        query: fc.dictionary(fc.constantFrom(...names), hostileText, { maxKeys: 4 }),
        body: fc.oneof(
          fc.dictionary(fc.constantFrom(...names), fc.oneof(hostileText, fc.anything({ maxDepth: 2 })), {
            maxKeys: 6,
          }),
          fc.anything({ maxDepth: 2 }),
        ),
      }),
      async ({ segment, query, body }) => {
        for (const { method, url } of routes()) {
          const path = url.replace(/:\w+/g, encodeURIComponent(segment.toWellFormed()) || 'x')
          const search = new URLSearchParams(query)
          const answer = await administrator.call(
            method,
            `${path}?${search}`,
            method === 'GET' ? undefined : (body ?? null),
          )
          const text = await answer.text()
          const description = `${method} ${url} ${segment} ${search} ${JSON.stringify(body, replaceBigInt)}: ${answer.status} ${text.slice(0, 300)}`
          expect(answer.status, description).toBeLessThan(500)
          if (answer.status >= 400) expectPortuguese(text, description)
          expect(text, description).not.toMatch(/node_modules|FST_ERR|SyntaxError|invalid input syntax/)
        }
      },
    ),
    { seed, numRuns: 25 },
  )
})

test('the public routes of the admin area do so too', async () => {
  expect(openRoutes().map(({ url }) => url)).toContain('/api/admin/login')
  const credentials = fc.record({ username: hostileText, password: hostileText })
  await fc.assert(
    fc.asyncProperty(fc.oneof(credentials, fc.anything({ maxDepth: 2 })), async (body) => {
      for (const { method, url } of openRoutes()) {
        const answer = await fetch(site.url + url, {
          method,
          ...(method !== 'GET' && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body ?? null, replaceBigInt),
          }),
        })
        const text = await answer.text()
        const description = `${method} ${url} ${JSON.stringify(body, replaceBigInt)}: ${answer.status} ${text.slice(0, 300)}`
        expect(answer.status, description).toBeLessThan(500)
        if (answer.status >= 400) expectPortuguese(text, description)
      }
    }),
    {
      seed,
      numRuns: 10,
      examples: [[{ username: 'a\u0000b', password: 'x' }], [{ username: 'a\ud83d', password: 'x' }]],
    },
  )
}, 120_000)

/** Replaces values that JSON cannot represent. */
const replaceBigInt = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
