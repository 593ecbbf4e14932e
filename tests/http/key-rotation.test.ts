// Replacing DATA_KEY while the site is running: every value stays readable, in any order of events.
import { randomBytes } from 'node:crypto'
import type { SQL } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { digitsOf } from '#contract/cpf.ts'
import { createEncryption, type Encryption } from '#server/core/encryption.ts'
import { createLog } from '#server/core/log.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import { rotateKey } from '#server/db/key-rotation.ts'
import { decryptReserved, encryptReserved, type StoredReservedData } from '#server/db/reserved-data.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { aLeader } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

const newKey = () => randomBytes(32).toString('base64')
const [oldKey, currentKey, lostKey] = [newKey(), newKey(), newKey()]
const [withOld, withLost] = [createEncryption(oldKey), createEncryption(lostKey)]
const withBoth = createEncryption(currentKey, [oldKey])
const withCurrent = createEncryption(currentKey)

let site: TestSite
let database: Database
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({ DATA_KEY: currentKey, DATA_KEY_PREVIOUS: `${newKey()}, ${oldKey}` })
  database = openDatabase(site.engine, createLog('warn'), site.addressKey)
  admin = await enter(site)
})
afterAll(async () => {
  await database.close()
  await site.close()
})
beforeEach(() => site.empty())

type Leader = ReturnType<typeof aLeader> & { id: string }

/** Leaders whose values are encrypted with `encryption`. */
async function storeLeaders(count: number, encryption: Encryption): Promise<Leader[]> {
  await postJson(`${site.url}/api/formulario-lideres`, aLeader())
  const leaders = Array.from({ length: count }, () => ({ ...aLeader(), id: crypto.randomUUID() }))
  const rows = leaders.map((leader) => {
    const stored = Object.entries(encryptReserved(encryption, leader.id, leader))
    return { id: leader.id, ...Object.fromEntries(stored.map(([name, value]) => [name, inHex(value)])) }
  })
  await site.rows(
    `insert into lideres select (jsonb_populate_record(l, given || jsonb_build_object('requestId', gen_random_uuid()))).*
    from lideres l, jsonb_array_elements($1::jsonb) given where l.id = (select min(id::text)::uuid from lideres)`,
    [JSON.stringify(rows)],
  )
  return leaders
}
const inHex = (value: unknown) => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)

/** What is stored, decrypted with `encryption`. */
async function read(encryption: Encryption): Promise<Map<string, object>> {
  const rows = await site.rows<StoredReservedData>('select * from lideres')
  return new Map(rows.map((row) => [row.id, decryptReserved(encryption, row)]))
}
const reservedOf = ({ cpf, nascimento, endereco, cep }: Leader) => ({ cpf, nascimento, endereco, cep })

test('every value is encrypted again, the index of CPFs too, and the old key is not needed any more', async () => {
  const leaders = await storeLeaders(450, withOld)

  expect(await rotateKey(database, { encryption: withBoth })).toEqual({ rotated: 900, remaining: 0 })

  const stored = await read(withCurrent)
  for (const leader of leaders) expect(stored.get(leader.id)).toEqual(reservedOf(leader))
  const [first] = leaders
  const found = await site.rows('select id from lideres where "cpfDigest" = $1', [
    withCurrent.indexOf(digitsOf(first?.cpf ?? '')),
  ])
  expect(found).toEqual([{ id: first?.id }])
  expect(await rotateKey(database, { encryption: withBoth })).toEqual({ rotated: 0, remaining: 0 })
})

test('an interrupted run leaves everything readable, and the next run continues', async () => {
  const leaders = await storeLeaders(450, withOld)
  const interrupt = () => {
    throw new Error('interrupted')
  }
  for (let n = 0; n < 2; n += 1)
    await expect(rotateKey(database, { encryption: withBoth, onProgress: interrupt })).rejects.toThrow('interrupted')

  const stored = await read(withBoth)
  for (const leader of leaders) expect(stored.get(leader.id)).toEqual(reservedOf(leader))
  for (const { id, cpf, cep } of [leaders[0], leaders.at(-1)].flatMap((leader) => leader ?? []))
    expect(await admin.ask('POST', `/api/admin/pessoas/lideres/${id}/revelar`)).toMatchObject({ cpf, cep })
  expect(await rotateKey(database, { encryption: withBoth })).toEqual({ rotated: 500, remaining: 0 })
})

