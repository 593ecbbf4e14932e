// Prometheus metrics of a node, readable only with the token.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const token = 'um-segredo-para-as-metricas'
let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ METRICS_TOKEN: token })
})
afterAll(() => site.close())

const read = (authorization?: string) =>
  fetch(`${site.url}/metricas`, authorization ? { headers: { authorization } } : {})

/** The value of the first line that begins with `series`. */
function metricValue(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(series))
  return Number(line?.split(' ').at(-1))
}

test('requests, batches, queues, deliveries and the event loop are measured', async () => {
  const signature = aSignature()
  for (const body of [JSON.stringify(signature), '{"nome":""}']) {
    const headers = { 'content-type': 'application/json' }
    await (await fetch(`${site.url}/api/peticoes`, { method: 'POST', headers, body })).text()
  }
  await (await fetch(`${site.url}/api/peticoes/count`)).text()
  await (await fetch(`${site.url}/peticao`)).text()
  await (await fetch(`${site.url}/api/campaigns/brasilquerpaz`)).text()

  const answer = await read(`Bearer ${token}`)
  const text = await answer.text()

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const requests = (kind: string, status: string) =>
    metricValue(text, `mobiliza_http_request_seconds_count{kind="${kind}",status="${status}"}`)
  expect(requests('signing', '2xx')).toBe(1)
  expect(requests('signing', '4xx')).toBe(1)
  expect(requests('count', '2xx')).toBe(1)
  expect(requests('page', '2xx')).toBe(1)
  expect(requests('data', '2xx')).toBe(1)
  expect(metricValue(text, 'mobiliza_signature_batch_size_sum')).toBe(1)
  expect(metricValue(text, 'mobiliza_signature_commit_seconds_count')).toBe(1)
  expect(metricValue(text, 'mobiliza_signatures_waiting')).toBe(0)
  expect(metricValue(text, 'mobiliza_outbox_waiting')).toBe(1)
  expect(metricValue(text, 'mobiliza_outbox_parked')).toBe(0)
  expect(metricValue(text, 'mobiliza_outbox_overdue_seconds')).toBeGreaterThan(0)
  expect(metricValue(text, 'mobiliza_connections')).toBeGreaterThan(0)
  expect(metricValue(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
  for (const secret of [...Object.values(signature), token]) expect(text).not.toContain(secret)
})

test('refused requests are counted by reason', async () => {
  const body = JSON.stringify(aSignature())
  const headers = { 'content-type': 'application/json' }
  const url = '/api/peticoes'
  const all = Array.from({ length: 310 }, () => site.app.inject({ method: 'POST', url, headers, payload: body }))
  const refused = (await Promise.all(all)).filter(({ statusCode }) => statusCode === 429)

  const text = await (await read(`Bearer ${token}`)).text()

  expect(refused.length).toBeGreaterThan(0)
  expect(metricValue(text, 'mobiliza_shed_total{reason="mailbox"}')).toBe(refused.length)
})

test.each([undefined, 'Bearer ', 'Bearer outro-segredo-qualquer', `Basic ${token}`])(
  'without the token the answer is a 401 (%s)',
  async (authorization) => {
    const answer = await read(authorization)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'As métricas pedem o token no cabeçalho Authorization.',
      code: 'unauthenticated',
    })
  },
)

test('without a token in the settings there are no metrics', async () => {
  const siteWithoutToken = await openTestSite()
  try {
    const answer = await fetch(`${siteWithoutToken.url}/metricas`, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(404)
  } finally {
    await siteWithoutToken.close()
  }
})
