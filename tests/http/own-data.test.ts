// `/meus-dados`: the request says nothing about an address, and the link shows and changes only the data of its own.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminMessages } from '#contract/admin/messages.ts'
import type { OwnData } from '#contract/own-data.ts'
import { addressHmac } from '#server/core/address-key.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { completeResponse, postForm, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite(
    {
      EMAILS_PER_MINUTE: '60000',
      BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret,
    },
    { deliveries: { pollMs: 50 } },
  )
})
afterAll(() => site.close())
beforeEach(() => site.empty())

const campaign = 'brasilquerpaz'
const sign = async (fields: Parameters<typeof aSignature>[0] = {}, slug = campaign) => {
  const signature = aSignature(fields)
  expect((await postJson(`${site.url}/api/campaigns/${slug}/signatures`, signature)).status).toBe(201)
  return signature
}
const ask = (email: string) => postForm(`${site.url}/meus-dados`, { email }, { redirect: 'manual' })
const subject = 'O link para os seus dados'
const linkMails = async (email: string) =>
  (await site.deliveries.localEmails(500)).filter((mail) => mail.to === email && mail.subject === subject)
const settled = () =>
  expect
    .poll(async () => (await site.rows(`select 1 from outbox where not dead and kind like 'meus-dados%'`)).length, {
      timeout: 15_000,
    })
    .toBe(0)

/** Asks for the link of an address, and returns its path. */
async function linkOf(email: string): Promise<string> {
  const before = (await linkMails(email)).length
  expect((await ask(email)).status).toBe(303)
  await expect.poll(async () => (await linkMails(email)).length, { timeout: 15_000 }).toBe(before + 1)
  const [latest] = await linkMails(email)
  const { text = '' } = (await site.deliveries.localEmail(latest?.id ?? '')) ?? {}
  return /https:\/\/mobiliza\.example\.org(\/meus-dados\/[\w-]{22})\s/.exec(text)?.[1] ?? ''
}

const dataOf = async (link: string) => (await (await fetch(`${site.url}/api${link}`)).json()) as OwnData
const audited = () =>
  site.rows<{ username: string; action: string; target: string; changes: { field: string }[] }>(
    'select username, action, target, changes from admin_actions where session is null order by id',
  )
const wrongCounts = () =>
  site.rows(`
    with stored as (select campanha, estado, date_trunc('hour', "createdAt") as hora, count(*)::int as rows from peticoes group by 1, 2, 3),
    counts as (select campanha, estado, hora, sum(n)::int as n from ${signatureCountsSql} group by 1, 2, 3 having sum(n) <> 0)
    select * from stored full join counts using (campanha, estado, hora) where rows is distinct from n`)

