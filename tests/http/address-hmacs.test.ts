// Addresses are stored as HMACs with the key of the installation. An upgrade replaces the digests of earlier versions.
import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addressHmac } from '#server/core/address-key.ts'
import { createLog } from '#server/core/log.ts'
import { createRemovalJournal, readRemovals } from '#server/core/removal-journal.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { AddressKeyLost, openAddressKey } from '#server/db/address-key.ts'
import { replayRemovals } from '#server/db/after-restore.ts'
import { inTransaction } from '#server/db/migrate.ts'
import { uuidV7 } from '#server/db/uuid-v7.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { memoryFolder } from '#tests/helpers/memory-folder.ts'
import { addPerson, campaignId, newsClient } from '#tests/helpers/news.ts'
import { type SmtpServer, startSmtp } from '#tests/helpers/smtp.ts'
import { testConfig } from '#tests/helpers/template.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

type DropFirst<All extends unknown[]> = All extends [unknown, ...infer Rest] ? Rest : never

const keyedTables = ['email_tokens', 'emails_por_endereco', 'enderecos', 'news_opt_outs', 'news_recipients']

let smtp: SmtpServer
let site: TestSite
let admin: Administrator
beforeAll(async () => {
  smtp = await startSmtp()
  const env = { SMTP_URL: smtp.url, EMAIL_FROM: 'nao-responda@example.org', EMAILS_PER_MINUTE: '60000' }
  site = await openTestSite(env, { deliveries: { pollMs: 100, pauseMs: 10 } })
})
afterAll(async () => {
  await site.close()
  await smtp.stop()
})
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(site.engine.direct)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
const siteConfig = () => testConfig({ DATA_DIR: site.dataDir })
const silent = createLog('silent')
const openKey = (client: pg.Client, ...rest: DropFirst<Parameters<typeof openAddressKey>>) =>
  inTransaction(client, () => openAddressKey(client, ...rest))

/** The tables with rows that contain the bytes. */
async function tablesWith(bytes: Buffer): Promise<string[]> {
  const names = await site.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const found: string[] = []
  for (const { name } of names) {
    const [row] = await site.rows<{ n: number }>(
      `select count(*)::int as n from "${name}" t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0`,
      [bytes.toString('hex'), bytes.toString('base64')],
    )
    if (row?.n) found.push(name)
  }
  return found
}

