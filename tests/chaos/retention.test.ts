// Erasing by date survives kills of the server and a restore of an older backup, and no number changes.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/core/config.ts'
import { openEngine } from '#server/db/engine.ts'
import { totalCounts } from '#server/db/signature-counts.ts'
import { fill } from '#tests/chaos/sites.ts'
import { run } from '#tests/helpers/command.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { type ServerSettings, startServer, temporaryFolder } from '#tests/helpers/server-process.ts'

const people = 4_000
const folder = temporaryFolder()
let cluster: Cluster
beforeAll(async () => {
  cluster = await createCluster()
})
afterAll(async () => {
  await cluster.remove()
  rmSync(folder, { recursive: true, force: true })
})

const periods = { KEEP_VOLUNTEERS_DAYS: '30', KEEP_SIGNATURES_DAYS: '30', DELIVERIES: 'on' }
const engines: [name: string, open: () => Promise<ServerSettings>][] = [
  ['the embedded engine', async () => ({ dataDir: join(folder, 'e'), env: periods })],
  [
    'PostgreSQL',
    async () => ({
      dataDir: join(folder, 'p'),
      env: { ...periods, DATABASE_URL: await cluster.createDatabase('retention') },
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

const person = `gen_random_uuid(), 'Fulana', n || '@example.org', n || '@example.org', '11987654321', gen_random_uuid(), 'x',
  now() - interval '100 days'`
const personColumns = `email, "canonicalEmail", whatsapp, "requestId", "versaoConsentimento", "createdAt"`

async function addOldPeople(site: ServerSettings): Promise<void> {
  await ask(
    site,
    `insert into contacts (id, name, ${personColumns}) select ${person} from generate_series(1, ${people}) n;
    insert into peticoes (id, nome, ${personColumns}, campanha, cidade, estado, "confirmadoEm")
      select ${person}, 'juros', 'Campinas', 'SP', case when n % 2 = 0 then now() end from generate_series(1, ${people}) n;
    insert into signature_count_changes (campanha, estado, hora, n, confirmed)
      values ('juros', 'SP', date_trunc('hour', now() - interval '100 days'), ${people}, ${people / 2});
    update campaigns set status = 'closed' where slug = 'juros';
    update campaigns set "endedAt" = now() - interval '31 days' where slug = 'juros'`,
  )
}

const left = async (site: ServerSettings) => {
  const [row] = await ask<{ n: number }>(
    site,
    'select (select count(*)::int from contacts) + (select count(*)::int from peticoes) as n',
  )
  return row?.n ?? 0
}

const numbers = (site: ServerSettings) =>
  ask(
    site,
    `select n, confirmed, (select sum(n)::int from erased_signature_cities) as cities,
      (select sum(n)::int from erased_signature_origins) as origins, (select sum(n)::int from peticoes_por_hora where campanha = 'juros') as hours
    from ${totalCounts} totals where campanha = 'juros'`,
  )
const kept = [{ n: people, confirmed: people / 2, cities: people, origins: people, hours: people }]

/** Starts the server until everything is erased, and kills it each time, later and later. Returns what each kill left. */
async function eraseWithKills(site: ServerSettings): Promise<number[]> {
  const remaining: number[] = []
  for (let afterMs = 250; remaining.at(-1) !== 0 && afterMs < 20_000; afterMs *= 1.5) {
    const server = await startServer(site)
    await delay(afterMs)
    await server.kill()
    remaining.push(await left(site))
  }
  return remaining
}

test.each(engines)(
  'on %s, nothing is left and every number stays, after kills and restores',
  { timeout: 600_000 },
  async (_, open) => {
    const site = await open()
    await fill(site)
    await addOldPeople(site)
    const [older, newer] = [`${site.dataDir}-antes.mobiliza`, `${site.dataDir}-depois.mobiliza`]
    expect((await run('backup', site, older)).code).toBe(0)

    const remaining = await eraseWithKills(site)
    // A run that ends writes what the interrupted ones have erased into the audit log, and folds the counts.
    let server = await startServer(site)
    await delay(7_000)
    expect(await server.stop()).toBe(0)

    expect(remaining.at(-1)).toBe(0)
    expect(remaining.filter((n) => n > 0 && n < 2 * people).length).toBeGreaterThan(0)
    expect(await numbers(site)).toEqual(kept)
    expect(
      await ask(
        site,
        `select split_part(target, ',', 1) as kind, sum((regexp_match(target, '(\\d+) registros?$'))[1]::int)::int as n
        from admin_actions where username = 'prazo de guarda' group by 1 order by 1`,
      ),
    ).toEqual([
      { kind: 'assinaturas', n: people },
      { kind: 'voluntarios', n: people },
    ])

    expect((await run('backup', site, newer)).code).toBe(0)
    expect((await run('restore', site, older, '--substituir')).code).toBe(0)
    expect(await left(site)).toBe(2 * people)
    server = await startServer(site)
    await delay(20_000)
    expect(await server.stop()).toBe(0)
    expect(await left(site)).toBe(0)
    expect(await numbers(site)).toEqual(kept)

    expect((await run('restore', site, newer, '--substituir')).code).toBe(0)
    expect(await numbers(site)).toEqual(kept)
  },
)
