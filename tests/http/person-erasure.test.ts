// Erasing everything about a person in one action: what goes, what stays, on every node, and again after an interruption.
import { createHmac } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalMailer, openLocalMailbox } from '#server/adapters/local-mail.ts'
import { addressHmac, mailboxHmac, readAddressKeys } from '#server/core/address-key.ts'
import { createLog } from '#server/core/log.ts'
import { createRemovalJournal, readErasedPeople, readRemovals } from '#server/core/removal-journal.ts'
import { digestOf } from '#server/core/tokens.ts'
import { openAddressKey } from '#server/db/address-key.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { addressHmacSql } from '#server/db/mailbox.ts'
import { inTransaction } from '#server/db/migrate.ts'
import { replayErasures, withRestoredKey } from '#server/db/replay-erasures.ts'
import { createPersonErasure } from '#server/features/people/person-erasure.ts'
import { createErasedMail } from '#server/outbox/email/erased-mail.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aChatbotCall, aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { failInserts, postJson } from '#tests/helpers/forms.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { addNews } from '#tests/helpers/stored-news.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
let database: Database
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret })
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

const emails = () => join(site.dataDir, 'emails')
const localMail = (folder: string) => createLocalMailer(folder, 'site@example.org')
let mails = 0
async function writeLocalMail(folder: string, to: string): Promise<void> {
  mails += 1
  const content = { fromName: 'Site', replyTo: '', subject: 'Obrigado', html: '<p>Obrigado</p>', text: 'Obrigado' }
  await localMail(folder).send({ key: `${mails}.${process.pid}`, to, ...content })
}
const recipients = async (folder: string) =>
  existsSync(folder) ? (await openLocalMailbox(folder).list()).map(({ to }) => to).sort() : []

interface Counts {
  registros: { tipo: string; n: number }[]
  conversas: number
  notas: number
  links: number
  novidades: number
}
const everything = (id: string, tipo = 'assinaturas') => `/api/admin/pessoas/${tipo}/${id}/tudo`
const post = async (path: string, fields: object) => {
  const response = await postJson(site.url + path, fields)
  expect(response.status, await response.clone().text()).toBe(201)
}
const signatureOf = async (email: string) => {
  const [row] = await site.rows<{ id: string }>(
    `select id from peticoes where lower(email) = lower($1) order by id limit 1`,
    [email],
  )
  return row?.id ?? ''
}

