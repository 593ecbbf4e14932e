// What is deleted automatically, when, and what is not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { deleteExpiredRows } from '#server/db/retention.ts'
import { takeEmailQuota } from '#server/outbox/email/email-quota.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let database: Database
beforeAll(async () => {
  site = await openTestSite()
  database = openDatabase(site.engine, createLog('silent'), site.addressKey)
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(() => site.empty())

const count = async (table: string) =>
  (await site.rows<{ n: number }>(`select count(*)::int as n from ${table}`)).map(({ n }) => n)[0]

test('an expired link is kept for a month', async () => {
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "expiresAt")
    select sha256(days::text::bytea), 'remover', '', now() - days * interval '1 day' from unnest(array[-1, 1, 29, 31]) days`,
  )
  await deleteExpiredRows(database, null)
  const left = await site.rows(
    `select extract(day from now() - "expiresAt")::int as days from email_tokens order by "expiresAt" desc`,
  )
  expect(left.map(({ days }) => days)).toEqual([expect.any(Number), 1, 29])
})

test('the recipients of deleted news are deleted, and those of other news stay', async () => {
  await site.rows(
    `with item as (
      insert into news ("campaignId", title, html, segment, author)
      select min(id), 'Fica', '', '{}', 'a' from campaigns returning id)
    insert into news_recipients ("newsId", "addressHmac", kind, "recordId")
    select item.id + step, sha256(n::text::bytea), 'assinaturas', gen_random_uuid()
    from item, unnest(array[-1, 0, 5, 9]) step, generate_series(1, 3000) n`,
  )
  await deleteExpiredRows(database, null)
  expect(await site.rows('select count(*)::int as n from news_recipients group by "newsId"')).toEqual([{ n: 3000 }])
})

describe('messages of conversations and counters of e-mails', () => {
  // More than one step deletes.
  const old = 4_500

  beforeEach(async () => {
    await site.rows(`
      with person as (insert into bot_conversas ("subscriberId", nome, mensagem) values ('1', 'Fulana', 'Olá') returning id)
      insert into bot_mensagens ("conversationId", key, mensagem, quando, "createdAt")
      select id, n, 'Olá', now(), now() - days * interval '1 day'
      from person, generate_series(1, ${old + 2}) n, lateral (select case when n <= ${old} then 101 else 99 end) age(days)`)
    await site.rows(`
      insert into emails_por_endereco ("addressHmac", campanha, n, "changedAt")
      select sha256(n::text::bytea), 'juros', 1, now() - days * interval '1 day'
      from generate_series(1, ${old + 2}) n, lateral (select case when n <= ${old} then 101 else 99 end) age(days)`)
    await site.rows(
      `insert into enderecos ("addressHmac", "unsubscribedAt") values ('\\x00', now() - interval '9 years')`,
    )
  })

  test('are kept forever unless RETENTION_DAYS is set', async () => {
    await deleteExpiredRows(database, null)
    expect([await count('bot_mensagens'), await count('emails_por_endereco')]).toEqual([old + 2, old + 2])
  })

  test('are deleted after RETENTION_DAYS; conversations and unsubscribed addresses stay', async () => {
    await deleteExpiredRows(database, 100)
    expect([await count('bot_mensagens'), await count('emails_por_endereco')]).toEqual([2, 2])
    expect([await count('bot_conversas'), await count('enderecos')]).toEqual([1, 1])
  })
})

test('the age of a counter is measured from its last e-mail', async () => {
  const person = { campanha: 'juros', canonicalEmail: 'fulana@example.org', recordId: crypto.randomUUID() }
  const send = async () => {
    const [delivery] = await site.rows<{ id: string }>(
      `insert into outbox (kind, payload) values ('prova', '{}') returning id`,
    )
    const kinds = { isNotice: false, isReminder: false, asksForNews: false }
    await takeEmailQuota(database, { ...person, ...kinds, deliveryId: Number(delivery?.id) })
  }
  await send()
  await site.rows(`update emails_por_endereco set "changedAt" = now() - interval '101 days'`)
  await send()

  await deleteExpiredRows(database, 100)

  expect(await site.rows('select n from emails_por_endereco')).toEqual([{ n: 2 }])
})
