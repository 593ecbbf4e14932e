// The cache of public GET responses, over real sockets.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '#server/core/errors.ts'
import { createResponseCache, prepareResponse } from '#server/http/response-cache.ts'

const page = (body: string) =>
  prepareResponse({
    status: 200,
    body,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'public, max-age=1' },
    isCacheable: true,
  })

const longText = 'petição '.repeat(500)

/** Answers from the cache, and with 404 what the cache does not have. */
async function serving(cache: ReturnType<typeof createResponseCache>): Promise<string> {
  const server = createServer((request, response) => {
    if (!cache.serve(request, response)) response.writeHead(404).end('miss')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const createCache = (periodMs = 60_000, failures: unknown[] = []) =>
  createResponseCache({ periodMs, onFailure: (error) => failures.push(error) })

test('a page in constant use stays cached while a thousand others are requested once', async () => {
  let renders = 0
  const cache = createCache()
  const url = await serving(cache)
  const popular = () =>
    cache.get('/peticao', async () => {
      renders += 1
      return page('petição')
    })

  await popular()
  for (let n = 0; n < 1_000; n++) {
    await cache.get(`/p/${n}`, async () => page(String(n)))
    if (n % 100 === 0) expect((await fetch(`${url}/peticao`)).status).toBe(200)
  }
  await popular()

  expect(renders).toBe(1)
})

test('an entry is served for exactly its URL, with its headers and an ETag', async () => {
  const cache = createCache()
  const url = await serving(cache)
  await cache.get('/peticao', async () => page('petição'))

  const answer = await fetch(`${url}/peticao`)
  const etag = answer.headers.get('etag') ?? ''
  const again = await fetch(`${url}/peticao`, { headers: { 'If-None-Match': etag } })

  expect(await answer.text()).toBe('petição')
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=1')
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await fetch(`${url}/peticao?x=1`)).status).toBe(404)
  expect((await fetch(`${url}/peticao`, { method: 'POST' })).status).toBe(404)
})

test('each encoding has its own bytes and ETag, and short bodies are not compressed', async () => {
  const cache = createCache()
  const url = await serving(cache)
  const short = await cache.get('/curta', async () => page('petição'))
  const long = await cache.get('/longa', async () => page(longText))
  await Promise.all([short.encoded('br'), long.encoded('br'), long.encoded('gzip')])

  const answers = await Promise.all(
    ['br', 'gzip', 'identity'].map((encoding) => fetch(`${url}/longa`, { headers: { 'Accept-Encoding': encoding } })),
  )
  const plain = await fetch(`${url}/curta`, { headers: { 'Accept-Encoding': 'br' } })

  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null])
  expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(3)
  for (const answer of answers) {
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(await answer.text()).toBe(longText)
  }
  expect(plain.headers.get('content-encoding')).toBeNull()
})

test('after its period an entry is produced again, and stale content is served while that fails', async () => {
  const failures: unknown[] = []
  const cache = createCache(0, failures)
  await cache.get('/peticao', async () => page('first'))
  let error: Error = new Error('database down')
  let body = ''
  const produce = async () => {
    if (error) throw error
    return page(body)
  }
  const read = async (key: string) => String((await (await cache.get(key, produce)).encoded('identity')).bytes)

  // The first producer of an entry stays its producer.
  expect(await read('/peticao')).toBe('first')
  body = 'second'
  error = undefined as unknown as Error
  expect(await read('/outra')).toBe('second')
  error = new Error('database down')
  expect(await read('/outra')).toBe('second')
  expect(failures).toHaveLength(1)

  error = new AppError('not-found', 'gone')
  await expect(read('/outra')).rejects.toThrow('gone')
})

test('an invalidated entry is produced again when it is next requested', async () => {
  const cache = createCache()
  const url = await serving(cache)
  let body = 'before'
  const produce = async () => page(body)
  await cache.get('/peticao', produce)

  body = 'after'
  expect(await (await fetch(`${url}/peticao`)).text()).toBe('before')
  cache.invalidate()
  expect((await fetch(`${url}/peticao`)).status).toBe(404)
  await cache.get('/peticao', produce)
  expect(await (await fetch(`${url}/peticao`)).text()).toBe('after')
})

test('an address that fails is not stored', async () => {
  const cache = createCache()
  await expect(cache.get('/x', async () => Promise.reject(new AppError('not-found', 'no')))).rejects.toThrow('no')
  const found = await cache.get('/x', async () => page('now'))
  expect(found.status).toBe(200)
})
