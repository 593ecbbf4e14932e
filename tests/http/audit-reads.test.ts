// Searches and views of personal data, refused calls, sessions and networks in the audit log.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/core/log.ts'
import { networkPrefix } from '#server/core/network-prefix.ts'
import { createReadAudit } from '#server/features/admin/read-audit.ts'
import { createRefusedAccess } from '#server/features/admin/refused-access.ts'
import type { NewAuditEntry } from '#server/http/mount.ts'
import { type Administrator, enter } from '#tests/helpers/administrator.ts'
import { callWebhook, webhookSecret } from '#tests/helpers/chatbot.ts'
import { aChatbotCall, aSignature } from '#tests/helpers/factories.ts'
import { failInserts, postJson } from '#tests/helpers/forms.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
let admin: Administrator
beforeAll(async () => {
  site = await openTestSite({ BOTCONVERSA_WEBHOOK_TOKEN: webhookSecret, TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
  admin = await enter(site)
})

const entries = () => site.rows('select action, target from admin_actions order by id')

test('a search of people is one entry with the kind and the filters, without what was searched', async () => {
  const query = 'busca=fulana%20da%20silva&estado=SP&cidade='
  await admin.ask('GET', `/api/admin/pessoas/assinaturas?${query}`)
  await admin.ask('GET', `/api/admin/pessoas/assinaturas/total?${query}`)
  await admin.ask('GET', `/api/admin/pessoas/assinaturas?busca=outra&estado=RJ`)
  await admin.ask('GET', '/api/admin/pessoas/lideres?status=ativo')
  expect(await entries()).toEqual([
    { action: 'Buscou pessoas', target: 'assinaturas: busca, estado' },
    { action: 'Buscou pessoas', target: 'lideres: status' },
  ])
})

test('a list without filters is no entry', async () => {
  await admin.ask('GET', '/api/admin/pessoas/assinaturas?busca=&estado=')
  await admin.ask('GET', '/api/admin/pessoas/assinaturas/total')
  await admin.ask('GET', '/api/admin/botconversa?status=all')
  await admin.ask('GET', '/api/admin/enderecos-suspensos')
  expect(await entries()).toEqual([])
})

test('searches of conversations and of suppressed addresses are entries without the text', async () => {
  await admin.ask('GET', '/api/admin/botconversa?busca=fulana&status=active')
  await admin.ask('GET', '/api/admin/enderecos-suspensos?busca=fulana%40example.org')
  expect(await entries()).toEqual([
    { action: 'Buscou conversas', target: 'busca, status' },
    { action: 'Buscou endereços suspensos', target: '' },
  ])
})

test('a view of a person is an entry with the id, and one that does not exist is none', async () => {
  await postJson(`${site.url}/api/peticoes`, aSignature())
  const [person] = await site.rows<{ id: string }>('select id from peticoes')
  await admin.ask('GET', `/api/admin/pessoas/assinaturas/${person?.id}`)
  await admin.ask('GET', `/api/admin/pessoas/assinaturas/${person?.id}`)
  const missing = await admin.call('GET', '/api/admin/pessoas/lideres/00000000-0000-7000-8000-000000000000')
  expect(missing.status).toBe(404)
  expect(await entries()).toEqual([{ action: 'Viu os dados de uma pessoa', target: `assinaturas ${person?.id}` }])
  const other = await enter(site)
  await other.ask('GET', `/api/admin/pessoas/assinaturas/${person?.id}`)
  expect(await entries()).toHaveLength(2)
})

test('a view of a conversation and of its messages is one entry', async () => {
  expect((await callWebhook(site, aChatbotCall())).status).toBe(200)
  const [conversation] = await site.rows<{ id: string }>('select id from bot_conversas')
  await admin.ask('GET', `/api/admin/botconversa/${conversation?.id}`)
  await admin.ask('GET', `/api/admin/botconversa/${conversation?.id}/mensagens`)
  expect(await entries()).toEqual([{ action: 'Viu uma conversa', target: `Conversa ${conversation?.id}` }])
})

test('an entry that cannot be written refuses the view', async () => {
  const repair = await failInserts(site, { table: 'admin_actions', code: '53100', times: 1 })
  const refused = await admin.call('GET', '/api/admin/pessoas/assinaturas?estado=SP').finally(repair)
  expect(refused.status).toBe(503)
  await admin.ask('GET', '/api/admin/pessoas/assinaturas?estado=SP')
  expect(await entries()).toHaveLength(1)
})

test('an entry has the label of the session and the network, and never the token or the address', async () => {
  const headers = { authorization: `Bearer ${admin.token}`, 'x-forwarded-for': '203.0.113.77' }
  await fetch(`${site.url}/api/admin/pessoas/assinaturas?estado=SP`, { headers })
  const [row] = await site.rows('select session, address from admin_actions')
  const session = hash('sha256', admin.token, 'base64url').slice(0, 8)
  expect(row).toEqual({ session, address: '203.0.113.0/24' })
  const list = (query: string) => admin.ask<{ deeds: object[] }>('GET', `/api/admin/registro?${query}`)
  const { deeds } = await list(`sessao=${session}&rede=203.0.113.0%2F24`)
  expect(deeds).toMatchObject([{ deed: 'Buscou pessoas', session, network: '203.0.113.0/24' }])
  expect((await list('sessao=outra')).deeds).toEqual([])
  expect((await list('rede=203.0.114.0%2F24')).deeds).toEqual([])
})

test('a login has the label of the session that it opens', async () => {
  const { token } = await enter(site, { username: 'admin', password: 'senha-de-teste-123' })
  const [row] = await site.rows('select action, session, address from admin_actions')
  const session = hash('sha256', token, 'base64url').slice(0, 8)
  expect(row).toEqual({ action: 'Entrou', session, address: '127.0.0.0/24' })
})

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:DB8:0abc:1::1', '2001:db8:abc::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0::/48'],
  ['unix', ''],
])('the network of %s is %s', (address, network) => {
  expect(networkPrefix(address)).toBe(network)
})

