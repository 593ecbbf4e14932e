import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { avoidBoundary } from '#tests/helpers/avoid-boundary.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
beforeEach(() => avoidBoundary('day'))
afterAll(() => site.close())

const count = async (path: string) => ((await (await fetch(site.url + path)).json()) as { count: number }).count

test('old hours, recently completed hours and the current hour add up to one count', async () => {
  await site.rows(`
    insert into signature_count_changes (campanha, estado, hora, n)
    select campanha, estado, date_trunc('hour', now()) - ago * interval '1 hour', 1
    from unnest(array['juros', 'brasilquerpaz']) campanha, unnest(array['SP', 'BA']) estado, generate_series(0, 99) ago`)

  expect(await count('/api/peticoes/count')).toBe(18_245 + 200)
  expect(await count('/api/campaigns/brasilquerpaz/count')).toBe(200)

  const answer = await fetch(`${site.url}/api/peticoes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(aSignature()),
  })
  expect(answer.status).toBe(201)
  await expect.poll(() => count('/api/peticoes/count'), { interval: 100 }).toBe(18_245 + 201)
  expect(await count('/api/campaigns/brasilquerpaz/count')).toBe(200)
})

test('the signatures of today are counted from midnight in Brasília', async () => {
  const midnight = `date_trunc('day', now() at time zone 'America/Sao_Paulo') at time zone 'America/Sao_Paulo'`
  await site.rows(`insert into signature_count_changes (campanha, estado, hora, n) values
    ('fim-escala-6x1', 'SP', ${midnight}, 3), ('fim-escala-6x1', 'BA', ${midnight} - interval '1 hour', 5)`)
  await site.rows(`insert into peticoes_por_hora (campanha, estado, hora, n) values
    ('fim-escala-6x1', 'SP', ${midnight}, 4), ('fim-escala-6x1', 'BA', ${midnight} - interval '1 day', 6)`)

  // The count of the day is read every ten seconds, and was perhaps read just before.
  await expect
    .poll(async () => (await fetch(`${site.url}/api/campaigns/fim-escala-6x1/count`)).json(), { timeout: 20_000 })
    .toMatchObject({ hoje: 7 })
})
