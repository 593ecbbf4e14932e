// The environment of a benchmark part: filled databases, servers and load. Everything is removed when the part ends.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { retry } from '#server/core/retry.ts'
import { readAddressKey } from '#server/db/address-key.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import { isTransient } from '#server/db/database.ts'
import { runSql } from '#server/db/run-sql.ts'
import { signatureCounts } from '#server/db/signature-counts.ts'
import { countTables } from '#tests/helpers/count-rows.ts'
import type { Cluster } from '#tests/helpers/postgres.ts'
import { dataKey, type ServerProcess, type ServerSettings, startServer } from '#tests/helpers/server-process.ts'
import { type BenchServer, type Load, startBenchServer, startLoad } from './processes.ts'
import type { PeopleCounts } from './stored-people.ts'

/** Durations, numbers of rounds and data sizes. */
export interface Scale {
  rounds: number
  seconds: number
  heldSeconds: number
  overloadSeconds: number
  snapshotSeconds: number
  /** Number of stored signatures, where growth is measured. */
  sizes: { none: number; some: number; many: number }
  /** Number of signatures that wait for the spreadsheet, and number of rounds. */
  backlog: { records: number; rounds: number }
  /** People behind one address, and for how long they come. */
  shared: { people: number; seconds: number }
  /** Number of people in the lists of the admin area. */
  people: PeopleCounts
}

export const scales: Record<'full' | 'quick', Scale> = {
  full: {
    ...{ rounds: 9, seconds: 1.25, heldSeconds: 120, overloadSeconds: 10, snapshotSeconds: 600 },
    sizes: { none: 0, some: 1_000_000, many: 5_000_000 },
    backlog: { records: 10_000, rounds: 5 },
    shared: { people: 1_000, seconds: 300 },
    people: { signatures: 1_000_000, others: 200_000, conversations: 200_000 },
  },
  quick: {
    ...{ rounds: 2, seconds: 0.4, heldSeconds: 5, overloadSeconds: 3, snapshotSeconds: 10 },
    sizes: { none: 0, some: 20_000, many: 100_000 },
    backlog: { records: 1_500, rounds: 1 },
    shared: { people: 60, seconds: 10 },
    people: { signatures: 20_000, others: 4_000, conversations: 4_000 },
  },
}

export interface Stage {
  scale: Scale
  cluster: Cluster
  /** A copy of the filled database, unless a server is to fill it. */
  createDatabase(name: string, options?: { isEmpty?: boolean }): Promise<BenchDatabase>
  startSite(settings?: ServerSettings): Promise<ServerProcess & { pid: number }>
  startServer(name: string, env?: Record<string, string>): Promise<BenchServer>
  startLoad(): Load
  /** Registers a step for the end of the part. The last step runs first. */
  atEnd(step: () => unknown): void
}

/** A database with a connection of the benchmark. Its statements may use `hmacSql`. */
export interface BenchDatabase {
  url: string
  client: pg.Client
  /** Deletes all signatures and deliveries, and writes a checkpoint, so that neither disturbs the next measurement. */
  empty(): Promise<void>
  /** Throws unless this many signatures are stored and counted. Requests without a response may be stored or not. */
  check(people: number, unanswered?: number): Promise<void>
}

const template = 'filled'

async function storedAddressKey(client: pg.Client): Promise<Buffer> {
  const key = await readAddressKey(runSql(client), { dataDir: '', dataKey, previousDataKeys: [] })
  if (!key) throw new Error('The database has no address key.')
  return key
}

/** Starts a server once to fill the database that all others are copied from. */
export async function fillTemplate(cluster: Cluster): Promise<void> {
  const filling = await startServer({ env: { DATABASE_URL: await cluster.createDatabase(template) } })
  await filling.stop()
  rmSync(filling.dataDir, { recursive: true, force: true })
}

export function createStage(cluster: Cluster, scale: Scale): Stage & { clear(): Promise<void> } {
  const undo: (() => unknown)[] = []
  const atEnd = (step: () => unknown) => void undo.push(step)
  return {
    scale,
    cluster,
    atEnd,
    async createDatabase(name, { isEmpty } = {}) {
      const url = await (isEmpty ? cluster.createDatabase(name) : cluster.createDatabase(name, template))
      const client = new pg.Client({ connectionString: url })
      // When a run is interrupted, the cluster stops before this client.
      client.on('error', () => {})
      await client.connect()
      if (!isEmpty) bindAddressKey(client, await storedAddressKey(client))
      atEnd(async () => {
        await client.end()
        // PostgreSQL would maintain the remaining data while other parts are measured.
        await dropDatabase(cluster, name)
      })
      return {
        url,
        client,
        async empty() {
          // The work of the site after a burst locks the same tables in another order, so one of the two can fail
          // with a deadlock.
          const truncate = () => client.query(`truncate peticoes, ${countTables}, outbox`)
          await retry(truncate, { isTransient, timeoutMs: 20_000 })
          await client.query('checkpoint')
        },
        check: (people, unanswered) => checkSignatures(client, people, unanswered),
      }
    },
    async startSite({ env, ...settings } = {}) {
      // With deliveries, as in production.
      const site = await startServer({ ...settings, env: { DELIVERIES: 'on', ...env } })
      atEnd(async () => {
        await site.kill()
        rmSync(site.dataDir, { recursive: true, force: true })
      })
      return { ...site, pid: site.process.pid ?? 0 }
    },
    async startServer(name, env) {
      const server = await startBenchServer(name, env)
      atEnd(() => server.stop())
      return server
    },
    startLoad() {
      const load = startLoad()
      atEnd(() => load.stop())
      return load
    },
    async clear() {
      for (const step of undo.splice(0).reverse()) await step()
    },
  }
}

async function dropDatabase(cluster: Cluster, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url() })
  await client.connect()
  await client.query(`drop database "${name}" with (force)`)
  await client.end()
}

export async function checkSignatures(client: pg.Client, people: number, unanswered = 0): Promise<void> {
  const { rows } = await client.query<{ stored: number; counts: number }>(
    `select (select count(*) from peticoes)::int as stored,
      (select coalesce(sum(n), 0) from ${signatureCounts} counts)::int as counts`,
  )
  const { stored = 0, counts = 0 } = rows[0] ?? {}
  if (stored < people || stored > people + unanswered || counts !== stored)
    throw new Error(`${people} people were told that they have signed, ${stored} are stored, ${counts} in the ledger`)
}
