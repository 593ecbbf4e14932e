// Signing a petition: what is stored, counted, queued and answered.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { openDatabase } from '#server/db/database.ts'
import { removeSignature } from '#server/features/petitions/removal.ts'
import { createFanOut } from '#server/outbox/queue/fan-out.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aSignature, type SignatureFields } from '#tests/helpers/factories.ts'
import { completeResponse, failInserts } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.empty())

function sign(signature: Partial<SignatureFields>, headers: Record<string, string> = {}) {
  return fetch(`${site.url}/api/peticoes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(signature),
  })
}

async function publicCount(path = '/api/peticoes/count'): Promise<number> {
  // The count must be current within two seconds; the node caches for one second.
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  const answer = (await (await fetch(site.url + path)).json()) as { count: number }
  return answer.count
}

async function stored() {
  const [total] = await site.rows<{ signatures: number; counts: number; queued: number }>(`
    select (select count(*)::int from peticoes) as signatures,
      (select coalesce(sum(n), 0)::int from ${signatureCountsSql}) as counts,
      (select coalesce(sum(jsonb_array_length(payload)), 0)::int from outbox where kind = 'assinaturas') as queued`)
  return total
}

/** Expands the queued rows like a worker. Returns the ids of the signatures that get a notice of a repeat. */
async function expandAndReadNotices(): Promise<string[]> {
  const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
  const fanOut = createFanOut(database, { reminders: async () => false })
  while (await fanOut.run());
  await database.close()
  const rows = await site.rows<{ id: string }>(
    `select jsonb_array_elements_text(payload->'ids') as id from outbox where kind = 'emails' and payload->>'modelo' = 'repetida'`,
  )
  return rows.map(({ id }) => id)
}

test('a signature is stored, counted and queued for delivery before the answer', async () => {
  const signature = aSignature({
    nome: '  Fulano   de Exemplo ',
    email: 'Fulano.Exemplo@Example.org',
    estado: 'rj',
    redesSociais: '@fulano',
  })

  const answer = await sign(signature)

  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({ success: true, message: 'Sua assinatura foi registrada com sucesso!' })
  const [row] = await site.rows('select * from peticoes')
  expect(row).toMatchObject({
    campanha: 'juros',
    nome: 'Fulano de Exemplo',
    email: 'fulano.exemplo@example.org',
    cidade: 'Cidade Inventada',
    estado: 'RJ',
    redesSociais: '@fulano',
    aceitaNovidades: false,
    versaoConsentimento: '2026-11-19',
    confirmadoEm: null,
  })
  expect(await site.rows(`select campanha, estado, n from ${signatureCountsSql}`)).toEqual([
    { campanha: 'juros', estado: 'RJ', n: 1 },
  ])
  expect(await site.rows('select kind, payload from outbox')).toEqual([{ kind: 'assinaturas', payload: [row?.id] }])
})

test('the public count includes the base count, and the count of the campaign does not', async () => {
  await Promise.all([sign(aSignature()), sign(aSignature()), sign(aSignature({ estado: 'BA' }))])

  expect(await publicCount()).toBe(18248)
  expect(await publicCount('/api/campaigns/juros/count')).toBe(3)
})

test('two hundred identical concurrent requests leave one row, one count, one delivery and equal answers', async () => {
  const signature = aSignature()

  const answers = await Promise.all(Array.from({ length: 200 }, () => sign(signature)))

  expect(answers[0]?.status).toBe(201)
  expect(new Set(await Promise.all(answers.map(completeResponse))).size).toBe(1)
  expect(await stored()).toEqual({ signatures: 1, counts: 1, queued: 1 })
  expect(await site.rows(`select kind from outbox where kind <> 'pedidos-repetidos'`)).toEqual([
    { kind: 'assinaturas' },
  ])
  expect(await expandAndReadNotices()).toEqual([])
  expect(await publicCount()).toBe(18246)
})

describe('one person, one signature', () => {
  test('spellings of one mailbox are one person', async () => {
    for (const email of ['fulano.silva@gmail.com', 'FulanoSilva+abc@gmail.com', 'fulanosilva@googlemail.com']) {
      expect((await sign(aSignature({ email }))).status).toBe(201)
    }
    expect(await stored()).toMatchObject({ signatures: 1 })
  })

  test('spellings of one mailbox share its limit', async () => {
    const signatures = Array.from({ length: 400 }, (_, n) => aSignature({ email: `fulana+${n}@gmail.com` }))
    const answers = await Promise.all(
      signatures.map((payload) => site.app.inject({ method: 'POST', url: '/api/peticoes', payload })),
    )
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(100)
  })

  test('dots and tags count where the mail provider distinguishes them', async () => {
    for (const email of ['fulano.silva@example.org', 'fulanosilva@example.org', 'fulanosilva+a@example.org']) {
      await sign(aSignature({ email }))
    }
    expect(await stored()).toMatchObject({ signatures: 3 })
  })

  test('the same person can sign another campaign', async () => {
    const signature = aSignature()
    await sign(signature)
    const answer = await fetch(`${site.url}/api/campaigns/brasilquerpaz/signatures`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(signature),
    })
    expect(answer.status).toBe(201)
    expect(await stored()).toMatchObject({ signatures: 2, counts: 2 })
  })

  test('a retry with the same request id, in lower or upper case, is not a repeat', async () => {
    const signature = aSignature()
    const headers = { 'x-request-id': crypto.randomUUID() }
    await sign(signature, headers)
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)

    const again = await sign(signature, headers)
    await sign(signature, { 'x-request-id': headers['x-request-id'].toUpperCase() })

    expect(again.status).toBe(201)
    expect(await expandAndReadNotices()).toEqual([])
    expect(await site.rows(`select kind from outbox where kind = 'pedidos-repetidos'`)).toEqual([])
  })

  test('a retry does not hide a repeat at the same time', async () => {
    const signature = aSignature()
    const headers = { 'x-request-id': crypto.randomUUID() }
    await sign(signature, headers)
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)

    await Promise.all([sign(signature, headers), sign(signature), sign(signature, headers)])

    expect(await expandAndReadNotices()).toHaveLength(1)
  })

  test('a repeat is queued before the answer, so that no crash loses it', async () => {
    const signature = aSignature()
    await sign(signature)
    await sign({ ...signature, aceitaNovidades: true })

    const [repeat] = await site.rows<{ payload: unknown }>(
      `select payload from outbox where kind = 'pedidos-repetidos'`,
    )
    expect(repeat?.payload).toEqual([
      {
        ...{ campanha: 'juros', emailCanonico: signature.email, aceitaNovidades: true },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ])
  })

  test('a repeat days later queues one notice a day', async () => {
    const signature = aSignature()
    await sign(signature)
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)

    await sign(signature)
    await sign(signature)

    expect(await expandAndReadNotices()).toHaveLength(1)
    expect(await stored()).toMatchObject({ signatures: 1, counts: 1 })
  })

  test('after a notice of a repeat the next one on the same day sends none', async () => {
    const [one, other] = [aSignature(), aSignature()]
    await Promise.all([sign(one), sign(other)])
    await site.rows(`update peticoes set "createdAt" = now() - interval '3 days'`)
    await sign(one)
    expect(await expandAndReadNotices()).toHaveLength(1)

    await sign(one)
    await sign(other)

    expect(new Set(await expandAndReadNotices()).size).toBe(2)
    expect(await expandAndReadNotices()).toHaveLength(2)
  })

  test('a removed person is removed from queued repeats, and the others stay', async () => {
    const [removed, kept] = [aSignature(), aSignature()]
    await Promise.all([sign(removed), sign(kept)])
    await Promise.all([sign(removed), sign(kept)])
    const [{ id = '' } = {}] = await site.rows<{ id: string }>('select id from peticoes where email = $1', [
      removed.email,
    ])
    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)

    await removeSignature(database, id)

    await database.close()
    const waiting = await site.rows(`select payload from outbox where kind = 'pedidos-repetidos'`)
    expect(JSON.stringify(waiting)).not.toContain(removed.email)
    expect(JSON.stringify(waiting)).toContain(kept.email)
  })
})

test('a signature that could not be stored is answered with 503, and can be sent again', async () => {
  const signature = aSignature()
  const repair = await failInserts(site, { table: 'peticoes', code: '57P03', times: 1_000 })

  const answer = await sign(signature)
  await repair()

  expect(answer.status).toBe(503)
  expect(await stored()).toEqual({ signatures: 0, counts: 0, queued: 0 })
  expect((await sign(signature)).status).toBe(201)
  expect(await stored()).toEqual({ signatures: 1, counts: 1, queued: 1 })
})

test('new, repeated and honeypot signatures get the same answer byte for byte', async () => {
  const signature = aSignature()
  const answers = [
    await sign(signature),
    await sign(signature),
    await sign(aSignature({ honeypot: 'http://example.org' })),
  ]

  const seen = await Promise.all(
    answers.map(async (answer) => {
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      return JSON.stringify([answer.status, headers, await answer.text()])
    }),
  )
  expect(new Set(seen).size).toBe(1)
  expect(await stored()).toEqual({ signatures: 1, counts: 1, queued: 1 })
})

test.each(['1', `${'z'.repeat(8)}-zzzz-zzzz-zzzz-${'z'.repeat(12)}`, "'; drop table peticoes; --"])(
  'a request id that is not a UUID is replaced (%s)',
  async (requestId) => {
    const [one, other] = [aSignature(), aSignature()]
    for (const signature of [one, other])
      expect((await sign(signature, { 'x-request-id': requestId })).status).toBe(201)
    const rows = await site.rows<{ requestId: string }>('select "requestId" from peticoes')
    expect(new Set(rows.map((row) => row.requestId)).size).toBe(2)
  },
)

test('unknown fields are ignored', async () => {
  const answer = await sign({
    ...aSignature(),
    ...({
      id: crypto.randomUUID(),
      campanha: 'outra',
      createdAt: '2001-01-01',
      confirmadoEm: '2001-01-01',
      baseCount: 9,
    } as object),
  })

  expect(answer.status).toBe(201)
  const [row] = await site.rows(
    `select campanha, "confirmadoEm", "createdAt" > now() - interval '1 minute' as recent from peticoes`,
  )
  expect(row).toEqual({ campanha: 'juros', confirmadoEm: null, recent: true })
})

test('counts by state and hour add up to the total', async () => {
  const states = ['SP', 'RJ', 'BA', 'AM', 'DF']
  await Promise.all(Array.from({ length: 150 }, (_, index) => sign(aSignature({ estado: states[index % 5] ?? 'SP' }))))

  expect(await stored()).toEqual({ signatures: 150, counts: 150, queued: 150 })
  const byState = await site.rows(`select estado, sum(n)::int as n from ${signatureCountsSql} group by estado`)
  expect(byState.map(({ n }) => n)).toEqual([30, 30, 30, 30, 30])
})

const source = inject('source')

// The embedded engine runs one transaction at a time, so only PostgreSQL can show this.
test.runIf(source.kind === 'postgres')('a lock held on the campaign row does not delay signing', async () => {
  const [database] = await site.rows<{ name: string }>('select current_database() as name')
  const url = source.kind === 'postgres' ? source.url.replace(/\/postgres$/, `/${database?.name}`) : ''
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('begin')
  await other.query(`select * from campaigns where slug = 'juros' for update`)

  expect((await sign(aSignature())).status).toBe(201)
  expect(await stored()).toMatchObject({ signatures: 1 })

  await other.query('rollback')
  await other.end()
})

describe('refusals', () => {
  const wrong: [field: keyof SignatureFields, value: string, sentence: string][] = [
    ['nome', 'Jo', 'Nome deve ter pelo menos 3 caracteres'],
    ['nome', '   a  ', 'Nome deve ter pelo menos 3 caracteres'],
    ['email', 'fulano.example.org', 'Email inválido'],
    ['email', 'fulano@localhost', 'Email inválido'],
    ['whatsapp', '(11) 9876', 'Número deve ter pelo menos 8 dígitos'],
    ['whatsapp', '1'.repeat(26), 'Número muito longo'],
    ['whatsapp', '11 98765-4321x', 'Formato de telefone inválido'],
    ['cidade', 'X', 'Cidade é obrigatória'],
    ['estado', '', 'Estado é obrigatório'],
    ['estado', 'XX', 'Estado é obrigatório'],
  ]
  test.each(wrong)('%s "%s" is refused with its message', async (field, value, message) => {
    const answer = await sign(aSignature({ [field]: value }))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ success: false, message, code: 'invalid', errors: { [field]: message } })
    expect(await stored()).toEqual({ signatures: 0, counts: 0, queued: 0 })
  })

  test('an empty body names every required field, the first one as the message', async () => {
    const answer = await sign({})
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Nome deve ter pelo menos 3 caracteres',
      code: 'invalid',
      errors: {
        nome: 'Nome deve ter pelo menos 3 caracteres',
        email: 'Email inválido',
        whatsapp: 'Número deve ter pelo menos 8 dígitos',
        cidade: 'Cidade é obrigatória',
        estado: 'Estado é obrigatório',
      },
    })
  })

  test('an unknown or inactive campaign cannot be signed, read or counted', async () => {
    await site.rows(`update campaigns set "isActive" = false where slug = 'fim-escala-6x1'`)
    onTestFinished(async () => void (await site.rows(`update campaigns set "isActive" = true`)))
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    for (const slug of ['nenhuma', 'fim-escala-6x1', '..%2f', encodeURIComponent('ç')]) {
      const answers = await Promise.all([
        fetch(`${site.url}/api/campaigns/${slug}`),
        fetch(`${site.url}/api/campaigns/${slug}/count`),
        fetch(`${site.url}/api/campaigns/${slug}/signatures`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(aSignature()),
        }),
      ])
      for (const answer of answers) {
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({
          success: false,
          message: 'Campanha não encontrada',
          code: 'campaign-not-found',
        })
      }
    }
  })
})
