// Error reports of browsers: what is logged, and what cannot get into the log.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportBrowserError } from '#contract/browser-errors.ts'
import { seed } from '#tests/helpers/random.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

const path = '/api/erros-do-navegador'
const aReport = {
  nome: 'TypeError',
  arquivo: '/assets/petition-page-B1x_2-aZ.js',
  linha: 1,
  coluna: 4210,
  rota: '/p/:slug',
  versao: '0a1b2c3d',
}

const post = (body: string, type = 'application/json') =>
  fetch(site.url + path, { method: 'POST', headers: { 'content-type': type }, body })
const send = (report: object) => post(JSON.stringify(report))
const logged = () => site.logged().filter((line) => line.includes('browser error'))

describe('a report', () => {
  test('is answered with 204 and logged with error, script position, route and build', async () => {
    const answer = await send(aReport)
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(logged().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        name: 'TypeError',
        file: '/assets/petition-page-B1x_2-aZ.js',
        line: 1,
        column: 4210,
        page: '/p/:slug',
        build: '0a1b2c3d',
      }),
    ])
  })

  test('cannot add other fields to the log', async () => {
    const before = logged().length
    await send({ ...aReport, message: 'fulana@example.org', url: '/peticao?email=fulana@example.org' })
    expect(logged()).toHaveLength(before + 1)
    expect(logged().join()).not.toContain('fulana')
  })

  test('is a public route', () => {
    expect(site.app.policies.filter(({ url }) => url === path)).toEqual([
      { method: 'POST', url: path, access: 'anyone', bodyLimit: 2_048, isLimited: false, endpoint: reportBrowserError },
    ])
  })
})

describe('an invalid report is refused and not logged', () => {
  test.each([
    ['malformed JSON', '{"nome":', 400],
    ['a list', '[]', 400],
    ['nothing', '', 400],
    ['more than two kilobytes', JSON.stringify({ ...aReport, x: 'x'.repeat(3_000) }), 413],
  ])('%s', async (_, body, status) => {
    const before = logged().length
    const answer = await post(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ success: false, message: expect.stringMatching(/^[A-ZÀ-Ú]/) })
    expect(logged()).toHaveLength(before)
  })

  test('another content type', async () => {
    expect((await post('<erro/>', 'application/xml')).status).toBe(415)
  })

  test.each([
    { nome: 'Error: fulana@example.org' },
    { nome: 'x'.repeat(61) },
    { arquivo: 'https://example.org/x.js' },
    { arquivo: '/assets/x.js?email=fulana@example.org' },
    { linha: -1 },
    { linha: '1' },
    { coluna: 1.5 },
    { rota: '/peticao?email=fulana@example.org' },
    { rota: '/confirmar/"\n{"level":60}' },
    { versao: '' },
    { versao: undefined },
  ])('a field with an invalid value: %o', async (wrong) => {
    const before = logged().length
    const answer = await send({ ...aReport, ...wrong })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: 'Não entendemos o pedido. Confira os dados e tente de novo.' })
    expect(logged()).toHaveLength(before)
  })

  test('arbitrary values', async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.anything({ maxDepth: 2 }))
    const model = Object.fromEntries(Object.keys(aReport).map((name) => [name, value]))
    await fc.assert(
      fc.asyncProperty(fc.record(model, { requiredKeys: [] }), async (body) => {
        const { status } = await post(JSON.stringify(body, (_, part) => (typeof part === 'bigint' ? null : part)))
        expect(status === 204 || (status >= 400 && status < 500)).toBe(true)
      }),
      { numRuns: 100, seed },
    )
  })
})

test('a flood of reports adds few lines to the log', async () => {
  const before = logged().length
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, linha) => send({ ...aReport, linha, rota: `/p/rota-${linha}` })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  // Thirty, and the tokens that return while the test runs.
  expect(logged().length - before).toBeLessThan(60)
})
