// What every part of the benchmark stands on: databases filled with the samples, servers, load; all of it gone when the part is over.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { tryAgain } from '#server/core/try-again.ts'
import { isTransient } from '#server/db/database.ts'
import { signatureCounts } from '#server/db/signature-counts.ts'
import { countTables } from '#tests/helpers/counted.ts'
import type { Cluster } from '#tests/helpers/postgres.ts'
import { type ServerProcess, type ServerSettings, startServer } from '#tests/helpers/server-process.ts'
import { type BenchServer, type Load, startBenchServer, startLoad } from './processes.ts'
import type { Crowd } from './stored-people.ts'

/** How long and how often things are measured. */
export interface Pace {
  rounds: number
  seconds: number
  heldSeconds: number
  overloadSeconds: number
  snapshotSeconds: number
  /** How many signatures are stored already, where growth is measured. */
  sizes: { none: number; some: number; many: number }
  /** Signatures that wait for the spreadsheet, and how often that is done. */
  backlog: { records: number; rounds: number }
  /** Who is in the lists of the admin area. */
  crowd: Crowd
}

export const paces: Record<'full' | 'quick', Pace> = {
  full: {
    ...{ rounds: 9, seconds: 1.25, heldSeconds: 120, overloadSeconds: 10, snapshotSeconds: 600 },
    sizes: { none: 0, some: 1_000_000, many: 5_000_000 },
    backlog: { records: 10_000, rounds: 5 },
    crowd: { signatures: 1_000_000, others: 200_000, conversations: 200_000 },
  },
  quick: {
    ...{ rounds: 2, seconds: 0.4, heldSeconds: 5, overloadSeconds: 3, snapshotSeconds: 10 },
    sizes: { none: 0, some: 20_000, many: 100_000 },
    backlog: { records: 1_500, rounds: 1 },
    crowd: { signatures: 20_000, others: 4_000, conversations: 4_000 },
  },
}

export interface Stage {
  pace: Pace
  cluster: Cluster
  createDatabase(name: string): Promise<Books>
  startSite(settings?: ServerSettings): Promise<ServerProcess & { pid: number }>
  startServer(name: string, env?: Record<string, string>): Promise<BenchServer>
  startLoad(): Load
  /** Done when the part is over, last first. */
  atEnd(step: () => unknown): void
}

/** A database, seen from outside the server. */
export interface Books {
  url: string
  client: pg.Client
  /** No signatures, and nothing left to be written that would be in the way of what comes. */
  empty(): Promise<void>
  /** Throws unless each of so many people has one row, and the ledger says the same. Who got no answer may have one or not. */
  check(people: number, unanswered?: number): Promise<void>
}

const template = 'filled'

/** Lets a server fill the database that all others are copied from. */
export async function fillTemplate(cluster: Cluster): Promise<void> {
  const filling = await startServer({ env: { DATABASE_URL: await cluster.createDatabase(template) } })
  await filling.stop()
  rmSync(filling.dataDir, { recursive: true, force: true })
}

export function createStage(cluster: Cluster, pace: Pace): Stage & { clear(): Promise<void> } {
  const undo: (() => unknown)[] = []
  const atEnd = (step: () => unknown) => void undo.push(step)
  return {
    pace,
    cluster,
    atEnd,
    async createDatabase(name) {
      const url = await cluster.createDatabase(name, template)
      const client = new pg.Client({ connectionString: url })
      // Stopped half-way, the cluster goes first.
      client.on('error', () => {})
      await client.connect()
      atEnd(async () => {
        await client.end()
        // What is left would be looked after by PostgreSQL while other parts are measured.
        await dropDatabase(cluster, name)
      })
      return {
        url,
        client,
        async empty() {
          // What the site does after a burst takes the same tables in another order: one of both is sent away then.
          const truncate = () => client.query(`truncate peticoes, ${countTables}, outbox`)
          await tryAgain(truncate, { isTransient, patienceMs: 20_000 })
          await client.query('checkpoint')
        },
        check: (people, unanswered) => checkBooks(client, people, unanswered),
      }
    },
    async startSite({ env, ...settings } = {}) {
      // As an operator runs it: what was signed is delivered all the while.
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

export async function checkBooks(client: pg.Client, people: number, unanswered = 0): Promise<void> {
  const { rows } = await client.query<{ stored: number; ledger: number }>(
    `select (select count(*) from peticoes)::int as stored,
      (select coalesce(sum(n), 0) from ${signatureCounts} counts)::int as ledger`,
  )
  const { stored = 0, ledger = 0 } = rows[0] ?? {}
  if (stored < people || stored > people + unanswered || ledger !== stored)
    throw new Error(`${people} people were told that they have signed, ${stored} are stored, ${ledger} in the ledger`)
}
