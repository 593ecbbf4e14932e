// Volunteer forms: what is stored, queued and answered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aContact, type ContactFields } from '#tests/helpers/factories.ts'
import { completeResponse, failInserts, postForm, postJson, sendArbitraryInput } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const signUp = (contact: object, headers?: Record<string, string>) =>
  postJson(`${site.url}/api/contacts`, contact, headers)

async function stored() {
  const [total] = await site.rows<{ contacts: number; queued: number }>(`
    select (select count(*)::int from contacts) as contacts, (select count(*)::int from outbox) as queued`)
  return total
}

test('a volunteer is stored and queued for delivery before the answer', async () => {
  const contact = aContact({
    name: '  Beltrana   do Exemplo ',
    email: 'Beltrana.Exemplo+x@Gmail.com',
    tasks: ['QUERO ESPALHAR CONTEÚDO NAS REDES', 'QUERO CRIAR CONTEÚDO'],
    aceitaNovidades: true,
  })

  const answer = await signUp(contact)

  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({ success: true, message: 'Cadastro realizado com sucesso!' })
  const [row] = await site.rows('select * from contacts')
  expect(row).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: 'Beltrana do Exemplo',
    email: 'beltrana.exemplo+x@gmail.com',
    canonicalEmail: 'beltranaexemplo@gmail.com',
    whatsapp: contact.whatsapp,
    tasks: ['QUERO ESPALHAR CONTEÚDO NAS REDES', 'QUERO CRIAR CONTEÚDO'],
    aceitaNovidades: true,
    versaoConsentimento: '2026-11-19',
  })
  expect(await site.rows('select kind, payload from outbox')).toEqual([{ kind: 'voluntario', payload: [row?.id] }])
})

describe('a retry', () => {
  test('of an answered request gets the same answer and stores nothing more', async () => {
    const contact = aContact()
    const headers = { 'x-request-id': crypto.randomUUID() }
    const first = await signUp(contact, headers)

    const again = await Promise.all(Array.from({ length: 20 }, () => signUp(contact, headers)))

    const seen = await Promise.all([first, ...again].map(completeResponse))
    expect(new Set(seen).size).toBe(1)
    expect(await stored()).toEqual({ contacts: 1, queued: 1 })
  })

  test('twenty times at once stores one volunteer and one delivery', async () => {
    const contact = aContact()
    const headers = { 'x-request-id': crypto.randomUUID() }

    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(contact, headers)))

    expect(new Set(await Promise.all(answers.map(completeResponse))).size).toBe(1)
    expect(await stored()).toEqual({ contacts: 1, queued: 1 })
  })

  test('with the same id and a corrected address is another volunteer', async () => {
    const headers = { 'x-request-id': crypto.randomUUID() }

    await signUp(aContact(), headers)
    await signUp(aContact(), headers)

    expect(await stored()).toEqual({ contacts: 2, queued: 2 })
  })
})

test('a volunteer who signs up again later is stored again, because the tasks may have changed', async () => {
  const contact = aContact()

  await signUp(contact)
  await signUp({ ...contact, tasks: ['QUERO ESPALHAR CONTEÚDO NAS REDES'] })

  expect(await stored()).toEqual({ contacts: 2, queued: 2 })
})