describe('the request', () => {
  test('is answered the same for a known, an unknown, a silent and a suppressed address', async () => {
    const known = await sign()
    const [silent, rejected] = [await sign(), await sign()]
    await site.rows('insert into enderecos ("addressHmac", "doNotContactAt") values ($1, now())', [
      addressHmac(site.addressKey, silent.email),
    ])
    await site.rows('insert into enderecos ("addressHmac", "rejectedAt") values ($1, now())', [
      addressHmac(site.addressKey, rejected.email),
    ])
    const unknown = `ninguem.${process.pid}@example.org`
    const answers: string[] = []
    for (const email of [known.email, unknown, silent.email, rejected.email]) {
      answers.push(await completeResponse(await ask(email)))
      answers.push(await completeResponse(await postJson(`${site.url}/api/meus-dados`, { email })))
    }
    expect(new Set(answers.filter((_, index) => index % 2 === 0)).size).toBe(1)
    expect(new Set(answers.filter((_, index) => index % 2 === 1)).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '')[0]).toBe(303)
    expect(JSON.parse(answers[1] ?? '')[0]).toBe(202)

    await settled()
    expect(await linkMails(known.email)).toHaveLength(2)
    for (const email of [unknown, silent.email, rejected.email]) expect(await linkMails(email)).toEqual([])
    // Nothing is left of the address of a stranger.
    expect(await site.rows(`select 1 from outbox where payload::text like '%${unknown}%'`)).toEqual([])
    expect(
      await site.rows('select 1 from emails_por_endereco where "addressHmac" = $1', [
        addressHmac(site.addressKey, unknown),
      ]),
    ).toEqual([])
  }, 30_000)

  test('does the same work for a known and an unknown address', async () => {
    const { email } = await sign()
    const read = () => site.rows<{ n: number }>(`select count(*)::int as n from outbox where kind = 'meus-dados'`)
    await site.rows(
      `create or replace function hold() returns trigger language plpgsql as $$ begin
        if new.kind = 'meus-dados' then new."dueAt" := now() + interval '1 hour'; end if; return new; end $$`,
    )
    await site.rows('create trigger hold before insert on outbox for each row execute function hold()')
    for (const address of [email, `ninguem.${process.pid}@example.org`]) await ask(address)
    expect(await read()).toEqual([{ n: 2 }])
    await site.rows('drop function hold cascade')
  })

  test('sends at most three e-mails an hour to a mailbox, whatever the tag', async () => {
    const { email } = await sign()
    const tagged = await sign({ email: email.replace('@', '+outra@') })
    for (let times = 0; times < 4; times++) await ask(email)
    await ask(tagged.email)
    await settled()
    expect(await linkMails(email)).toHaveLength(3)
    expect(await linkMails(tagged.email)).toEqual([])

    await site.rows(`update emails_por_endereco set "changedAt" = now() - interval '61 minutes'`)
    await ask(email)
    await settled()
    expect(await linkMails(email)).toHaveLength(4)
  }, 30_000)

  test('goes to the stored address, in the spelling that its owner gave', async () => {
    const stored = `fulana.tal.${process.pid}@gmail.com`
    await sign({ email: stored })
    await ask(stored.replaceAll('.', '').replace('gmailcom', 'gmail.com'))
    await settled()
    expect(await linkMails(stored)).toHaveLength(1)
  })

  test('refuses what is not an address, and other sites', async () => {
    const invalid = await ask('isto não é')
    expect(invalid.status).toBe(422)
    expect(await invalid.text()).toContain('Email inválido')
    const foreign = await fetch(`${site.url}/meus-dados`, {
      method: 'POST',
      headers: { origin: 'https://outro.example.org' },
      body: new URLSearchParams({ email: 'a@example.org' }),
    })
    expect(foreign.status).toBe(403)
    expect(await site.rows(`select 1 from outbox where kind = 'meus-dados'`)).toEqual([])
  })
})

