// The municipalities of each state: completeness, compressed size, order and caching.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stateCodes } from '#contract/states.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'
import { matchingCities } from '#web/forms/fields/matching-cities.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())

interface RawAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Headers and body as sent over the network. */
  bytes: number
}

/** The answer as sent over the network; `fetch` would hide its encoding. */
function read(path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(`${site.url}${path}`, { headers, agent: false }, async (answer) => {
      const { socket } = answer
      const body = Buffer.concat(await answer.toArray())
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body, bytes: socket.bytesRead })
    })
    clientRequest.on('error', reject).end()
  })
}

const names = (json: Buffer | string) => (JSON.parse(String(json)) as { municipios: string[] }).municipios

describe('the municipalities', () => {
  test('of all 27 states are the 5,571 of the country, and each answer has at most 5 KB with its headers', async () => {
    const answers = await Promise.all(
      stateCodes.map((uf) => read(`/api/municipios/${uf}`, { 'accept-encoding': 'gzip, br' })),
    )

    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(stateCodes.map(() => 'br'))
    expect(answers.flatMap(({ body }) => names(brotliDecompressSync(body)))).toHaveLength(5_571)
    expect(Math.max(...answers.map(({ bytes }) => bytes))).toBeLessThanOrEqual(5_000)
  })

  test('of the largest state also fit into 5 KB with gzip', async () => {
    const { headers, body } = await read('/api/municipios/MG', { 'accept-encoding': 'gzip' })

    expect(headers['content-encoding']).toBe('gzip')
    expect(body.length).toBeLessThanOrEqual(5_000)
    expect(names(gunzipSync(body))).toHaveLength(853)
  })

  test('are not compressed without Accept-Encoding', async () => {
    const { status, headers, body } = await read('/api/municipios/df', {})

    expect(status).toBe(200)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(JSON.parse(String(body))).toEqual({ success: true, municipios: ['Brasília'] })
  })

  test('begin with the largest and continue in alphabetical order', async () => {
    const { body } = await read('/api/municipios/SP', {})
    const [largest, others] = [names(body).slice(0, 10), names(body).slice(200)]

    expect(largest).toEqual([
      'São Paulo',
      'Guarulhos',
      'Campinas',
      'São Bernardo do Campo',
      'Santo André',
      'Osasco',
      'Sorocaba',
      'Ribeirão Preto',
      'São José dos Campos',
      'São José do Rio Preto',
    ])
    expect(others).toEqual(others.toSorted((a, b) => a.localeCompare(b, 'pt-BR')))
  })

  test.each([
    [
      'SP',
      'sao',
      ['São Paulo', 'São Bernardo do Campo', 'São José dos Campos', 'São José do Rio Preto', 'São Vicente'],
    ],
    ['MG', 'santa', ['Santa Luzia', 'Santa Bárbara', 'Santa Bárbara do Leste']],
    ['PE', 'ol', ['Olinda']],
    ['RJ', 'n', ['Nova Iguaçu', 'Niterói', 'Nova Friburgo', 'Nilópolis', 'Natividade']],
  ] as const)('in %s, typing "%s" suggests names that begin with it, larger ones first', async (uf, typed, first) => {
    const { body } = await read(`/api/municipios/${uf}`, {})

    expect(matchingCities(names(body), typed).slice(0, first.length)).toEqual(first)
  })

  test('may be cached for a day and are not sent again to a client that has them', async () => {
    const first = await read('/api/municipios/RS', { 'accept-encoding': 'br' })
    const again = await read('/api/municipios/RS', {
      'accept-encoding': 'br',
      'if-none-match': String(first.headers.etag),
    })
    const plain = await read('/api/municipios/RS', { 'if-none-match': String(first.headers.etag) })

    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=86400',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    expect(again).toMatchObject({ status: 304, headers: { vary: 'Accept-Encoding' } })
    expect(again.body).toHaveLength(0)
    expect(plain.status).toBe(200)
  })

  test.each(['XX', 'S', '__proto__', '%F0%9F%92%A9', 'constructor'])(
    'of %s are a 404 with a message that may not be cached',
    async (uf) => {
      const { status, headers, body } = await read(`/api/municipios/${uf}`, {})

      expect(status).toBe(404)
      expect(headers['cache-control']).toBe('no-store')
      expect(JSON.parse(String(body))).toMatchObject({ success: false, message: 'Estado não encontrado' })
    },
  )
})
