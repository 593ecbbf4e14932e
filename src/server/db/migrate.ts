// Brings the database to the shape of schema.ts, and fills an empty one, while other nodes that start at the same time wait.
import { fileURLToPath } from 'node:url'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { tryAgain } from '#server/core/try-again.ts'
import { codeOf } from '#server/db/database.ts'
import type { Engine } from '#server/db/engine.ts'
import * as schema from '#server/db/schema.ts'

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
export const lockKey = 7_266_454
/** A backup reads every table until its end. */
export const lockedTablePatienceMs = 30 * 60_000
const pauseMs = 5_000
/** Not had in time, or wanted in another order by somebody who signs. */
const isLocked = (error: unknown) => ['55P03', '40P01'].includes(codeOf(error) ?? '')

export type SchemaDatabase = NodePgDatabase<typeof schema>

/** `fill` runs after the migrations, under the same lock. */
export async function migrateDatabase(engine: Engine, fill: (orm: SchemaDatabase) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...engine.direct, connectionTimeoutMillis: 10_000 })
  // A connection lost between two queries is told by the next query; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const orm = drizzle(client, { schema })
    // Whoever signs stands in line behind a migration that waits for a table: it does so for a moment only, and comes again much later.
    await client.query(`set lock_timeout = '200ms'`)
    await tryAgain(() => migrate(orm, { migrationsFolder }), {
      patienceMs: lockedTablePatienceMs,
      longestPauseMs: pauseMs,
      isTransient: isLocked,
    })
    await client.query('reset lock_timeout')
    await fill(orm)
    await client.query('select pg_advisory_unlock($1)', [lockKey])
  } finally {
    await client.end()
  }
}