test('calls of the admin API without a valid session are one entry by network', async () => {
  const other = await openTestSite({ TRUST_PROXY: '127.0.0.1' })
  const call = (ip: string, token?: string) =>
    fetch(`${other.url}/api/admin/pessoas/assinaturas`, {
      headers: { 'x-forwarded-for': ip, ...(token && { authorization: `Bearer ${token}` }) },
    })
  for (const token of [undefined, 'x', 'A'.repeat(43)]) expect((await call('203.0.113.1', token)).status).toBe(401)
  expect((await call('203.0.113.2')).status).toBe(401)
  expect((await call('198.51.100.2')).status).toBe(401)
  expect(await other.rows('select 1 from admin_actions')).toEqual([])
  await other.app.close()
  const stored = await other.rows('select username, action, target, session, address from admin_actions order by id')
  await other.close()
  const common = { username: 'desconhecido', action: 'Acesso recusado sem sessão válida', session: null }
  expect(stored).toEqual([
    { ...common, target: '4 vezes', address: '203.0.113.0/24' },
    { ...common, target: '1 vez', address: '198.51.100.0/24' },
  ])
})

test('a flood from many networks is at most eleven entries in ten minutes', async () => {
  const recorded: NewAuditEntry[] = []
  const refused = createRefusedAccess(async (entry) => void recorded.push(entry), createLog('silent'))
  for (let n = 0; n < 5_000; n += 1) refused.add({ ip: `10.${n >> 8}.${n & 255}.1` })
  for (let n = 0; n < 10; n += 1) refused.add({ ip: '10.0.7.9' })
  await refused.flush()
  expect(recorded).toHaveLength(11)
  expect(recorded[0]).toMatchObject({ administrator: { address: '10.0.7.0/24' }, subject: '11 vezes' })
  expect(recorded.at(-1)).toMatchObject({ subject: '4990 vezes, de outras redes' })
  await refused.flush()
  expect(recorded).toHaveLength(11)
})

test('a page that polls is an entry an hour; a view after a pause of a minute is a new entry', async () => {
  const record = vi.fn(async () => {})
  let time = 0
  const read = createReadAudit(record, { now: () => time })
  const entry = { administrator: { username: 'a', session: 's' }, action: 'Viu', subject: 'x' }
  for (time = 0; time < 60 * 60_000; time += 30_000) await read(entry)
  expect(record).toHaveBeenCalledTimes(1)
  await read(entry)
  expect(record).toHaveBeenCalledTimes(2)
  time += 60_000
  await read(entry)
  expect(record).toHaveBeenCalledTimes(3)
  await read({ ...entry, administrator: { username: 'a', session: 'outra' } })
  expect(record).toHaveBeenCalledTimes(4)
})
