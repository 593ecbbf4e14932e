// The hash chain of the audit log: every entry is in it, and a change, removal or insertion is found.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChainEnd, verifyAuditChain } from '#server/db/audit-chain.ts'
import { migrationsFolder } from '#server/db/migrate.ts'
import { enter } from '#tests/helpers/administrator.ts'
import { openTestSite, type TestSite } from '#tests/helpers/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.empty()
})

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(site.engine.direct)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const verify = (kept?: ChainEnd) => withClient((client) => verifyAuditChain(client, kept))

async function addEntries(count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1)
    await site.rows(`insert into admin_actions (username, action, target, changes) values ('fulana', $1, $2, $3)`, [
      `Ação ${n}`,
      'linha\n"aspas" \\ \t ☃ 😀',
      JSON.stringify([{ field: 'Título', before: 'a\u2028b', after: '"é"\u007f' }]),
    ])
}

test('entries of every form are verified by the database and by the program alike', async () => {
  await addEntries(3)
  await site.rows(`insert into admin_actions (username, action, target, "createdAt", session, address) values
    ('a', 'b', '', '1969-12-31T23:59:59.999999Z', 'AbC-_123', '2001:db8:1::/48'), ('', '', ',-,', now(), null, '')`)
  expect(await verify()).toEqual({ end: { position: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  const [row] = await site.rows<{ n: number }>(
    `select count(*)::int as n from admin_actions a left join admin_actions b on b."position" = a."position" - 1
    where a.hash = audit_hash(coalesce(b.hash, '\\x'), a."position", a.id, a."createdAt", a.username, a.action, a.target,
      a.changes, a.session, a.address)`,
  )
  expect(row).toEqual({ n: 5 })
})

test('an empty log is a valid chain', async () => {
  expect(await verify()).toEqual({ end: { position: 0, hash: '' } })
})

test.each([
  ['the person', `username = 'outra'`],
  ['the action', `action = 'Outra'`],
  ['the object', `target = 'outro'`],
  ['the changes', `changes = '[]'`],
  ['the time', `"createdAt" = "createdAt" + interval '1 microsecond'`],
  ['the session', `session = 'x'`],
  ['the network', `address = ''`],
  ['the number', `"position" = 100`],
  ['the hash', `hash = sha256('x')`],
])('a change of %s is found at the entry', async (_, change) => {
  await addEntries(4)
  await site.rows(`update admin_actions set ${change} where "position" = 3`)
  expect(await verify()).toMatchObject({ end: { position: 2 }, problem: { position: 3 } })
})

test('a deleted entry, also the first one, is found', async () => {
  await addEntries(4)
  await site.rows('delete from admin_actions where "position" = 2')
  expect(await verify()).toMatchObject({ problem: { position: 2, kind: 'missing' } })
  await site.rows('delete from admin_actions where "position" = 1')
  expect(await verify()).toMatchObject({ problem: { position: 1, kind: 'missing' } })
})

test('an entry that was inserted in between, or without the chain, is found', async () => {
  await addEntries(4)
  await site.rows('update admin_actions set "position" = "position" + 100 where "position" > 2')
  await site.rows('update admin_actions set "position" = "position" - 99 where "position" > 100')
  await site.rows(`insert into admin_actions (username, action, "position", hash) values ('x', 'y', 3, sha256('z'))`)
  expect(await verify()).toMatchObject({ problem: { position: 3, kind: 'changed' } })
  await site.empty()
  await addEntries(1)
  await site.rows(`do $$ begin set local session_replication_role = replica;
    insert into admin_actions (username, action) values ('x', 'y'); end $$`)
  expect(await verify()).toMatchObject({ problem: { position: 2, kind: 'unchained' } })
})

test('entries deleted at the end, and a chain written anew, are found with the kept end', async () => {
  await addEntries(3)
  const { end } = await verify()
  await addEntries(2)
  expect(await verify(end)).toMatchObject({ end: { position: 5 } })
  expect((await verify(end)).problem).toBeUndefined()
  await site.rows('delete from admin_actions where "position" > 2')
  expect((await verify()).problem).toBeUndefined()
  expect(await verify(end)).toMatchObject({ problem: { position: 3, kind: 'missing' } })
  await addEntries(2)
  expect((await verify()).problem).toBeUndefined()
  expect(await verify(end)).toMatchObject({ problem: { position: 3, kind: 'other-hash' } })
})

test('entries of one statement, of one transaction and of a rolled back one leave no gap', async () => {
  await site.rows(`insert into admin_actions (username, action) select 'a', n::text from generate_series(1, 2500) n`)
  await expect(
    site.rows(`do $$ begin insert into admin_actions (username, action) values ('a', 'b');
    set constraints all immediate; raise 'undone'; end $$`),
  ).rejects.toThrow('undone')
  await addEntries(1)
  expect(await verify()).toMatchObject({ end: { position: 2501 } })
  expect((await verify()).problem).toBeUndefined()
})

test('a transaction that has written its entry early does not block others', async ({ skip }) => {
  if (site.engine.kind === 'embedded') skip('the embedded engine runs one transaction at a time')
  await withClient(async (client) => {
    await client.query('begin')
    await client.query(`insert into admin_actions (username, action) values ('lenta', 'Importou')`)
    await addEntries(2)
    await client.query('commit')
  })
  expect(await site.rows('select username from admin_actions order by "position"')).toEqual([
    { username: 'fulana' },
    { username: 'fulana' },
    { username: 'lenta' },
  ])
  expect((await verify()).problem).toBeUndefined()
})

test('the changes of 20 administrators at once are a valid chain', async () => {
  const administrators = await Promise.all(Array.from({ length: 20 }, () => enter(site)))
  const kinds = ['assinaturas', 'voluntarios', 'influenciadores', 'lideres']
  await Promise.all(
    administrators.map(async ({ ask }, index) => {
      for (let n = 0; n < 5; n += 1)
        await ask('POST', `/api/admin/pessoas/${kinds[n % 4]}/filtros`, {
          nome: `Filtro ${index} ${n}`,
          filtros: { novidades: 'aceita' },
        })
    }),
  )
  expect(await verify()).toMatchObject({ end: { position: 100 } })
  expect((await verify()).problem).toBeUndefined()
  const [row] = await site.rows('select count(distinct session)::int as sessions from admin_actions')
  expect(row).toEqual({ sessions: 20 })
})

test('the migration makes the entries of earlier versions the beginning of the chain', async () => {
  await addEntries(3)
  const before = await verify()
  await site.rows('update admin_actions set "position" = null, hash = null')
  const migration = readFileSync(`${migrationsFolder}/0022_account_security.sql`, 'utf8').split(
    '--> statement-breakpoint',
  )
  await site.rows(migration.find((statement) => statement.includes('DO $$')) ?? '')
  expect(await verify()).toEqual(before)
})
