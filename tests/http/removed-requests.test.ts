// A removed record is not stored again when a phone that never received the answer repeats its request.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { digestOf, linkSecret } from '#server/core/tokens.ts'
import { openDatabase } from '#server/db/database.ts'
import { deleteExpiredRows } from '#server/db/retention.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aContact, aLeader, anInfluencer, aSignature } from '#tests/helpers/factories.ts'
import { completeResponse, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

const kinds = [
  { tipo: 'assinaturas', table: 'peticoes', path: '/api/peticoes', valid: aSignature },
  { tipo: 'voluntarios', table: 'contacts', path: '/api/contacts', valid: aContact },
  { tipo: 'influenciadores', table: 'influenciadores', path: '/api/lideres', valid: anInfluencer },
  { tipo: 'lideres', table: 'lideres', path: '/api/formulario-lideres', valid: aLeader },
]

describe.each(kinds)('an erased record ($tipo)', ({ tipo, table, path, valid }) => {
  const ids = async () => (await site.rows<{ id: string }>(`select id from ${table} order by id`)).map(({ id }) => id)
  const send = (fields: object, requestId: string) => postJson(site.url + path, fields, { 'x-request-id': requestId })
  async function sendAndErase() {
    const [fields, requestId] = [valid(), crypto.randomUUID()]
    const first = await send(fields, requestId)
    expect(first.status).toBe(201)
    const [id] = await ids()
    expect((await admin.call('DELETE', `/api/admin/pessoas/${tipo}/${id}`)).status).toBe(200)
    await site.rows(`delete from outbox`)
    return { fields, requestId, first }
  }

  test('stays erased when its request is repeated, which gets the same answer', async () => {
    const { fields, requestId, first } = await sendAndErase()

    const again = await Promise.all([send(fields, requestId), send(fields, requestId)])

    const answers = await Promise.all([first, ...again].map(completeResponse))
    expect(new Set(answers).size).toBe(1)
    expect(await ids()).toEqual([])
    expect(await site.rows(`select n from ${signatureCountsSql}`)).toEqual([])
    expect(await site.rows('select kind from outbox')).toEqual([])
  })

  test('does not prevent the same person from sending the form again', async () => {
    const { fields } = await sendAndErase()

    expect((await send(fields, crypto.randomUUID())).status).toBe(201)

    expect(await ids()).toHaveLength(1)
  })

  test('does not prevent a request with the same id and a corrected address', async () => {
    const { fields, requestId } = await sendAndErase()

    await send({ ...fields, email: valid().email }, requestId)

    expect(await ids()).toHaveLength(1)
  })

  test('leaves a digest of its request for 90 days, and nothing else', async () => {
    const { fields, requestId } = await sendAndErase()
    const [kept] = await site.rows<{ digest: Buffer }>('select digest from removed_requests')
    const sent = Buffer.concat([Buffer.from(requestId.replaceAll('-', ''), 'hex'), Buffer.from(fields.email)])
    expect(kept?.digest).toEqual(createHash('sha256').update(sent).digest())

    const database = openDatabase(site.engine, createLog('silent'), site.addressKey)
    const ageInDays = async (days: number) => {
      await site.rows(`update removed_requests set "removedAt" = now() - $1 * interval '1 day'`, [days])
      await deleteExpiredRows(database, null)
    }
    await ageInDays(89)
    await send(fields, requestId)
    expect(await ids()).toEqual([])
    await ageInDays(91)
    expect(await site.rows('select digest from removed_requests')).toEqual([])
    await database.close()
  })
})

test('a signature removed by "não fui eu" is not stored again, and others in the same batch are', async () => {
  const [removed, requestId] = [aSignature(), crypto.randomUUID()]
  const sign = (fields: object, id: string = crypto.randomUUID()) =>
    postJson(`${site.url}/api/peticoes`, fields, { 'x-request-id': id })
  await sign(removed, requestId)
  const [row] = await site.rows<{ id: string }>('select id from peticoes')
  const secret = linkSecret()
  await site.rows(
    `insert into email_tokens (digest, action, "addressHmac", "recordId", "expiresAt")
    values ($1, 'remover', $1, $2, now() + interval '1 day')`,
    [digestOf(secret), row?.id],
  )
  expect((await postJson(`${site.url}/nao-fui-eu/${secret}`, {})).status).toBe(200)

  const others = Array.from({ length: 20 }, () => aSignature())
  const answers = await Promise.all([sign(removed, requestId), ...others.map((fields) => sign(fields))])

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  const stored = await site.rows<{ email: string }>('select email from peticoes')
  expect(stored.map(({ email }) => email).sort()).toEqual(others.map(({ email }) => email).sort())
  expect(await site.rows(`select sum(n)::int as n from ${signatureCountsSql}`)).toEqual([{ n: 20 }])
})