let people = 0
/** A person who is in every list, with everything that the product can know about her. */
async function aPersonEverywhere() {
  people += 1
  const local = `em.toda.parte.${people}.${process.pid}`
  const email = `${local}@example.org`
  const tagged = `${local}+lista@example.org`
  const whatsapp = `(11) 9${String(people).padStart(4, '0')}-4321`
  await post('/api/peticoes', aSignature({ email, whatsapp, aceitaNovidades: true }))
  await post('/api/campaigns/brasilquerpaz/signatures', aSignature({ email: tagged, whatsapp }))
  await post('/api/contacts', aContact({ email, whatsapp: `119${String(people).padStart(4, '0')}4321` }))
  await post('/api/contacts', aContact({ email: tagged }))
  await post('/api/lideres', anInfluencer({ email }))
  await post('/api/formulario-lideres', aLeader({ email }))
  const id = await signatureOf(email)
  const person = `/api/admin/pessoas/assinaturas/${id}`
  await admin.ask('POST', `${person}/notas`, { texto: `Falar com ${email}` })
  await admin.ask('PATCH', `${person}/acompanhamento`, { status: 'ativo', incluir: ['comício'] })
  for (const call of [{ email: tagged.toUpperCase() }, { whatsapp }])
    expect((await callWebhook(site, aChatbotCall({ mensagem: `sou ${email}`, ...call }))).status).toBe(200)
  const hmac = addressHmac(site.addressKey, email)
  const news = await addNews(site, { slug: 'juros' })
  await site.rows(
    `insert into news_sends ("newsId", status, segment, recipients, accepted) values ($1, 'sending', '{}', 3, 1)`,
    [news.id],
  )
  await site.rows(
    `insert into news_recipients ("newsId", "addressHmac", kind, "recordId") values ($1, $2, 'assinaturas', $3)`,
    [news.id, hmac, id],
  )
  await site.rows(`insert into news_opt_outs ("addressHmac", "campaignId") select $1, min(id) from campaigns`, [hmac])
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
    select sha256(n::text::bytea || $1), 'remover', $1, $2, now() + interval '1 day' from generate_series(1, 3) n`,
    [hmac, id],
  )
  await site.rows(`insert into emails_por_endereco ("addressHmac", campanha, n) values ($1, 'juros', 2)`, [hmac])
  await site.rows(
    `insert into enderecos ("addressHmac", "unsubscribedAt", "rejectedAt", "suppressionKind", "suppressionDetail", "suppressedEmail")
    values ($1, now(), now(), 'recusa', $2::text, $2::text),
      (${addressHmacSql('$3::text')}, null, now(), 'recusa', $3::text, $3::text)`,
    [hmac, email, `${local}+outra@example.org`],
  )
  const repeat = { campanha: 'juros', emailCanonico: email, requestId: crypto.randomUUID() }
  const others = { ...repeat, emailCanonico: `x${email}` }
  await site.rows(
    `insert into outbox (kind, payload, dead, reason) values ('email', $1, true, $2), ('novidade', $3, false, null),
      ('pedidos-repetidos', $4, true, null)`,
    [
      JSON.stringify({ modelo: 'assinatura', id }),
      `550 ${email} unknown`,
      JSON.stringify({ novidade: news.id, destinatario: hmac.toString('base64') }),
      JSON.stringify([repeat, others]),
    ],
  )
  for (const to of [email, tagged]) await writeLocalMail(emails(), to)
  const file = new FormData()
  file.set('tipo', 'assinaturas')
  file.set('nome', 'lista.csv')
  file.set(
    'arquivo',
    new Blob([`Nome;E-mail;Telefone\r\nA;${tagged};11987654321\r\nB;fica@example.org;1\r\n`]),
    'l.csv',
  )
  await admin.ask('POST', '/api/admin/importacoes', file)
  return { id, email, tagged, local, hmac, newsId: news.id }
}

/** The tables with rows that contain the text, or the bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await site.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await site.rows<{ n: number }>(
      `select count(*)::int as n from "${name}" t where strpos(lower(t::text), lower($1)) > 0`,
      [text],
    )
    if (row?.n) found.push(name)
  }
  return found
}
const importedText = async () => {
  const [row] = await site.rows<{ id: string }>('select id from imports order by id desc limit 1')
  return JSON.stringify(await admin.ask('GET', `/api/admin/importacoes/${row?.id}`))
}

describe('erasing everything about a person', () => {
  test('lists what there is, and leaves nothing but what the mailbox must not get', async () => {
    const { id, email, tagged, local, hmac, newsId } = await aPersonEverywhere()
    const bystander = aSignature({ email: `x${email}` })
    await post('/api/peticoes', bystander)
    await writeLocalMail(emails(), bystander.email)
    expect(await tablesWith(local)).toEqual(
      expect.arrayContaining(['peticoes', 'contacts', 'influenciadores', 'lideres', 'bot_conversas', 'enderecos']),
    )

    const expected: Counts = {
      registros: [
        { tipo: 'assinaturas', n: 2 },
        { tipo: 'voluntarios', n: 2 },
        { tipo: 'influenciadores', n: 1 },
        { tipo: 'lideres', n: 1 },
      ],
      ...{ conversas: 2, notas: 1, links: 3, novidades: 1 },
    }
    expect(await admin.ask('GET', everything(id))).toEqual({ success: true, ...expected })
    expect(await admin.ask('DELETE', everything(id))).toEqual({
      ...{ success: true, message: 'Tudo desta pessoa foi apagado.' },
      ...expected,
    })

    await site.rows(`delete from peticoes where email = $1`, [bystander.email])
    // The repeated request of the other person stays.
    expect(await site.rows(`select payload from outbox where kind = 'pedidos-repetidos'`)).toMatchObject([
      { payload: [{ emailCanonico: `x${email}` }] },
    ])
    await site.rows(`delete from outbox where kind = 'pedidos-repetidos'`)
    expect(await tablesWith(local)).toEqual([])
    // The audit log names the record that was changed: the id of a record that is gone.
    expect(await tablesWith(id)).toEqual(['admin_actions', 'outbox'])
    expect(await site.rows(`select kind from outbox where payload::text like $1`, [`%${id}%`])).toEqual(
      expect.arrayContaining([{ kind: 'planilha-remover' }]),
    )
    expect(await site.rows(`select kind from outbox where kind in ('email', 'novidade')`)).toEqual([])
    expect(await tablesWith(hmac.toString('hex'))).toEqual(['emails_por_endereco', 'enderecos', 'erased_people'])
    expect(await site.rows('select campanha, n from emails_por_endereco')).toEqual([{ campanha: '', n: 2 }])
    expect(
      await site.rows(
        `select "unsubscribedAt" is not null as left, "rejectedAt" is not null as rejected from enderecos where "addressHmac" = $1`,
        [hmac],
      ),
    ).toEqual([{ left: true, rejected: true }])
    expect(
      await site.rows('select recipients, accepted, skipped from news_sends where "newsId" = $1', [newsId]),
    ).toEqual([{ recipients: 3, accepted: 1, skipped: 1 }])
    expect(await recipients(emails())).toEqual([bystander.email])
    expect(readdirSync(emails()).some((name) => readFileSync(join(emails(), name), 'utf8').includes(tagged))).toBe(
      false,
    )
    expect(await importedText()).not.toContain(tagged)
    expect(await site.rows(`select target from admin_actions where action = 'Apagou tudo de uma pessoa'`)).toEqual([
      { target: '6 registros' },
    ])
    expect((await admin.call('DELETE', everything(id))).status).toBe(404)
  })

  test('corrects the counts of every campaign, and queues the removal of every spreadsheet row', async () => {
    const { id } = await aPersonEverywhere()
    await post('/api/peticoes', aSignature())
    const before = await site.rows(`select campanha, sum(n)::int as n from ${signatureCountsSql} group by 1 order by 1`)
    expect(before).toEqual([
      { campanha: 'brasilquerpaz', n: 1 },
      { campanha: 'juros', n: 2 },
    ])

    await admin.ask('DELETE', everything(id))

    expect(await site.rows(`select campanha, sum(n)::int as n from ${signatureCountsSql} group by 1`)).toEqual([
      { campanha: 'juros', n: 1 },
    ])
    expect(await site.rows('select campanha, count(*)::int as n from peticoes group by 1')).toEqual([
      { campanha: 'juros', n: 1 },
    ])
    const [rows] = await site.rows(
      `select sum(jsonb_array_length(payload->'ids'))::int as n from outbox where kind = 'planilha-remover'`,
    )
    expect(rows).toEqual({ n: 6 })
  })

  test('an interruption before the commit changes no record, and the repetition erases all of them', async () => {
    const { id, local } = await aPersonEverywhere()
    const repair = await failInserts(site, { table: 'erased_people', code: '53100', times: 1_000 })
    expect((await admin.call('DELETE', everything(id)).finally(repair)).status).toBe(503)
    expect(await site.rows('select count(*)::int as n from peticoes')).toEqual([{ n: 2 }])
    expect((await site.rows(`select count(*)::int as n from contacts`))[0]).toEqual({ n: 2 })

    await admin.ask('DELETE', everything(id))

    await site.rows(`delete from outbox where kind = 'pedidos-repetidos'`)
    expect(await tablesWith(local)).toEqual([])
  })

  test('a phone that repeats a request of before gets its answer, and stores nothing', async () => {
    const fields = aSignature()
    const headers = { 'x-request-id': crypto.randomUUID() }
    await postJson(`${site.url}/api/peticoes`, fields, headers)
    await admin.ask('DELETE', everything(await signatureOf(fields.email)))

    expect((await postJson(`${site.url}/api/peticoes`, fields, headers)).status).toBe(201)

    expect(await site.rows('select id from peticoes')).toEqual([])
    await post('/api/peticoes', fields)
    expect(await site.rows('select id from peticoes')).toHaveLength(1)
  })

  test('at the wish of the owner of the mailbox, conversations that only have the same phone number stay', async () => {
    const { email, tagged } = await aPersonEverywhere()
    const log = createLog('silent')
    const erasure = createPersonErasure({
      ...{ database, removals: createRemovalJournal({ dataDir: site.dataDir }, log) },
      ...{ deliveries: { wake: () => {} }, erasedMail: { apply: async () => {} } },
    })
    expect(await erasure.preview(tagged, { isOwner: true })).toMatchObject({ conversas: 1 })
    expect(await erasure.preview(email)).toMatchObject({ conversas: 2 })

    await erasure.erasePerson(tagged, { audit: async () => {}, isOwner: true })

    expect(await site.rows('select lower(email) = lower($1) as own from bot_conversas', [tagged])).toEqual([
      { own: false },
    ])
    expect(await site.rows('select id from peticoes union all select id from contacts')).toEqual([])
    expect(await site.rows(`select action from admin_actions where action like 'Apagou%'`)).toEqual([])
  })

  test('finds conversations and queued links with another spelling of a Gmail address', async () => {
    const local = `fulana.ficticia.${process.pid}`
    const plain = local.replaceAll('.', '')
    const fields = aSignature({ email: `${plain}@gmail.com` })
    await post('/api/peticoes', fields)
    for (const email of [`${local}@gmail.com`, `${plain}+robo@googlemail.com`])
      expect((await callWebhook(site, aChatbotCall({ email }))).status).toBe(200)
    await site.rows(`insert into outbox (kind, payload, dead) values ('meus-dados', $1, true)`, [
      JSON.stringify({ email: `${local}@gmail.com` }),
    ])
    const path = everything(await signatureOf(fields.email))
    expect(await admin.ask<{ apagado: Counts }>('GET', path)).toMatchObject({ conversas: 2 })

    await admin.ask('DELETE', path)

    expect(await tablesWith(local)).toEqual([])
    expect(await site.rows('select id from bot_conversas')).toEqual([])
  })

  test('conversations of a phone number that many people share stay', async () => {
    const fields = aSignature({ whatsapp: '(11) 97777-4321' })
    await post('/api/peticoes', fields)
    await site.rows(
      `insert into bot_conversas ("subscriberId", telefone, email) select 'comum-' || n, '1177774321', case n when 1 then $1 end
      from generate_series(1, 21) n`,
      [fields.email],
    )

    await admin.ask('DELETE', everything(await signatureOf(fields.email)))

    expect(await site.rows('select count(*)::int as n, count(email)::int as own from bot_conversas')).toEqual([
      { n: 20, own: 0 },
    ])
  })
})

describe('the erasure list', () => {
  test('has the HMAC of the mailbox with the key of the installation, in the database and in the journal', async () => {
    const { id, email } = await aPersonEverywhere()
    await admin.ask('DELETE', everything(id))

    const key = readAddressKeys({ dataDir: site.dataDir })[0] ?? Buffer.alloc(0)
    const [stored] = await site.rows<{ mailboxHmac: Buffer; erasedAt: Date; byOwner: boolean }>(
      'select "mailboxHmac", "erasedAt", "byOwner" from erased_people',
    )
    expect(key).toHaveLength(32)
    expect(stored?.mailboxHmac).toEqual(createHmac('sha256', key).update(digestOf(email)).digest())
    expect(readErasedPeople({ dataDir: site.dataDir })).toContainEqual(stored)
    expect(readFileSync(join(site.dataDir, 'remocoes.txt'), 'utf8')).not.toContain(digestOf(email).toString('hex'))
  })

  test('lets every node delete its e-mails, also one that was switched off', async () => {
    const other = memoryFolder()
    onTestFinished(() => rmSync(other, { recursive: true, force: true }))
    const { id, email, tagged } = await aPersonEverywhere()
    for (const to of [email, tagged.toUpperCase(), `x${email}`]) await writeLocalMail(join(other, 'emails'), to)
    const log = createLog('silent')
    const start = () =>
      createErasedMail({
        ...{ config: { dataDir: other }, database, log },
        ...{
          mailbox: openLocalMailbox(join(other, 'emails')),
          removals: createRemovalJournal({ dataDir: other }, log),
        },
      })

    await admin.ask('DELETE', everything(id))
    const node = start()
    await node.apply()

    expect(await recipients(join(other, 'emails'))).toEqual([`x${email}`])
    expect(readErasedPeople({ dataDir: other })).toHaveLength(1)
    // An e-mail that was being written during the erasure.
    await writeLocalMail(join(other, 'emails'), email)
    await node.apply()
    expect(await recipients(join(other, 'emails'))).toEqual([`x${email}`])
    // Minutes later the list is not processed again: the person may have come back.
    await site.rows(`update erased_people set "erasedAt" = "erasedAt" - interval '10 minutes'`)
    await start().apply()
    await writeLocalMail(join(other, 'emails'), email)
    await start().apply()
    expect(await recipients(join(other, 'emails'))).toEqual([email, `x${email}`].sort())
  })

  test('repeats the erasure of an owner after a restore, without conversations of the same phone number', async () => {
    const { email, tagged } = await aPersonEverywhere()
    const [key = Buffer.alloc(0)] = readAddressKeys({ dataDir: site.dataDir })
    const client = new pg.Client(site.engine.direct)
    await client.connect()
    onTestFinished(() => client.end())
    bindAddressKey(client, key)
    const config = testConfig({ DATA_DIR: site.dataDir })
    const replay = (byOwner: boolean, keys = [key]) =>
      replayErasures(
        client,
        { people: [{ mailboxHmac: mailboxHmac(key, email), erasedAt: new Date(), byOwner }], keys },
        { config, restoredKey: key },
      )

    expect(await replay(true)).toBe(1)

    expect(await site.rows('select id from peticoes union all select id from contacts')).toEqual([])
    expect(await site.rows('select lower(email) = lower($1) as own from bot_conversas', [tagged])).toEqual([
      { own: false },
    ])
    const stored = { mailboxHmac: mailboxHmac(key, tagged), byOwner: true }
    expect(await site.rows('select "mailboxHmac", "byOwner" from erased_people')).toEqual([stored])
  })

  test('is read from the journal with who asked for the erasure, also after a line that was cut off', async () => {
    const folder = memoryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const removals = createRemovalJournal({ dataDir: folder }, createLog('silent'))
    const person = (byOwner: boolean) => ({
      mailboxHmac: Buffer.alloc(32, Number(byOwner)),
      erasedAt: new Date(),
      byOwner,
    })
    const people = [person(false), person(true)] as const
    await removals.appendErased(people[0])
    appendFileSync(join(folder, 'remocoes.txt'), '2026-01-01T00:00:00.000Z per')
    await removals.appendErased(people[1])
    await removals.appendErased(people[1])
    expect(readErasedPeople({ dataDir: folder })).toEqual(people)
  })

  test('without a key that can be read it stops a restore', async () => {
    const client = new pg.Client(site.engine.direct)
    await client.connect()
    onTestFinished(() => client.end())
    const people = [{ mailboxHmac: Buffer.alloc(32), erasedAt: new Date(), byOwner: false }]
    const config = { dataDir: memoryFolder(), dataKey: undefined, previousDataKeys: [] }

    await expect(withRestoredKey(client, { people, keys: [] }, config)).rejects.toThrow('enderecos.chave')
    expect(await withRestoredKey(client, { people: [], keys: [] }, config)).toEqual({ people: [], keys: [] })
  })

  test('a journal without its key stops a restore, instead of bringing people back silently', async () => {
    const folder = memoryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const removals = createRemovalJournal({ dataDir: folder }, createLog('silent'))
    await removals.appendRemoved(crypto.randomUUID())
    expect(readRemovals({ dataDir: folder }, new Date(0)).digests.removed).toHaveLength(1)
    rmSync(join(folder, 'remocoes.chave'))

    expect(() => readRemovals({ dataDir: folder }, new Date(0))).toThrow('remocoes.chave')

    expect(existsSync(join(folder, 'remocoes.chave'))).toBe(false)
    expect(readRemovals({ dataDir: folder }, new Date(Date.now() + 3_600_000)).digests.removed).toEqual([])
  })

  test('one key serves all nodes, whatever they know', async () => {
    const folder = memoryFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [before] = await site.rows<{ key: Buffer; isEncrypted: boolean }>(
      'select key, "isEncrypted" from address_keys',
    )
    const key = readAddressKeys({ dataDir: site.dataDir })[0]
    expect(before?.isEncrypted).toBe(true)
    expect(before?.key.toString('hex')).not.toContain(key?.toString('hex'))
    const client = new pg.Client(site.engine.direct)
    await client.connect()
    onTestFinished(() => client.end())
    const [oldKey, newKey] = [testConfig({ DATA_DIR: folder }).dataKey, Buffer.alloc(32, 7).toString('base64')]
    const log = createLog('silent')

    const open = async (dataKey: string | undefined, dataDir = folder) =>
      (await inTransaction(client, () => openAddressKey(client, { dataDir, dataKey, previousDataKeys: [] }, log))).key

    // Another node of the same installation.
    expect(await open(oldKey)).toEqual(key)
    // DATA_KEY was replaced: the copy in the data folder opens the key, and it is encrypted again.
    expect(await open(newKey)).toEqual(key)
    expect(await open(newKey, memoryFolder())).toEqual(key)
    // A node without DATA_KEY does not store the key in clear.
    expect(await open(undefined)).toEqual(key)
    expect(await site.rows('select "isEncrypted" from address_keys')).toEqual([{ isEncrypted: true }])
    expect(mailboxHmac(Buffer.alloc(32), 'Fulana+x@Example.org')).toEqual(
      mailboxHmac(Buffer.alloc(32), 'fulana@example.org'),
    )
    await open(oldKey, site.dataDir)
  })
})
