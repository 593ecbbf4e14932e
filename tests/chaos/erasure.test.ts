// A person who was erased stays erased after a restore of an older backup, and an erasure survives a kill.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { openEngine } from '#server/db/engine.ts'
import { fill } from '#tests/chaos/sites.ts'
import { type Administrator, credentials, enter } from '#tests/helpers/administrator.ts'
import { run } from '#tests/helpers/command.ts'
import { signatureCountsSql } from '#tests/helpers/count-rows.ts'
import { aContact, aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { type ServerSettings, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const folder = temporaryFolder()
const inFolder = (name: string) => join(folder, name)
const env = {
  ...{ ADMIN_USERNAME: credentials.username, ADMIN_PASSWORD: credentials.password, ADMIN_EMAIL: 'a@example.org' },
  DATA_KEY: 'p0YQxvYw3mK9cVt7b2ZsJd1nRfGhUeLoAi4XkTzWq8E=',
}
let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster()
})
afterAll(async () => {
  await cluster.remove()
  rmSync(folder, { recursive: true, force: true })
})

const engines: [name: string, open: (name: string) => Promise<ServerSettings>][] = [
  ['the embedded engine', async (name) => ({ dataDir: inFolder(`e-${name}`), env })],
  [
    'PostgreSQL',
    async (name) => ({
      dataDir: inFolder(`p-${name}`),
      env: { ...env, DATABASE_URL: await cluster.createDatabase(name) },
    }),
  ],
]

async function ask<Row extends object>(settings: ServerSettings, text: string): Promise<Row[]> {
  const engine = await openEngine(readConfig({ DATA_DIR: settings.dataDir, ...settings.env }))
  const client = new pg.Client(engine.direct)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
    await engine.stop()
  }
}

const addresses = (settings: ServerSettings) =>
  ask<{ email: string }>(
    settings,
    `select email from peticoes union all select email from contacts union all
    select email from bot_conversas where email is not null`,
  ).then((rows) => rows.map(({ email }) => email.split('@')[0]).sort())

async function signEverywhere(url: string, name: string): Promise<void> {
  const sent = [
    await postJson(`${url}/api/peticoes`, aSignature({ email: `${name}@example.org`, whatsapp: '(11) 98888-0001' })),
    await postJson(`${url}/api/campaigns/brasilquerpaz/signatures`, aSignature({ email: `${name}+x@example.org` })),
    await postJson(`${url}/api/contacts`, aContact({ email: `${name}@example.org` })),
  ]
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201])
}

async function pathOf(admin: Administrator, email: string): Promise<string> {
  const query = `busca=${encodeURIComponent(email)}`
  let id: string | undefined
  await expect
    .poll(
      async () => {
        const answer = await admin.call('GET', `/api/admin/pessoas/voluntarios?${query}`)
        id = ((await answer.json()) as { pessoas?: { id: string }[] }).pessoas?.[0]?.id
        return id
      },
      { timeout: 60_000 },
    )
    .toBeDefined()
  return `/api/admin/pessoas/voluntarios/${id}/tudo`
}

test.each(engines)(
  'on %s, a restore of an older backup erases the person again, but not who came back',
  {
    timeout: 300_000,
  },
  async (_, open) => {
    const site = await open('apagada')
    await fill(site)
    let server = await startServer(site)
    for (const name of ['apagada', 'volta', 'fica']) await signEverywhere(server.url, name)
    await server.stop()
    await ask(
      site,
      `insert into bot_conversas ("subscriberId", telefone, email) values ('1', '1188880001', null), ('2', null, 'Apagada+Robo@example.org'),
      ('3', null, 'fica@example.org')`,
    )
    const [older, newer] = [`${site.dataDir}-antes.mobiliza`, `${site.dataDir}-depois.mobiliza`]
    expect((await run('backup', site, older)).code).toBe(0)

    server = await startServer(site)
    const admin = await enter({ url: server.url }, credentials)
    for (const name of ['apagada', 'volta']) await admin.ask('DELETE', await pathOf(admin, `${name}@example.org`))
    await signEverywhere(server.url, 'volta')
    await server.stop()
    expect((await run('backup', site, newer)).code).toBe(0)
    const stay = ['fica', 'fica', 'fica', 'fica+x']

    const restored = await run('restore', site, older, '--substituir')
    expect([restored.code, restored.output]).toEqual([
      0,
      expect.stringContaining('apagadas por completo depois da cópia: 2'),
    ])
    expect(await addresses(site)).toEqual(stay)
    expect(await ask(site, `select sum(n)::int as n from ${signatureCountsSql}`)).toEqual([{ n: 2 }])
    expect(await ask(site, 'select 1 from bot_conversas where telefone is not null')).toEqual([])
    expect(await ask(site, 'select count(distinct "mailboxHmac")::int as n from erased_people')).toEqual([{ n: 2 }])

    expect((await run('restore', site, newer, '--substituir')).code).toBe(0)
    expect(await addresses(site)).toEqual([...stay, 'volta', 'volta', 'volta+x'])

    // A new machine, to which the operator has copied the list and its key.
    const fresh = await open('maquina_nova')
    mkdirSync(String(fresh.dataDir), { recursive: true })
    for (const name of ['remocoes.txt', 'enderecos.chave'])
      copyFileSync(join(String(site.dataDir), name), join(String(fresh.dataDir), name))
    expect((await run('restore', fresh, older)).code).toBe(0)
    expect(await addresses(fresh)).toEqual(stay)
    // It also works with the server that has adopted the key.
    server = await startServer(fresh)
    expect(await server.stop()).toBe(0)
  },
)

test('on PostgreSQL, the list of the replaced database is enough', { timeout: 300_000 }, async () => {
  const site: ServerSettings = {
    dataDir: inFolder('p-lista'),
    env: { ...env, DATABASE_URL: await cluster.createDatabase('lista') },
  }
  await fill(site)
  let server = await startServer(site)
  await signEverywhere(server.url, 'apagada')
  await server.stop()
  const file = inFolder('lista.mobiliza')
  expect((await run('backup', site, file)).code).toBe(0)
  server = await startServer(site)
  const admin = await enter({ url: server.url }, credentials)
  await admin.ask('DELETE', await pathOf(admin, 'apagada@example.org'))
  await server.stop()

  const elsewhere = { ...site, dataDir: inFolder('p-lista-outra-pasta') }
  const restored = await run('restore', elsewhere, file, '--substituir')

  expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('apagadas por completo')])
  expect(await addresses(site)).toEqual([])
})

test.each(engines)(
  'on %s, a kill in the middle of an erasure leaves all or nothing, and it can be repeated',
  {
    timeout: 300_000,
  },
  async (_, open) => {
    const site = await open('morta')
    await fill(site)
    const outcomes: number[] = []
    for (const afterMs of [2, 12, 30]) {
      const name = `morta${afterMs}`
      let server = await startServer(site)
      await signEverywhere(server.url, name)
      let admin = await enter({ url: server.url }, credentials)
      const path = await pathOf(admin, `${name}@example.org`)
      const erasure = admin.call('DELETE', path).catch(() => undefined)
      await delay(afterMs)
      await server.kill()
      await erasure
      server = await startServer(site)
      admin = await enter({ url: server.url }, credentials)
      const repeated = await admin.call('DELETE', path)
      outcomes.push(repeated.status)
      await server.stop()
      expect(await addresses(site)).toEqual([])
      expect(await ask(site, `select coalesce(sum(n), 0)::int as n from ${signatureCountsSql}`)).toEqual([{ n: 0 }])
    }
    expect(outcomes.filter((status) => status !== 200 && status !== 404)).toEqual([])
  },
)
