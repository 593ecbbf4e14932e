// Which PostgreSQL we speak to: the one configured, or the embedded one in the data folder. Everything after this speaks one protocol.
import type { ClientConfig, PoolConfig } from 'pg'
import type { Config } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { startEmbedded } from '#server/db/embedded.ts'

/** By which PostgreSQL shows the connections of a server. */
export const applicationName = 'mobiliza'

export interface Engine {
  kind: 'embedded' | 'postgres'
  pool: PoolConfig
  /** A connection of its own, past any pooler: migrations hold a session lock. */
  direct: ClientConfig
  /** Named statements live in a session; behind a pooler in transaction mode and on the embedded engine there is none. */
  namedStatements: boolean
  /** The process is about to leave: nobody may wait any more for an engine that does not answer. */
  hurry(): void
  stop(): Promise<void>
}

export async function openEngine(config: Config, log = createLog(config.logLevel)): Promise<Engine> {
  const { databaseUrl, databaseDirectUrl } = config
  if (databaseUrl) {
    return {
      kind: 'postgres',
      pool: { connectionString: databaseUrl, max: 10, application_name: applicationName },
      direct: { connectionString: databaseDirectUrl ?? databaseUrl },
      namedStatements: databaseDirectUrl === undefined,
      hurry: () => {},
      stop: async () => {},
    }
  }
  const { connection, ...running } = await startEmbedded(config.dataDir, { log })
  return { kind: 'embedded', pool: { ...connection, max: 4 }, direct: connection, namedStatements: false, ...running }
}