describe('the link', () => {
  test('shows everything about its address, and nothing about another', async () => {
    const { email, ...person } = await sign({ aceitaNovidades: true })
    const other = await sign()
    const tagged = await sign({ email: email.replace('@', '+tag@') })
    await postJson(`${site.url}/api/contacts`, aContact({ email }))
    await postJson(`${site.url}/api/lideres`, anInfluencer({ email }))
    const leader = aLeader({ email })
    expect((await postJson(`${site.url}/api/formulario-lideres`, leader)).status).toBe(201)
    await callWebhook(site, { subscriber_id: '77', name: 'Fulana do Robô', email, message: 'Quero ajudar' })
    await callWebhook(site, { subscriber_id: '78', name: 'Outra', phone: person.whatsapp, message: 'Segredo alheio' })
    await site.rows(
      `insert into people_notes (kind, "recordId", author, text) select 'assinaturas', id, 'equipe', 'Nota secreta' from peticoes`,
    )

    const link = await linkOf(email)
    const answer = await fetch(site.url + link)
    const html = await answer.text()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toContain('<script type="module"')
    // Share tags must not contain the secret.
    expect(html.slice(0, html.indexOf('</head>'))).not.toContain(link)
    for (const shown of [person.nome, email, leader.motivacao, leader.endereco, 'Quero ajudar', '1 nota da equipe'])
      expect(html).toContain(shown)
    for (const hidden of [other.nome, other.email, tagged.nome, 'Segredo alheio', 'Nota secreta', leader.cpf])
      expect(html).not.toContain(hidden)

    const data = await dataOf(link)
    expect(data.registros.map(({ tipo }) => tipo)).toEqual(['assinaturas', 'voluntarios', 'influenciadores', 'lideres'])
    expect(data.registros[3]?.dados.find(({ nome }) => nome === 'CPF')?.valor).toMatch(/^•••\.\d{3}\.\d{3}-••$/)
    expect(data.conversas).toHaveLength(1)
    expect(data.emails.enviados.map(({ assunto }) => assunto)).toContain('Links para os seus dados')
    const file = await fetch(`${site.url}/api${link}/arquivo`)
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="meus-dados.json"')
    expect(file.headers.get('cache-control')).toBe('no-store')
    expect(((await file.json()) as OwnData).registros).toEqual(data.registros)
    expect((await audited()).map(({ username, action }) => [username, action])).toEqual([
      [adminMessages.auditLog.ownPerson, adminMessages.auditLog.ownDataDownloaded],
    ])
  }, 40_000)

  test('shows and erases the conversations of somebody who is only known by the chatbot, in any spelling', async () => {
    const typed = `so.no.robo.${process.pid}@gmail.com`
    await callWebhook(site, { subscriber_id: '79', name: 'Fulana do Robô', email: typed, message: 'Quero ajudar' })
    expect((await ask(typed.replace('so.no', 'sono'))).status).toBe(303)
    await expect.poll(async () => (await linkMails(typed)).length, { timeout: 15_000 }).toBe(1)
    const link = await linkOf(typed)
    expect((await dataOf(link)).conversas).toHaveLength(1)

    const erased = await postForm(`${site.url}${link}/apagar`, { confirmo: 'on' }, { redirect: 'manual' })

    expect(erased.status).toBeLessThan(400)
    expect(await site.rows('select id from bot_conversas')).toEqual([])
  }, 40_000)

  test('writes its first download into the audit log, and has a limit of its own', async () => {
    const { email } = await sign()
    const link = await linkOf(email)
    const statuses = new Map<number, number>()
    for (let times = 0; times < 350; times++) {
      const { status } = await fetch(`${site.url}/api${link}/arquivo`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses.keys()]).toEqual([200, 429])
    expect(await audited()).toHaveLength(1)
    // Other links are not affected.
    const { email: another } = await sign()
    expect((await fetch(`${site.url}/api${await linkOf(another)}/arquivo`)).status).toBe(200)
  }, 60_000)

  test('works several times within the hour, and not after', async () => {
    const { email } = await sign()
    const link = await linkOf(email)
    for (let times = 0; times < 3; times++) expect((await fetch(site.url + link)).status).toBe(200)
    const [stored] = await site.rows<{ minutes: number; row: string }>(
      `select round(extract(epoch from "expiresAt" - now()) / 60)::int as minutes, t::text as row from email_tokens t where action = 'meus-dados'`,
    )
    expect(stored?.minutes).toBe(60)
    // The database alone gives neither the secret nor the address.
    expect(stored?.row).not.toContain(link.slice(-22))
    expect(stored?.row).not.toContain(Buffer.from(email).toString('hex'))

    await site.rows(`update email_tokens set "expiresAt" = now() - interval '1 second' where action = 'meus-dados'`)
    const [record] = await site.rows<{ id: string }>('select id from peticoes')
    for (const path of [link, `${link}/retirar/${record?.id}`, `${link}/corrigir/assinaturas/${record?.id}`]) {
      const expired = await fetch(site.url + path)
      expect([expired.status, await expired.text()]).toEqual([410, expect.stringContaining('Peça outro')])
    }
    expect((await fetch(`${site.url}/api${link}/arquivo`)).status).toBe(410)
    expect((await postForm(`${site.url}${link}/retirar/${record?.id}`, {})).status).toBe(410)
    expect(await site.rows('select 1 from peticoes')).toHaveLength(1)
    const unknown = await fetch(`${site.url}/meus-dados/${'a'.repeat(22)}`)
    expect(unknown.status).toBe(404)
  }, 30_000)

  test('of another kind does not open the page', async () => {
    const { email } = await sign()
    await expect.poll(async () => (await site.deliveries.localEmails()).some(({ to }) => to === email)).toBe(true)
    const mail = (await site.deliveries.localEmails()).find(({ to }) => to === email)
    const { text = '' } = (await site.deliveries.localEmail(mail?.id ?? '')) ?? {}
    const token = /\/descadastrar\/([\w-]{22})/.exec(text)?.[1]
    expect((await fetch(`${site.url}/meus-dados/${token}`)).status).toBe(404)
  })

  test('leads to the preferences of the mailbox', async () => {
    const { email } = await sign({ aceitaNovidades: true })
    const { preferencias } = await dataOf(await linkOf(email))
    expect((await postForm(site.url + preferencias, { escolha: 'nenhuma' })).status).toBe(200)
    expect(await site.rows('select 1 from enderecos where "unsubscribedAt" is not null')).toHaveLength(1)
  })

  test('shows the text that a person typed as text', async () => {
    const { email } = await sign({ nome: '<script>alert(1)</script> "x" \'y\'', redesSociais: '<img src=x onerror=1>' })
    const link = await linkOf(email)
    const [record] = await site.rows<{ id: string }>('select id from peticoes')
    for (const path of [link, `${link}/corrigir/assinaturas/${record?.id}`]) {
      const html = await (await fetch(site.url + path)).text()
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('<img src=x')
      expect(html).toContain('&lt;script&gt;alert(1)')
    }
  })
})

