// Repeated kill -9 of the server while it imports a list.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { guessMapping } from '#contract/admin/people-import.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { startServer } from '#tests/helpers/server-process.ts'

const password = 'senha-de-teste-123'
const rows = 12_000
const columns = ['Nome', 'E-mail', 'WhatsApp', 'Cidade', 'Estado']

let site: PostgresSite
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

test('kill -9 during an import: another node continues it, every row is stored and counted once, and no e-mail is queued', async () => {
  const settings = { ...site.settings, env: { ...site.settings.env, ADMIN_PASSWORD: password } }
  const first = await startServer(settings)
  const second = await startServer({ env: settings.env })
  onTestFinished(() => second.kill())
  const client = new pg.Client({ connectionString: site.settings.env?.DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  const login = await fetch(`${first.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const headers = { authorization: `Bearer ${((await login.json()) as { token: string }).token}` }
  const form = new FormData()
  form.set('tipo', 'assinaturas')
  form.set('nome', 'lista.csv')
  const list = Array.from({ length: rows }, (_, n) => `Fulana ${n};f${n}@example.org;0000000000;Belém;PA`)
  form.set('arquivo', new Blob([[columns.join(';'), ...list].join('\n')]), 'lista.csv')
  const staged = await fetch(`${first.url}/api/admin/importacoes`, { method: 'POST', headers, body: form })
  const { id } = (await staged.json()) as { id: number }
  const started = await fetch(`${first.url}/api/admin/importacoes/${id}/iniciar`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      mapeamento: guessMapping('assinaturas', columns),
      ...{ campanha: 'juros', origem: 'feira', baseLegal: 'lista em papel assinada', declaraNovidades: false },
    }),
  })
  expect(started.status).toBe(200)
  const progress = async () =>
    (await client.query<{ processed: number; status: string }>('select processed, status from imports')).rows[0]
  while (((await progress())?.processed ?? 0) === 0) await delay(5)
  await first.kill()
  const atKill = await progress()
  expect(atKill).toMatchObject({ status: 'running' })
  expect(atKill?.processed).toBeLessThan(rows)

  await expect.poll(async () => (await progress())?.status, { timeout: 60_000, interval: 250 }).toBe('done')

  const { rows: result } = await client.query(`select
    (select count(*)::int from peticoes) as stored, (select count(distinct email)::int from peticoes) as people,
    (select sum(n)::int from ${signatureCountsSql}) as counted, (select accepted from imports) as accepted,
    (select count(*)::int from outbox where kind not like 'planilha%') as emails,
    (select sum(jsonb_array_length(payload->'ids'))::int from outbox where kind = 'planilha') as "sheetRows",
    (select count(*)::int from admin_actions where action = 'Terminou de importar pessoas') as ends`)
  expect(result).toEqual([
    { stored: rows, people: rows, counted: rows, accepted: rows, emails: 0, sheetRows: rows, ends: 1 },
  ])
})
