// Data for the servers of these tests: migrated, with the campaigns and contents of a new site.
import { rmSync } from 'node:fs'
import pg from 'pg'
import { readConfig } from '#server/core/config.ts'
import { runningConnection } from '#server/db/embedded.ts'
import { openEngine } from '#server/db/engine.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { seed } from '#server/db/seed.ts'
import { defaultSite } from '#tests/helpers/default-site.ts'
import { type Cluster, createCluster } from '#tests/helpers/postgres.ts'
import { type ServerSettings, temporaryFolder } from '#tests/helpers/server-process.ts'

export interface Site {
  settings: ServerSettings
  remove(): Promise<void>
}

export interface PostgresSite extends Site {
  cluster: Cluster
}

export async function openEmbeddedSite(): Promise<Site> {
  const dataDir = temporaryFolder()
  await fill({ dataDir })
  return { settings: { dataDir }, remove: async () => rmSync(dataDir, { recursive: true, force: true }) }
}

export async function openPostgresSite(): Promise<PostgresSite> {
  const cluster = await createCluster()
  const settings = { env: { DATABASE_URL: await cluster.createDatabase('mobiliza') }, dataDir: cluster.folder }
  await fill(settings)
  return { settings, cluster, remove: () => cluster.remove() }
}

export const engines: [name: string, open: () => Promise<Site>][] = [
  ['the embedded engine', openEmbeddedSite],
  ['PostgreSQL', openPostgresSite],
]

export async function fill({ env = {}, dataDir = '' }: ServerSettings): Promise<void> {
  const engine = await openEngine(readConfig({ DATA_DIR: dataDir, ...env }))
  await migrateDatabase(engine, (orm) => seed(orm, defaultSite))
  await engine.stop()
}

/** A connection to the embedded engine of a running server. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client(runningConnection(dataDir))
  client.on('error', () => {})
  await client.connect()
  return client
}
