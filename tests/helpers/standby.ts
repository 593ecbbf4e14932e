// A copy of a cluster that follows it: a hot standby of the test's own, made as an operator makes one.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, postgresBinary, runCluster, unprivileged, unprivilegedFolder } from '#tests/helpers/postgres.ts'

export interface StandbySettings {
  /** What the primary knows it by: its application_name and its slot. */
  name?: string
  settings?: Record<string, string>
}

export interface Standby extends Cluster {
  name: string
  /** Makes it the primary of its own line, and waits until it takes writes. */
  promote(): Promise<void>
}

/** Resolves once the primary streams to it. Whether commits wait for it is up to the primary's `synchronous_standby_names`. */
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

/** How the primary sees it: `sync` or `quorum` when commits wait for it, `async` when not, undefined when it does not follow. */
export async function stateOf(primary: Cluster, name: string): Promise<string | undefined> {
  const [row] = await primary.query<{ sync_state: string }>(
    `select sync_state from pg_stat_replication where state = 'streaming' and application_name = '${name}'`,
  )
  return row?.sync_state
}