test('the spellings of one mailbox share its limit for forms', async () => {
  const contacts = Array.from({ length: 400 }, (_, n) => aContact({ email: `fulana+${n}@gmail.com` }))
  const answers = await Promise.all(
    contacts.map((payload) => site.app.inject({ method: 'POST', url: '/api/contacts', payload })),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThanOrEqual(100)
})

test('a filled honeypot is answered byte for byte like success and stores nothing', async () => {
  const person = await signUp(aContact())
  await site.empty()

  const robot = await signUp(aContact({ honeypot: 'http://example.org' }))

  expect(await completeResponse(robot)).toBe(await completeResponse(person))
  expect(await stored()).toEqual({ contacts: 0, queued: 0 })
})

describe('a form sent without JavaScript', () => {
  test('with one task is read like JSON', async () => {
    const answer = await postForm(`${site.url}/api/contacts`, aContact({ tasks: ['QUERO CRIAR CONTEÚDO'] }))

    expect(answer.status).toBe(201)
    expect(await site.rows('select tasks from contacts')).toEqual([{ tasks: ['QUERO CRIAR CONTEÚDO'] }])
  })

  test('with a repeated task field keeps all tasks', async () => {
    const tasks = ['QUERO ESPALHAR CONTEÚDO NAS REDES', 'QUERO CRIAR CONTEÚDO']

    const answer = await postForm(`${site.url}/api/contacts`, { ...aContact({ tasks }), aceitaNovidades: 'on' })

    expect(answer.status).toBe(201)
    expect(await site.rows('select tasks, "aceitaNovidades" from contacts')).toEqual([{ tasks, aceitaNovidades: true }])
  })
})

test('unknown fields are ignored', async () => {
  const id = crypto.randomUUID()

  const answer = await signUp({
    ...aContact(),
    id,
    requestId: id,
    createdAt: '2001-01-01',
    canonicalEmail: 'outra@example.org',
    versaoConsentimento: 'nenhuma',
  })

  expect(answer.status).toBe(201)
  const [row] = await site.rows(
    `select id = $1 or "requestId" = $1 as chosen, "canonicalEmail" = email as own, "versaoConsentimento",
       "createdAt" > now() - interval '1 minute' as recent from contacts`,
    [id],
  )
  expect(row).toEqual({ chosen: false, own: true, versaoConsentimento: '2026-11-19', recent: true })
})

describe('refusals', () => {
  const wrong: [field: keyof ContactFields, value: unknown, sentence: string][] = [
    ['name', 'Jo', 'Nome deve ter pelo menos 3 caracteres'],
    ['name', '   a  ', 'Nome deve ter pelo menos 3 caracteres'],
    ['name', 'x'.repeat(201), 'Nome muito longo'],
    ['email', 'beltrana.example.org', 'Email inválido'],
    ['email', 'beltrana@localhost', 'Email inválido'],
    ['whatsapp', '119876543', 'WhatsApp deve ter pelo menos 10 dígitos'],
    ['whatsapp', '119876543210', 'Número deve ter no máximo 11 dígitos'],
    ['whatsapp', '(11) 98765-4321', 'Apenas números são permitidos'],
    ['tasks', [], 'Selecione pelo menos uma tarefa'],
    ['tasks', ['OUTRA'], 'Selecione pelo menos uma tarefa'],
    ['tasks', 'OUTRA', 'Selecione pelo menos uma tarefa'],
  ]
  test.each(wrong)('%s %j is refused with its message', async (field, value, message) => {
    const answer = await signUp({ ...aContact(), [field]: value })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message: message })
    expect(await stored()).toEqual({ contacts: 0, queued: 0 })
  })

  test('an empty body names every required field, the first one as the message', async () => {
    const answer = await signUp({})

    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      success: false,
      message: 'Nome deve ter pelo menos 3 caracteres',
      code: 'invalid',
      errors: {
        name: 'Nome deve ter pelo menos 3 caracteres',
        email: 'Email inválido',
        whatsapp: 'WhatsApp deve ter pelo menos 10 dígitos',
        tasks: 'Selecione pelo menos uma tarefa',
      },
    })
  })

  test('any input is answered with a 201 or a 4xx', () => sendArbitraryInput(site, '/api/contacts', aContact))
})

describe('a database that fails', () => {
  test('briefly is retried without an error', async () => {
    const repair = await failInserts(site, { table: 'contacts', code: '40001', times: 3 })

    const answer = await signUp(aContact())

    await repair()
    expect(answer.status).toBe(201)
    expect(await stored()).toEqual({ contacts: 1, queued: 1 })
  })

  test('for longer is a 503 with Retry-After, and the same request succeeds later', async () => {
    const contact = aContact()
    const headers = { 'x-request-id': crypto.randomUUID() }
    const repair = await failInserts(site, { table: 'contacts', code: '57P03', times: 1_000 })

    const refused = await signUp(contact, headers)
    await repair()
    const accepted = await signUp(contact, headers)

    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ success: false })
    expect(accepted.status).toBe(201)
    expect(await stored()).toEqual({ contacts: 1, queued: 1 })
  })

  test('when the delivery is queued stores no volunteer either', async () => {
    const repair = await failInserts(site, { table: 'outbox', code: '53100', times: 1_000 })

    const answer = await signUp(aContact())

    await repair()
    expect(answer.status).toBe(503)
    expect(await stored()).toEqual({ contacts: 0, queued: 0 })
  })
})