async function choose(addressHmacs: string, escolha: string, recordId: string): Promise<number> {
  const secret = linkSecret()
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
    select $1, 'descadastrar', (${addressHmacs}), $2, now() + interval '1 day'`,
    [digestOf(secret), recordId],
  )
  const body = new URLSearchParams({ escolha })
  return (await fetch(`${site.url}/api/descadastrar/${secret}`, { method: 'POST', body })).status
}

test('who has the database and a list of addresses cannot tell what happened to an address', async () => {
  const news = newsClient(admin, site.rows)
  const { email, id } = await addPerson(site.rows, { email: aSignature().email })
  expect((await postJson(`${site.url}/api/contacts`, aContact({ email }))).status).toBe(201)
  await expect.poll(() => site.rows('select 1 from emails_por_endereco'), { timeout: 10_000 }).toHaveLength(1)
  await news.until(await news.send(), 'done')
  expect(await choose('select "addressHmac" from news_recipients', 'sem-campanha', id)).toBeLessThan(400)
  expect(await choose('select "addressHmac" from news_recipients', 'nenhuma', id)).toBeLessThan(400)

  expect(await tablesWith(addressHmac(site.addressKey, email))).toEqual([...keyedTables, 'news_sends'])
  expect(await tablesWith(digestOf(email))).toEqual([])
  // The key is in the database only if it is encrypted.
  expect(await tablesWith(site.addressKey)).toEqual([])
})

test('the first start after an upgrade replaces the digests, and a later start changes nothing', async () => {
  const { email, id } = await addPerson(site.rows, { email: aSignature().email })
  const { email: waiting, id: waitingId } = await addPerson(site.rows, { email: aSignature().email })
  const [gone, link, campaign] = ['apagada@example.org', linkSecret(), await campaignId(site.rows)]
  const item = async (status: string, isQueued: boolean) => {
    const [row] = await site.rows<{ id: string }>(
      `with item as (
        insert into news ("campaignId", title, html, segment, status, author) values ($1, 'x', 'x', '{}', 'published', 'a') returning id)
      insert into news_sends ("newsId", status, segment, recipients, "queuedUpTo", "isQueued") select id, $2, '{}', 2, $3, $4 from item
      returning "newsId" as id`,
      [campaign, status, digestOf(email), isQueued],
    )
    return Number(row?.id)
  }
  const [ended, paused] = [await item('done', true), await item('paused', false)]
  for (const newsId of [ended, paused])
    for (const [address, recordId] of [
      [email, id],
      [waiting, waitingId],
    ] as const)
      await site.rows(
        `insert into news_recipients ("newsId", "addressHmac", kind, "recordId") values ($1, $2, 'assinaturas', $3)`,
        [newsId, digestOf(address), recordId],
      )
  for (const newsId of [ended, paused])
    await site.rows(`insert into outbox (kind, payload, dead, "dueAt") values ('novidade', $1, $2, 'infinity')`, [
      JSON.stringify({ novidade: newsId, destinatario: digestOf(email).toString('base64') }),
      newsId === ended,
    ])
  await site.rows(
    `insert into outbox (kind, payload, dead) values ('novidade', '{"novidade": 0, "destinatario": "?"}', true)`,
  )
  await site.rows(
    `insert into enderecos ("addressHmac", "unsubscribedAt", "doNotContactAt") values ($1, now(), null), ($2, null, now())`,
    [digestOf(email), digestOf(gone)],
  )
  await site.rows(`insert into emails_por_endereco ("addressHmac", campanha, n) values ($1, 'juros', 4)`, [
    digestOf(gone),
  ])
  await site.rows(`insert into news_opt_outs ("addressHmac", "campaignId") values ($1, $2)`, [
    digestOf(email),
    campaign,
  ])
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt") values ($1, 'descadastrar', $2, $3, now() + interval '1 day')`,
    [digestOf(link), digestOf(email), id],
  )
  await site.rows('update address_keys set "isInUse" = false')
  const client = await connect()

  for (const _ of ['upgrade', 'later start']) {
    expect(await openKey(client, siteConfig(), silent)).toEqual({ key: site.addressKey, wasLost: false })

    const hmacOf = (address: string) => addressHmac(site.addressKey, address)
    for (const address of [email, waiting, gone]) expect(await tablesWith(digestOf(address))).toEqual([])
    expect(await tablesWith(hmacOf(email))).toEqual(
      ['email_tokens', 'enderecos', 'news_opt_outs', 'news_recipients', 'outbox'].toSorted(),
    )
    expect(await tablesWith(hmacOf(gone))).toEqual(['emails_por_endereco', 'enderecos'])
    // The recipients of a sending in progress are queued again in their new order. Dead letters of an ended one stay.
    expect(await site.rows('select "queuedUpTo", "isQueued" from news_sends where "newsId" = $1', [paused])).toEqual([
      { queuedUpTo: null, isQueued: false },
    ])
    expect(await site.rows(`select payload from outbox where payload->>'novidade' <> '0'`)).toEqual([
      { payload: { novidade: ended, destinatario: hmacOf(email).toString('base64') } },
    ])
    const people = await admin.ask<{ pessoas: { email: string; novidades: string }[] }>(
      'GET',
      '/api/admin/pessoas/assinaturas?novidades=saiu',
    )
    expect(people.pessoas.map((person) => person.email)).toEqual([email])
    const preferences = await fetch(`${site.url}/api/descadastrar/${link}`)
    expect(await preferences.json()).toMatchObject({ preferencias: { escolha: 'nenhuma' } })
  }
})

test('a deleted record takes its recipients with it', async () => {
  const [one, other] = [await addPerson(site.rows), await addPerson(site.rows, { kind: 'voluntarios' })]
  const news = newsClient(admin, site.rows)
  const item = await news.create({ segmento: { tipos: ['assinaturas', 'voluntarios'] } })
  expect(await news.count(item.id)).toMatchObject({ destinatarios: 2 })

  await site.rows('delete from peticoes where id = $1', [one.id])

  expect(await site.rows('select "recordId" from news_recipients')).toEqual([{ recordId: other.id }])
  expect(await site.rows('select skipped from news_sends')).toEqual([{ skipped: 1 }])
})

