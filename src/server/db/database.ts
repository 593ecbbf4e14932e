// Connection pool, transactions, and the classification of database errors.
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg, { type ClientBase, type Pool, type PoolClient } from 'pg'
import { addressHmac } from '#server/core/address-key.ts'
import type { Log } from '#server/core/log.ts'
import { bindAddressKey } from '#server/db/bind-address-key.ts'
import type { Engine } from '#server/db/engine.ts'

/**
 * Without the transactions of Drizzle: if one fails, the connection returns to the pool in whatever state it is. Use
 * `Database.transaction` instead.
 */
export interface Orm extends Omit<NodePgDatabase, 'transaction'> {
  /** The HMAC of a canonical address or of a mailbox, with the key of the installation. */
  addressHmac(address: string): Buffer
}

export interface Database {
  orm: Orm
  /** Commits everything or nothing. A connection with an open transaction never returns to the pool. */
  transaction<T>(work: (tx: Orm) => Promise<T>): Promise<T>
  /** Raw SQL for the hot path. Uses a named statement where the engine supports it. */
  query<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A batch commits in milliseconds. If it takes longer, a retry on another connection is better. */
const hotPathTimeoutMs = 5_000
/**
 * Longer than every timeout of this process. A query that the process has given up, for instance behind a lock,
 * must not keep running in the database and occupy a connection.
 */
const setUpSession = {
  // Without JIT compilation: planning estimates can trigger it for queries that take milliseconds.
  text: 'set statement_timeout = 15000; set jit = off',
  query_timeout: 1_000,
}
/** A connection that does not roll back at once is still busy with a query that was given up. It is closed instead. */
const rollback = { text: 'rollback', query_timeout: 1_000 }

/** `key`: absent for commands that read no addresses. */
export function createOrm(client: Pool | ClientBase, key: Buffer | undefined): Orm {
  return Object.assign(drizzle(client as Pool | PoolClient), {
    addressHmac(address: string) {
      if (!key) throw new Error('This connection has no address key.')
      return addressHmac(key, address)
    },
  })
}

/** `addressKey`: see `createOrm`. */
export function openDatabase(engine: Engine, log: Log, addressKey?: Buffer): Database {
  const pool = new pg.Pool({
    connectionTimeoutMillis: 3_000,
    query_timeout: 10_000,
    keepAlive: true,
    // Where a pooler shares the sessions, the pooler sets this timeout (deploy/pgbouncer). The embedded engine runs one
    // statement at a time and needs no timeout.
    ...(engine.namedStatements && { onConnect: async (client) => void (await client.query(setUpSession)) }),
    ...engine.pool,
  })
  // Without a listener, a connection that the database closes would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  // The pool handles errors of idle connections only. If a connection in use fails, its query reports the error.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    if (addressKey) bindAddressKey(client, addressKey)
  })
  return {
    orm: createOrm(pool, addressKey),
    async transaction(work) {
      const client = await pool.connect()
      let rollbackError: Error | undefined
      try {
        await client.query('begin')
        const result = await work(createOrm(client, addressKey))
        await client.query('commit')
        return result
      } catch (error) {
        await client.query(rollback).catch((failure: Error) => {
          rollbackError = failure
        })
        throw error
      } finally {
        client.release(rollbackError)
      }
    },
    async query(name, text, values) {
      const statement = { text, values, query_timeout: hotPathTimeoutMs, ...(engine.namedStatements && { name }) }
      const result = await pool.query(statement)
      const { rows } = result
      // After a query with a timeout, young garbage collections keep the result of the driver. While it held the rows,
      // an export of 250,000 people took 158 MB until the next full collection; now it takes 31 MB.
      result.rows = []
      return rows
    },
    close: () => pool.end(),
  }
}

// Classes 08 (connection), 53 (resources) and 57P (operator intervention); conflicts between transactions
// (40001, 40P01); an I/O error (58030); a standby that is not promoted yet (25006).
const transientState = /^(08|53|57P)|^(40001|40P01|58030|25006)$/
const transientSystemCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'],
  // A host name that cannot be resolved for a moment while a pooler restarts or during a failover; a host or
  // network that is down.
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
])
// pg reports these without a code.
const transientMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error)/

/** The database is unreachable, restarting, full, or has a conflict: the same statement may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', severity, message, cause } = error as Error & { code?: string; severity?: string }
  return (
    // The session ended or never began. The code says nothing: with a full disk it is that of an internal error.
    severity === 'FATAL' ||
    transientState.test(code) ||
    transientSystemCodes.has(code) ||
    transientMessage.test(message) ||
    isTransient(cause)
  )
}

/** The error code of the database, the driver or the system, also of a wrapped error. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: string; cause?: unknown }
  return code ?? (cause ? codeOf(cause) : undefined)
}
