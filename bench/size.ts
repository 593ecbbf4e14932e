// Cost of a signature with none, one million and five million signatures stored, in turn; also start time and memory.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countTables } from '#tests/helpers/count-rows.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { compare, type Measure } from './report.ts'
import { memoryOf, microseconds, ticksOf } from './resources.ts'
import type { BenchDatabase, Stage } from './stage.ts'
import { storeSignatures } from './stored-signatures.ts'

const sizeNames = ['none', 'some', 'many'] as const
type Size = (typeof sizeNames)[number]

interface Cost {
  perSecond: number
  /** Processor time per signature, of the server and of PostgreSQL. */
  serverMicroseconds: number
  databaseMicroseconds: number
}

export async function benchSize(stage: Stage): Promise<Measure[]> {
  const { rounds, seconds, sizes } = stage.scale
  const databases: Record<Size, BenchDatabase> = {
    none: await stage.createDatabase('size_none'),
    some: await stage.createDatabase('size_some'),
    many: await stage.createDatabase('size_many'),
  }
  await Promise.all(sizeNames.map((size) => storeSignatures(databases[size].client, sizes[size])))
  await databases.none.client.query('checkpoint')
  for (const size of sizeNames) await databases[size].check(sizes[size])

  const starts: Record<'none' | 'some', number>[] = []
  for (let round = 1; round <= 5; round++)
    starts.push({ none: await timeStart(databases.none.url), some: await timeStart(databases.some.url) })

  const start = async (size: Size) => stage.startSite({ env: { DATABASE_URL: databases[size].url } })
  const sites = { none: await start('none'), some: await start('some'), many: await start('many') }
  const memories = () => ({
    none: memoryOf(sites.none.pid).megabytes,
    some: memoryOf(sites.some.pid).megabytes,
    many: memoryOf(sites.many.pid).megabytes,
  })
  const idle = memories()
  const load = stage.startLoad()
  const postmaster = Number.parseInt(readFileSync(join(stage.cluster.folder, 'data/postmaster.pid'), 'utf8'), 10)

  async function signOn(size: Size, duration = seconds): Promise<Cost> {
    const { url, pid } = sites[size]
    // The others keep the new rows: these are few compared with the stored ones.
    if (size === 'none') await databases.none.client.query(`truncate peticoes, ${countTables}, outbox`)
    const before = { server: ticksOf(pid), database: ticksOf(postmaster) }
    const burst = await load.burst({ url: `${url}/api/peticoes`, kind: 'signatures', seconds: duration })
    const each = (ticks: number) => microseconds(ticks) / burst.answered
    return {
      perSecond: burst.perSecond,
      serverMicroseconds: each(ticksOf(pid) - before.server),
      databaseMicroseconds: each(ticksOf(postmaster) - before.database),
    }
  }

  // Warms up, and writes full page images: after a checkpoint PostgreSQL logs each changed page in full, and on a big
  // index nearly every signature changes another page. It checkpoints every few minutes, so the time after this phase
  // is what matters. No checkpoint is forced between rounds.
  for (const size of sizeNames) await signOn(size, 4 * seconds)
  const results: Record<Size, Cost>[] = []
  for (let round = 1; round <= rounds; round++)
    results.push({ none: await signOn('none'), some: await signOn('some'), many: await signOn('many') })
  const loaded = memories()

  const cost = ({ serverMicroseconds, databaseMicroseconds }: Cost) => serverMicroseconds + databaseMicroseconds
  const againstEmpty = (size: 'some' | 'many', value: (cost: Cost) => number) => ({
    reference: 'empty tables',
    rounds: results.map((round) => ({ figure: value(round[size]), reference: value(round.none) })),
  })
  const label = (size: Size) => `${sizes[size].toLocaleString('en')} stored`
  const bigger = ['some', 'many'] as const
  return [
    ...bigger.flatMap((size) => [
      compare({
        name: `Cost of a signature, ${label(size)}`,
        unit: 'µs',
        ...againstEmpty(size, cost),
        ...(size === 'many' && { bar: { of: 'ratio', atMost: 1.4 } }),
      }),
      compare({
        name: `Cost of a signature, ${label(size)}: server`,
        unit: 'µs',
        ...againstEmpty(size, (each) => each.serverMicroseconds),
      }),
      compare({
        name: `Cost of a signature, ${label(size)}: PostgreSQL`,
        unit: 'µs',
        ...againstEmpty(size, (each) => each.databaseMicroseconds),
      }),
      compare({ name: `Signing, ${label(size)}`, unit: '/s', ...againstEmpty(size, ({ perSecond }) => perSecond) }),
    ]),
    compare({
      name: `Start, ${label('some')}`,
      unit: 'ms',
      reference: 'empty tables',
      rounds: starts.map(({ none, some }) => ({ figure: some, reference: none })),
    }),
    compare({
      name: `Memory of the server before any load, ${label('many')}`,
      unit: 'MB',
      reference: 'empty tables',
      rounds: [{ figure: idle.many, reference: idle.none }],
    }),
    compare({
      name: `Memory of the server after it, ${label('many')}`,
      unit: 'MB',
      reference: 'empty tables',
      rounds: [{ figure: loaded.many, reference: loaded.none }],
    }),
  ]
}

/** Time from the command to the output of the address of the site. */
async function timeStart(databaseUrl: string): Promise<number> {
  const startedAt = performance.now()
  const server = await startServer({ env: { DATABASE_URL: databaseUrl } })
  const took = performance.now() - startedAt
  await server.stop()
  rmSync(server.dataDir, { recursive: true, force: true })
  return took
}
