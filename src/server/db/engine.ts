// Which PostgreSQL we speak to: the one configured, or the embedded one in the data folder. Everything after this speaks one protocol.
import type { ClientConfig, PoolConfig } from 'pg'
import type { Config } from '#server/core/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'

export interface Engine {
  kind: 'embedded' | 'postgres'
  pool: PoolConfig
  /** A connection of its own, past any pooler: migrations hold a session lock. */
  direct: ClientConfig
  /** Named statements live in a session; behind a pooler in transaction mode and on the embedded engine there is none. */
  namedStatements: boolean
  stop(): Promise<void>
}

export async function openEngine(config: Config): Promise<Engine> {
  const { databaseUrl, databaseDirectUrl } = config
  if (databaseUrl) {
    return {
      kind: 'postgres',
      pool: { connectionString: databaseUrl, max: 10 },
      direct: { connectionString: databaseDirectUrl ?? databaseUrl },
      namedStatements: databaseDirectUrl === undefined,
      stop: async () => {},
    }
  }
  const { connection, stop } = await startEmbedded(config.dataDir)
  return { kind: 'embedded', pool: { ...connection, max: 4 }, direct: connection, namedStatements: false, stop }
}
