// Signing over HTTP, on PostgreSQL and on the embedded engine, against a bare Fastify POST. Every round has empty tables, and what was answered is counted in them.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Cluster } from '#tests/helpers/postgres.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import type { Outcome } from './load.ts'
import { sendLoad, startBenchServer } from './processes.ts'
import { compare, type Measure, median } from './report.ts'

const sign = (url: string) =>
  sendLoad({ url: `${url}/api/peticoes`, kind: 'signatures', connections: 64, seconds: 3.5 })

/** Throws unless each answered signature is one row, and the ledger says the same. */
async function count(connection: pg.ClientConfig, { answered }: Outcome): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query(
      'select (select count(*) from peticoes)::int as rows, (select sum(n) from peticoes_por_hora)::int as ledger',
    )
    const { rows: stored, ledger } = rows[0]
    if (stored !== answered || ledger !== answered)
      throw new Error(`${answered} signatures answered, ${stored} stored, ${ledger} in the ledger`)
  } finally {
    await client.end()
  }
}

async function signOnBare(): Promise<Outcome> {
  const server = await startBenchServer('./bare-server.ts')
  try {
    return await sign(server.url)
  } finally {
    await server.stop()
  }
}

async function signOnPostgres(databaseUrl: string): Promise<Outcome> {
  const server = await startServer({ env: { DATABASE_URL: databaseUrl } })
  try {
    const outcome = await sign(server.url)
    await count({ connectionString: databaseUrl }, outcome)
    return outcome
  } finally {
    await server.stop()
    rmSync(server.dataDir, { recursive: true, force: true })
  }
}

async function signOnEmbedded(): Promise<Outcome> {
  const server = await startServer()
  try {
    const outcome = await sign(server.url)
    // Without a goodbye: what was answered must already be in the files.
    await server.kill()
    const engine = await startEmbedded(server.dataDir)
    await count(engine.connection, outcome)
    await engine.stop()
    return outcome
  } finally {
    await server.kill()
    rmSync(server.dataDir, { recursive: true, force: true })
  }
}

export interface SignBench {
  cluster: Cluster
  rounds: number
  /** A database that a server has already filled. */
  template: string
}

export async function benchSigning({ cluster, rounds, template }: SignBench): Promise<Measure[]> {
  const results: Record<'bare' | 'postgres' | 'embedded', Outcome>[] = []
  for (let round = 1; round <= rounds; round++) {
    results.push({
      bare: await signOnBare(),
      postgres: await signOnPostgres(await cluster.createDatabase(`signing_${round}`, template)),
      embedded: await signOnEmbedded(),
    })
  }

  const against = (engine: 'postgres' | 'embedded') => ({
    unit: '/s',
    reference: 'bare Fastify POST',
    p99Ms: median(results.map((result) => result[engine].p99Ms)),
    rounds: results.map((result) => ({ figure: result[engine].perSecond, reference: result.bare.perSecond })),
  })
  return [
    compare({ name: 'Signing, PostgreSQL', ...against('postgres'), bar: { of: 'ratio', atLeast: 0.45 } }),
    compare({ name: 'Signing, embedded', ...against('embedded'), bar: { of: 'figure', atLeast: 1_000 } }),
  ]
}
