// A real pgbouncer in transaction mode before a cluster, with one session for everybody: who relies on a session of their own finds out.
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, freePort, unprivileged } from '#tests/helpers/postgres.ts'

export interface Pooler {
  url(database: string): string
  stop(): Promise<void>
}

export async function startPgbouncer(cluster: Cluster): Promise<Pooler> {
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'mobiliza-pgbouncer-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${cluster.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 1',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const installed = '/usr/sbin/pgbouncer'
  const pooler = spawn(existsSync(installed) ? installed : 'pgbouncer', [file], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  pooler.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<void>((resolve) => pooler.once('exit', () => resolve()))
  while (!(await listens(port))) {
    if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}\n${output}`)
    await delay(20)
  }
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
