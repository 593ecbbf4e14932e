// A hot standby of a cluster, created as an operator creates one.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, postgresBinary, runCluster, unprivileged, unprivilegedFolder } from '#tests/helpers/postgres.ts'

export interface StandbySettings {
  /** Its application_name and the name of its replication slot on the primary. */
  name?: string
  settings?: Record<string, string>
}

export interface Standby extends Cluster {
  name: string
  /** Promotes it to a primary, and waits until it accepts writes. */
  promote(): Promise<void>
}

/**
 * Resolves when the primary streams to it. The primary's `synchronous_standby_names` decides whether commits wait for
 * it.
 */
export async function createStandby(
  primary: Cluster,
  { name = 'standby1', settings = {} }: StandbySettings = {},
): Promise<Standby> {
  const folder = unprivilegedFolder('mobiliza-pg-standby-')
  const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`
  execFileSync(
    postgresBinary('pg_basebackup'),
    ['-d', source, '-D', join(folder, 'data'), '-R', '-C', '-S', name, '--checkpoint=fast'],
    { ...unprivileged(), cwd: folder, stdio: 'pipe' },
  )
  const cluster = await runCluster(folder, settings)
  const standby: Standby = {
    ...cluster,
    name,
    async promote() {
      await cluster.query('select pg_promote()')
    },
  }
  while ((await stateOf(primary, name)) === undefined) await delay(20)
  return standby
}

/**
 * Its state on the primary: `sync` or `quorum` if commits wait for it, `async` if not, undefined if it is not
 * connected.
 */
export async function stateOf(primary: Cluster, name: string): Promise<string | undefined> {
  const [row] = await primary.query<{ sync_state: string }>(
    `select sync_state from pg_stat_replication where state = 'streaming' and application_name = '${name}'`,
  )
  return row?.sync_state
}
