import type { ClientConfig, PoolConfig } from 'pg'
import type { Config } from '#server/core/config.ts'
import { createLog } from '#server/core/log.ts'
import { startEmbedded } from '#server/db/embedded.ts'

/** Identifies the connections of a server in `pg_stat_activity`. */
export const applicationName = 'mobiliza'

/** The configured PostgreSQL, or the embedded one in the data folder. Both use the same protocol. */
export interface Engine {
  kind: 'embedded' | 'postgres'
  pool: PoolConfig
  /** For a separate connection that bypasses any pooler: migrations hold a session lock. */
  direct: ClientConfig
  /** For migrations and restores, if the role of the site does not own the tables. It gets its rights from the owner. */
  owner?: { connection: ClientConfig; siteRole: string }
  /** Named statements belong to a session. A pooler in transaction mode and the embedded engine provide none. */
  namedStatements: boolean
  /** Shortens the timeouts because the process is stopping: nothing may wait for an engine that does not answer. */
  shortenTimeouts(): void
  stop(): Promise<void>
}

export async function openEngine(config: Config, log = createLog(config.logLevel)): Promise<Engine> {
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config
  if (databaseUrl) {
    return {
      kind: 'postgres',
      pool: { connectionString: databaseUrl, max: 10, application_name: applicationName },
      direct: { connectionString: databaseDirectUrl ?? databaseUrl },
      ...(databaseOwnerUrl && {
        owner: {
          connection: { connectionString: databaseOwnerUrl },
          siteRole: decodeURIComponent(new URL(databaseUrl).username),
        },
      }),
      namedStatements: databaseDirectUrl === undefined,
      shortenTimeouts: () => {},
      stop: async () => {},
    }
  }
  const { connection, ...running } = await startEmbedded(config.dataDir, { log })
  return {
    kind: 'embedded',
    pool: { ...connection, max: 4 },
    direct: connection,
    namedStatements: false,
    ...running,
  }
}