describe('a correction', () => {
  const correction = {
    nome: 'Nome Corrigido',
    whatsapp: '(11) 98888-7777',
    cidade: 'Recife',
    estado: 'PE',
    redesSociais: '',
  }
  const idOf = async (table = 'peticoes', email?: string) =>
    (await site.rows<{ id: string }>(`select id from ${table} where $1::text is null or email = $1`, [email]))[0]?.id ??
    ''
  const submit = (link: string, tipo: string, id: string, fields: object = correction) =>
    postForm(`${site.url}${link}/corrigir/${tipo}/${id}`, fields, { redirect: 'manual' })

  test('of a signature corrects the counts by state, the spreadsheet, the search and the log, once', async () => {
    const signature = await sign({ redesSociais: '@antiga' })
    await sign()
    const id = await idOf('peticoes', signature.email)
    const link = await linkOf(signature.email)
    const admin = await enter(site)
    const search = async (busca: string) =>
      (
        await admin.ask<{ pessoas: object[] }>(
          'GET',
          `/api/admin/pessoas/assinaturas?busca=${encodeURIComponent(busca)}`,
        )
      ).pessoas.length
    expect(await search('Corrigido')).toBe(0)

    for (let times = 0; times < 2; times++) {
      const answer = await submit(link, 'assinaturas', id)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${link}?feito=corrigido`])
    }

    expect(
      await site.rows(
        'select nome, whatsapp, cidade, estado, "redesSociais" as redes, email from peticoes where id = $1',
        [id],
      ),
    ).toEqual([
      {
        nome: 'Nome Corrigido',
        whatsapp: '(11) 98888-7777',
        cidade: 'Recife',
        estado: 'PE',
        redes: null,
        email: signature.email,
      },
    ])
    expect(await wrongCounts()).toEqual([])
    expect(await search('Corrigido')).toBe(1)
    const entries = await audited()
    expect(entries).toEqual([
      {
        username: 'a própria pessoa',
        action: 'Corrigiu os próprios dados',
        target: `assinaturas ${id}`,
        changes: ['nome', 'whatsapp', 'cidade', 'estado', 'redesSociais'].map((field) => ({ field })),
      },
    ])
    const sheet = () => readFileSync(join(site.dataDir, 'planilhas', 'brasilquerpaz.csv'), 'utf8')
    await expect.poll(sheet, { timeout: 20_000 }).toContain('Nome Corrigido')
    const rows = sheet()
      .split('\n')
      .filter((row) => row.includes(id))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain('Recife')
    expect(rows[0]).not.toContain('@antiga')
    expect(await (await fetch(`${site.url}${link}?feito=corrigido`)).text()).toContain('os dados foram corrigidos')
  }, 60_000)

  test('has the rules of the form, and returns what was typed', async () => {
    const signature = await sign()
    const link = await linkOf(signature.email)
    const answer = await submit(link, 'assinaturas', await idOf(), { ...correction, nome: 'X', whatsapp: '<b>' })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('Nome deve ter pelo menos 3 caracteres')
    expect(html).toContain('value="&lt;b&gt;"')
    expect(await site.rows('select nome from peticoes')).toEqual([{ nome: signature.nome }])
  })

  test.each([
    ['voluntarios', 'contacts', '/api/contacts', aContact, { name: 'Nome Corrigido', whatsapp: '11988887777' }],
    [
      'influenciadores',
      'influenciadores',
      '/api/lideres',
      anInfluencer,
      { ...correction, name: 'Nome Corrigido', whatsapp: '11988887777', redesSociais: '@nova' },
    ],
    ['lideres', 'lideres', '/api/formulario-lideres', aLeader, { ...correction, redes_sociais: '@nova' }],
  ] as const)('of %s is stored', async (tipo, table, path, valid, fields) => {
    const person = valid()
    await postJson(site.url + path, person)
    const link = await linkOf(person.email)
    expect((await submit(link, tipo, await idOf(table), fields)).status).toBe(303)
    const [row] = await site.rows<Record<string, string>>(`select * from ${table}`)
    expect([row?.name ?? row?.nome, row?.redesSociais ?? row?.redes_sociais]).toEqual([
      'Nome Corrigido',
      tipo === 'voluntarios' ? undefined : '@nova',
    ])
  })

  test('of a record of another address is refused, and changes nothing', async () => {
    const [mine, other] = [await sign(), await sign()]
    const link = await linkOf(mine.email)
    const id = await idOf('peticoes', other.email)
    for (const path of [`${link}/corrigir/assinaturas/${id}`, `${link}/retirar/${id}`]) {
      expect((await postForm(site.url + path, correction, { redirect: 'manual' })).status).toBe(404)
      expect(await (await fetch(site.url + path)).text()).not.toContain(other.nome)
    }
    // The id of another kind.
    expect(
      (await submit(link, 'voluntarios', await idOf('peticoes', mine.email), { name: 'Abc', whatsapp: '11988887777' }))
        .status,
    ).toBe(404)
    expect(await site.rows('select nome from peticoes order by id')).toEqual([
      { nome: mine.nome },
      { nome: other.nome },
    ])
  })
})

test('withdrawing a signature removes it once, with its count, and gets the same answer again', async () => {
  const signature = await sign()
  await sign()
  const link = await linkOf(signature.email)
  const [{ id = '' } = {}] = await site.rows<{ id: string }>('select id from peticoes where email = $1', [
    signature.email,
  ])
  expect(await (await fetch(`${site.url}${link}/retirar/${id}`)).text()).toContain('Isso não tem volta')
  expect(await site.rows('select 1 from peticoes')).toHaveLength(2)

  const answers = await Promise.all(
    [1, 2].map(() => postForm(`${site.url}${link}/retirar/${id}`, {}, { redirect: 'manual' })),
  )
  answers.push(await postForm(`${site.url}${link}/retirar/${id}`, {}, { redirect: 'manual' }))

  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await site.rows('select 1 from peticoes')).toHaveLength(1)
  expect(await wrongCounts()).toEqual([])
  expect((await audited()).map(({ action, target }) => [action, target])).toEqual([
    ['Retirou a própria assinatura', `assinaturas ${id}`],
  ])
  // The link of the person still works, and says that nothing is left.
  expect(await (await fetch(site.url + link)).text()).toContain('Não há nenhuma assinatura')
})

describe('erasing everything', () => {
  const erase = (link: string, fields: object = { confirmo: 'on' }) =>
    postForm(`${site.url}${link}/apagar`, fields, { redirect: 'manual' })
  const tables = ['peticoes', 'contacts', 'bot_conversas', 'email_tokens'] as const
  const left = async (email: string) =>
    (
      await Promise.all(
        tables.map(async (table) =>
          table === 'email_tokens'
            ? site.rows('select 1 from email_tokens where "addressHmac" = $1', [addressHmac(site.addressKey, email)])
            : site.rows(`select 1 from ${table} where email = $1`, [email]),
        ),
      )
    ).map(({ length }) => length)

  test('asks first, erases once with two requests at the same time, and ends the link', async () => {
    const { email } = await sign()
    const other = await sign()
    await postJson(`${site.url}/api/contacts`, aContact({ email }))
    await callWebhook(site, { subscriber_id: '91', name: 'Fulana', email, message: 'Oi' })
    const link = await linkOf(email)
    expect(await (await fetch(`${site.url}${link}/apagar`)).text()).toContain('Isso não tem volta')
    const unticked = await erase(link, {})
    expect([unticked.status, await unticked.text()]).toEqual([
      422,
      expect.stringContaining('Marque a caixa para apagar'),
    ])
    expect((await left(email)).slice(0, 3)).toEqual([1, 1, 1])

    const answers = await Promise.all([erase(link), erase(link)])

    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(303)
    expect(statuses.filter((status) => ![303, 404].includes(status))).toEqual([])
    expect(answers.find(({ status }) => status === 303)?.headers.get('location')).toBe('/meus-dados/apagado')
    expect(await left(email)).toEqual([0, 0, 0, 0])
    expect((await left(other.email))[0]).toBe(1)
    expect(await wrongCounts()).toEqual([])
    for (const path of [link, `${link}/apagar`]) expect((await fetch(site.url + path)).status).toBe(404)
    expect((await fetch(`${site.url}/api${link}/arquivo`)).status).toBe(404)
    expect((await fetch(`${site.url}/meus-dados/apagado`)).status).toBe(200)
    const entries = await audited()
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['Apagou os próprios dados']))
    expect(JSON.stringify(entries)).not.toContain(email)
    // Another request finds nothing, and is answered as before.
    const mails = (await site.deliveries.localEmails(500)).length
    expect((await ask(email)).status).toBe(303)
    await settled()
    expect(await site.deliveries.localEmails(500)).toHaveLength(mails)
  }, 40_000)

  test('needs the link of the address without the tag', async () => {
    const base = await sign()
    const tagged = await sign({ email: base.email.replace('@', '+tag@') })
    const link = await linkOf(tagged.email)
    expect(await (await fetch(`${site.url}${link}/apagar`)).text()).not.toContain('Apagar meus dados</button>')
    expect((await erase(link)).status).toBe(422)
    expect(await site.rows('select 1 from peticoes')).toHaveLength(2)
  })

  test('removes a request that still waits in the queue', async () => {
    const { email } = await sign()
    const link = await linkOf(email)
    await site.rows(
      `insert into outbox (kind, payload, "dueAt") select kind, jsonb_build_object('email', $1::text), now() + interval '1 hour'
      from unnest(array['meus-dados', 'meus-dados-email']) kind`,
      [email],
    )
    expect((await erase(link)).status).toBe(303)
    expect(await site.rows(`select 1 from outbox where kind like 'meus-dados%'`)).toEqual([])
  })
})
