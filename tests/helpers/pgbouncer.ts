// Runs a real pgbouncer in transaction mode in front of a cluster.
import { spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cluster, freePort, listens, unprivileged, unprivilegedFolder } from '#tests/helpers/postgres.ts'

export interface Pooler {
  port: number
  url(database: string): string
  /** Replaces files and reloads pgbouncer without closing connections. */
  reload(files: Record<string, string>): void
  stop(): Promise<void>
}

/** Returns the files by name, for a folder and a port to listen on. */
export type Configuration = (folder: string, port: number) => { 'pgbouncer.ini': string } & Record<string, string>

export async function startPgbouncer(cluster: Cluster, configuration = oneSession(cluster)): Promise<Pooler> {
  const folder = unprivilegedFolder('mobiliza-pgbouncer-')
  const port = await freePort()
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o644 })
  }
  write(configuration(folder, port))
  const debianPath = '/usr/sbin/pgbouncer'
  const pooler = spawn(existsSync(debianPath) ? debianPath : 'pgbouncer', [join(folder, 'pgbouncer.ini')], {
    ...unprivileged(),
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
    port,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    reload(files) {
      write(files)
      pooler.kill('SIGHUP')
    },
    async stop() {
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One server session for all clients: a client that relies on session state fails. */
function oneSession(cluster: Cluster): Configuration {
  return (_folder, port) => {
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
    return { 'pgbouncer.ini': `${lines.join('\n')}\n` }
  }
}
