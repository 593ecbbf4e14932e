// The deployment of deploy/ on one machine: PostgreSQL with a synchronous standby, and pgbouncer. A test adds nodes
// and nginx.
import { fill } from '#tests/chaos/sites.ts'
import { deployed, deployedSettings } from '#tests/helpers/deployed.ts'
import { type Configuration, startPgbouncer } from '#tests/helpers/pgbouncer.ts'
import { type Cluster, createCluster, rowsOf } from '#tests/helpers/postgres.ts'
import type { ServerSettings } from '#tests/helpers/server-process.ts'
import { createStandby, type Standby } from '#tests/helpers/standby.ts'

export interface Deployment {
  primary: Cluster
  standby: Standby
  /** Settings of a node: the database through pgbouncer, with an own database role. */
  settings: ServerSettings
  /** Points pgbouncer to another cluster, as an operator does after a failover. */
  switchTo(cluster: Cluster): void
  /** Settings for the same data without pgbouncer. */
  direct: ServerSettings
  remove(): Promise<void>
}

const password = 'senha-de-teste-123'

export async function openDeployment(): Promise<Deployment> {
  const primary = await createCluster(deployedSettings('mobiliza.conf'))
  const standby = await createStandby(primary, { settings: deployedSettings('mobiliza.conf') })
  // Set by SQL: a setting on the command line would override later changes of the operator.
  for (const [name, value] of Object.entries(deployedSettings('primary.conf')))
    await rowsOf(primary.url(), `alter system set ${name} = '${value}'`)
  await rowsOf(primary.url(), 'select pg_reload_conf()')
  await rowsOf(primary.url(), `create role mobiliza login password '${password}'`)
  await primary.createDatabase('mobiliza')
  await rowsOf(primary.url(), 'alter database mobiliza owner to mobiliza')
  const pooler = await startPgbouncer(primary, poolerFiles(primary))
  const direct = directTo(primary)
  await fill(direct)
  return {
    primary,
    standby,
    direct,
    settings: {
      dataDir: primary.folder,
      env: {
        DATABASE_URL: `postgres://mobiliza:${password}@127.0.0.1:${pooler.port}/mobiliza`,
        DATABASE_DIRECT_URL: direct.env.DATABASE_URL,
        TRUST_PROXY: '127.0.0.1',
        PUBLIC_URL: 'https://mobiliza.example.org',
      },
    },
    switchTo: (cluster) => pooler.reload({ 'place.ini': placeFile(cluster) }),
    async remove() {
      await pooler.stop()
      await standby.remove()
      await primary.remove()
    },
  }
}

/** Settings for the data of this deployment without pgbouncer. */
export function directTo(cluster: Cluster) {
  const url = `postgres://mobiliza:${password}@127.0.0.1:${cluster.port}/mobiliza`
  return { env: { DATABASE_URL: url }, dataDir: cluster.folder }
}

function placeFile({ port }: Cluster): string {
  return deployed('pgbouncer/place.ini', { 'port=5432': `port=${port}` })
}

function poolerFiles(primary: Cluster): Configuration {
  return (folder, port) => ({
    'pgbouncer.ini': deployed('pgbouncer/pgbouncer.ini', {
      '/etc/pgbouncer/': `${folder}/`,
      '/run/postgresql/': `${folder}/`,
      'listen_port = 6432': `listen_port = ${port}`,
    }),
    'place.ini': placeFile(primary),
    'userlist.txt': `"mobiliza" "${password}"\n`,
  })
}
