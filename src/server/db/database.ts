// Connections to the engine, and which of its failures pass by themselves.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Log } from '#server/core/log.ts'
import type { Engine } from '#server/db/engine.ts'

/** The library's own transactions leave a connection as it is when they fail: ours are below. */
export type Orm = Omit<NodePgDatabase, 'transaction'>

export interface Database {
  /** Ordinary queries. */
  orm: Orm
  /** All of it or nothing. Whatever fails, nobody comes to use a connection on which it is still open. */
  transaction<T>(work: (tx: Orm) => Promise<T>): Promise<T>
  /** Raw SQL, for the hot path. The name is used where the engine keeps named statements. */
  query<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A batch commits in milliseconds; one that does not is better tried again on another connection. */
const hotPathTimeoutMs = 5_000
/** Longer than anybody here waits: what was given up, behind a lock for instance, must not go on in the database and take its connections. */
const giveUp = { text: 'set statement_timeout = 15000', query_timeout: 1_000 }
/** A connection that does not take this back at once is still busy with what was given up: it is closed instead. */
const rollback = { text: 'rollback', query_timeout: 1_000 }

export function openDatabase(engine: Engine, log: Log): Database {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    keepAlive: true,
    // Where sessions are shared the pooler says it (deploy/pgbouncer); the embedded engine does one thing at a time.
    ...(engine.namedStatements && { onConnect: async (client) => void (await client.query(giveUp)) }),
    ...engine.pool,
  })
  // Without a listener, a connection that the database ends would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  // The pool listens to those that nobody uses. Whoever uses one is told by the statement that fails.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    orm: drizzle(pool),
    async transaction(work) {
      const client = await pool.connect()
      let unfit: Error | undefined
      try {
        await client.query('begin')
        const result = await work(drizzle(client))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query(rollback).catch((failure: Error) => {
          unfit = failure
        })
        throw error
      } finally {
        client.release(unfit)
      }
    },
    async query(name, text, values) {
      const statement = { text, values, query_timeout: hotPathTimeoutMs, ...(engine.namedStatements && { name }) }
      const result = await pool.query(statement)
      return result.rows
    },
    close: () => pool.end(),
  }
}

// Connection, resources and operator classes; a conflict between transactions; an I/O error; a standby not yet promoted.
const transientState = /^(08|53|57P)|^(40001|40P01|58030|25006)$/
const transientSystemCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'],
  // A name that a restarting pooler or a failover takes away for a moment; a machine or network that is gone.
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
])
// pg reports these without a code.
const transientSentence =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/

/** The database is away, restarting, full or busy with a conflict: the same statement may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity, message, cause } = error as Error & { code?: string; severity?: string }
  return (
    // The session ended or never began, whatever the code: with a full disk it is that of an internal error.
    severity === 'FATAL' ||
    transientState.test(code) ||
    transientSystemCodes.has(code) ||
    transientSentence.test(message) ||
    isTransient(cause)
  )
}

/** The code by which the engine, the driver or the system names a failure, however deep it is wrapped. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code ?? (cause ? codeOf(cause) : undefined)
}