test('values of the first format are encrypted again', async () => {
  const id = '019e0000-0000-7000-8000-000000000001'
  const firstFormat = Buffer.from('Ab6mZMd+YdNqELvzL5BFFAIGzemTU/4eUS3xqvjVgo9bw5t1m2BdxrOVRw==', 'base64')
  await storeLeaders(1, withBoth)
  await site.rows(
    'update lideres set id = $1, "encryptedCpf" = $2 where id = (select max(id::text)::uuid from lideres)',
    [id, firstFormat],
  )
  const encryption = createEncryption(currentKey, ['sg83sG47zqCHw/vQzynTG7YIgBno8EM1g4x+4LRefbg='])

  expect(await rotateKey(database, { encryption })).toMatchObject({ rotated: 1 })

  expect((await read(withCurrent)).get(id)).toMatchObject({ cpf: '529.982.247-25' })
})

test('records that are sent and erased meanwhile are neither lost nor brought back', async () => {
  const leaders = await storeLeaders(450, withOld)
  const [erased, ...others] = leaders
  let pages = 0
  const sent = aLeader()
  const meanwhile: Promise<unknown>[] = []
  await rotateKey(database, {
    encryption: withBoth,
    onProgress() {
      pages += 1
      if (pages > 1) return
      meanwhile.push(postJson(`${site.url}/api/formulario-lideres`, sent))
      meanwhile.push(site.rows('delete from lideres where id = $1', [erased?.id]))
      // A server that has not been restarted yet.
      const { cpf } = others.at(-1) ?? sent
      const id = others.at(-1)?.id ?? ''
      meanwhile.push(site.rows('update lideres set "encryptedCpf" = $1 where id = $2', [withOld.encrypt(cpf, id), id]))
    },
  })
  await Promise.all(meanwhile)
  await rotateKey(database, { encryption: withBoth })

  const stored = await read(withCurrent)
  expect(stored.has(erased?.id ?? '')).toBe(false)
  for (const leader of others) expect(stored.get(leader.id)).toEqual(reservedOf(leader))
  expect([...stored.values()]).toContainEqual(reservedOf({ ...sent, id: '' }))
})

test('a value that changes between the reading and the writing of its page keeps the change', async () => {
  const [leader] = (await storeLeaders(1, withOld)) as [Leader]
  const changed = withOld.encrypt('529.982.247-25', leader.id)
  let statements = 0
  const execute = async (query: SQL) => {
    statements += 1
    if (statements === 2) await site.rows('update lideres set "encryptedCpf" = $1 where id = $2', [changed, leader.id])
    return database.orm.execute(query)
  }
  const orm = new Proxy(database.orm, {
    get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
  })

  expect(await rotateKey({ ...database, orm }, { encryption: withBoth })).toEqual({ rotated: 1, remaining: 1 })
  await rotateKey(database, { encryption: withBoth })

  expect((await read(withCurrent)).get(leader.id)).toMatchObject({ cpf: '529.982.247-25', cep: leader.cep })
})

test('values of an unknown key stay as they are, are counted, and do not stop the others', async () => {
  const [lost] = await storeLeaders(1, withLost)
  const [old] = await storeLeaders(1, withOld)

  expect(await rotateKey(database, { encryption: withBoth })).toEqual({ rotated: 2, remaining: 2 })

  const none = { cpf: null, nascimento: null, endereco: null, cep: null }
  expect((await read(withCurrent)).get(lost?.id ?? '')).toEqual(none)
  expect((await read(withLost)).get(lost?.id ?? '')).toEqual(reservedOf(lost as Leader))
  expect((await read(withCurrent)).get(old?.id ?? '')).toEqual(reservedOf(old as Leader))
  expect(await admin.ask('POST', `/api/admin/pessoas/lideres/${lost?.id}/revelar`)).toMatchObject(none)
})