test('a restore repeats what people have refused since the backup, also without a record, and what earlier versions wrote', async () => {
  const campaign = await campaignId(site.rows)
  const [before, stays] = [await addPerson(site.rows), await addPerson(site.rows)]
  const folder = memoryFolder()
  const journalKey = Buffer.alloc(32, 1)
  writeFileSync(join(folder, 'remocoes.chave'), journalKey)
  const formerLine = (kind: string, subject: Buffer, rest = '') =>
    `${new Date().toISOString()} ${kind} ${hash('sha256', Buffer.concat([journalKey, subject]))}${rest}\n`
  const digest = digestOf(before.email)
  writeFileSync(
    join(folder, 'remocoes.txt'),
    formerLine('news', digest) +
      formerLine('everything', digestOf('ninguem@example.org')) +
      formerLine('campaign', Buffer.concat([digest, Buffer.from(String(campaign))]), ` ${campaign}`),
  )
  const removals = createRemovalJournal({ dataDir: folder }, silent)
  const hmacOf = (address: string) => addressHmac(site.addressKey, address)
  const [gone, silentOne, optedOut] = ['a@example.org', 'b@example.org', 'c@example.org'].map(hmacOf) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  await removals.appendRefusal({ choice: 'news', addressHmac: gone })
  await removals.appendRefusal({ choice: 'everything', addressHmac: silentOne })
  await removals.appendRefusal({ choice: 'news', addressHmac: silentOne })
  for (const campaignId of [campaign, 0])
    await removals.appendRefusal({ choice: 'campaign', addressHmac: optedOut, campaignId })
  const client = await connect()
  await openKey(client, siteConfig(), silent)

  const replayed = await replayRemovals(client, readRemovals({ dataDir: folder }, new Date(0)))

  expect(replayed).toEqual({ removed: 0, unsubscribed: 5 })
  const states = await site.rows<{ addressHmac: Buffer; isSilent: boolean }>(
    `select "addressHmac", "doNotContactAt" is not null as "isSilent" from enderecos where "unsubscribedAt" is not null`,
  )
  const expected = [hmacOf(before.email), gone, silentOne].map((hmac) => ({
    addressHmac: hmac,
    isSilent: hmac === silentOne,
  }))
  expect(states).toHaveLength(3)
  expect(states).toEqual(expect.arrayContaining(expected))
  const optOuts = await site.rows<{ addressHmac: Buffer }>('select "addressHmac" from news_opt_outs')
  expect(optOuts).toHaveLength(2)
  expect(optOuts).toEqual(expect.arrayContaining([{ addressHmac: hmacOf(before.email) }, { addressHmac: optedOut }]))
  expect(states).not.toContainEqual({ addressHmac: hmacOf(stays.email), isSilent: false })
})

test('a key that cannot be read stops the start, and replacing it sends news to nobody who had left', async () => {
  const { email, id } = await addPerson(site.rows, { email: aSignature().email })
  const [suppressed, link] = ['recusada@example.org', linkSecret()]
  await site.rows(
    `insert into enderecos ("addressHmac", "unsubscribedAt", "rejectedAt", "suppressionKind", "suppressedEmail")
    values ($1, now(), null, null, null), ($2, null, now(), 'recusa', $3)`,
    [addressHmac(site.addressKey, email), addressHmac(site.addressKey, suppressed), suppressed],
  )
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
    values ($1, 'descadastrar', $2, $3, now() + interval '1 day'), ($4, 'descadastrar', $2, $5, now() + interval '1 day')`,
    [digestOf(link), addressHmac(site.addressKey, email), id, digestOf(linkSecret()), uuidV7()],
  )
  const [stored] = await site.rows<object>('select * from address_keys')
  const elsewhere = { ...siteConfig(), dataDir: memoryFolder(), dataKey: Buffer.alloc(32, 3).toString('base64') }
  const client = await connect()

  await expect(openKey(client, elsewhere, silent)).rejects.toThrow(AddressKeyLost)
  await expect(openKey(client, elsewhere, silent)).rejects.toThrow('--enderecos-perdidos')
  expect(await site.rows('select * from address_keys')).toEqual([stored])

  const { key, wasLost } = await openKey(client, elsewhere, silent, { replacesLost: true })

  expect(wasLost).toBe(true)
  expect(await openKey(client, elsewhere, silent)).toEqual({ key, wasLost: false })
  expect(key).not.toEqual(site.addressKey)
  expect(await site.rows('select "aceitaNovidades" from peticoes')).toEqual([{ aceitaNovidades: false }])
  expect(await site.rows('select "addressHmac" from enderecos')).toEqual([
    { addressHmac: addressHmac(key, suppressed) },
  ])
  expect(await site.rows('select digest, "addressHmac" from email_tokens')).toEqual([
    { digest: digestOf(link), addressHmac: addressHmac(key, email) },
  ])
  // Nobody has unsubscribed since: the consent of new records stays.
  await addPerson(site.rows)
  const third = { ...elsewhere, dataDir: memoryFolder(), dataKey: Buffer.alloc(32, 4).toString('base64') }
  expect(await openKey(client, third, silent)).toMatchObject({ wasLost: true })
  expect(await site.rows('select 1 from peticoes where "aceitaNovidades"')).toHaveLength(1)
  // The other tests need the key of the running site.
  await client.query('delete from address_keys')
  await openKey(client, siteConfig(), silent)
})
