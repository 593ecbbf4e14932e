// What growth costs: a signature on tables with none, one million and five million stored, in turn; starting and memory as well.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countTables } from '#tests/helpers/counted.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { compare, type Measure } from './report.ts'
import { memoryOf, microseconds, ticksOf } from './resources.ts'
import type { Books, Stage } from './stage.ts'
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
  const { rounds, seconds, sizes } = stage.pace
  const books: Record<Size, Books> = {
    none: await stage.createDatabase('size_none'),
    some: await stage.createDatabase('size_some'),
    many: await stage.createDatabase('size_many'),
  }
  await Promise.all(sizeNames.map((size) => storeSignatures(books[size].client, sizes[size])))
  await books.none.client.query('checkpoint')
  for (const size of sizeNames) await books[size].check(sizes[size])

  const starts: Record<'none' | 'some', number>[] = []
  for (let round = 1; round <= 5; round++)
    starts.push({ none: await timeStart(books.none.url), some: await timeStart(books.some.url) })

  const start = async (size: Size) => stage.startSite({ env: { DATABASE_URL: books[size].url } })
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
    // The others keep what was added: it is little against what they hold.
    if (size === 'none') await books.none.client.query(`truncate peticoes, ${countTables}, outbox`)
    const before = { server: ticksOf(pid), database: ticksOf(postmaster) }
    const burst = await load.burst({ url: `${url}/api/peticoes`, kind: 'signatures', seconds: duration })
    const each = (ticks: number) => microseconds(ticks) / burst.answered
    return {
      perSecond: burst.perSecond,
      serverMicroseconds: each(ticksOf(pid) - before.server),
      databaseMicroseconds: each(ticksOf(postmaster) - before.database),
    }
  }

  // Besides warming up: after a checkpoint PostgreSQL logs whole pages, and on a big index nearly every signature meets another one. It
  // checkpoints every few minutes, so what counts is the time after that; no checkpoint is forced between rounds.
  for (const size of sizeNames) await signOn(size, 4 * seconds)
  const results: Record<Size, Cost>[] = []
  for (let round = 1; round <= rounds; round++)
    results.push({ none: await signOn('none'), some: await signOn('some'), many: await signOn('many') })
  const loaded = memories()

  const cost = ({ serverMicroseconds, databaseMicroseconds }: Cost) => serverMicroseconds + databaseMicroseconds
  const grown = (size: 'some' | 'many', value: (cost: Cost) => number) => ({
    reference: 'empty tables',
    rounds: results.map((round) => ({ figure: value(round[size]), reference: value(round.none) })),
  })
  const words = (size: Size) => `${sizes[size].toLocaleString('en')} stored`
  const bigger = ['some', 'many'] as const
  return [
    ...bigger.flatMap((size) => [
      compare({
        name: `Cost of a signature, ${words(size)}`,
        unit: 'µs',
        ...grown(size, cost),
        ...(size === 'many' && { bar: { of: 'ratio', atMost: 1.4 } }),
      }),
      compare({
        name: `Cost of a signature, ${words(size)}: server`,
        unit: 'µs',
        ...grown(size, (each) => each.serverMicroseconds),
      }),
      compare({
        name: `Cost of a signature, ${words(size)}: PostgreSQL`,
        unit: 'µs',
        ...grown(size, (each) => each.databaseMicroseconds),
      }),
      compare({ name: `Signing, ${words(size)}`, unit: '/s', ...grown(size, ({ perSecond }) => perSecond) }),
    ]),
    compare({
      name: `Start, ${words('some')}`,
      unit: 'ms',
      reference: 'empty tables',
      rounds: starts.map(({ none, some }) => ({ figure: some, reference: none })),
    }),
    compare({
      name: `Memory of the server before any load, ${words('many')}`,
      unit: 'MB',
      reference: 'empty tables',
      rounds: [{ figure: idle.many, reference: idle.none }],
    }),
    compare({
      name: `Memory of the server after it, ${words('many')}`,
      unit: 'MB',
      reference: 'empty tables',
      rounds: [{ figure: loaded.many, reference: loaded.none }],
    }),
  ]
}

/** From the command to the line that says where the site is. */
async function timeStart(databaseUrl: string): Promise<number> {
  const startedAt = performance.now()
  const server = await startServer({ env: { DATABASE_URL: databaseUrl } })
  const took = performance.now() - startedAt
  await server.stop()
  rmSync(server.dataDir, { recursive: true, force: true })
  return took
}
