// Runs a real PostgreSQL for a test: a new cluster in a temporary folder, on a free port.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPostgres } from '#tests/helpers/tools.ts'

export interface Cluster {
  port: number
  folder: string
  /** Connection string of a database of this cluster. */
  url(database?: string): string
  createDatabase(name: string, template?: string): Promise<string>
  /** Runs a statement over a new connection to the database `postgres`, which no test uses. */
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  start(): Promise<void>
  isRunning(): boolean
  /** `immediate` is a crash: nothing is flushed, and the next start replays the WAL. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** kill -9 of the postmaster and its child processes. */
  kill(): Promise<void>
  remove(): Promise<void>
}

export function postgresBinary(name: string): string {
  const folder = findPostgres()
  if (!folder) throw new Error('PostgreSQL was not found, neither on this system nor as an npm package')
  return join(folder, name)
}

/**
 * The user that runs PostgreSQL, which refuses to run as root: `postgres` where the system has installed it, otherwise
 * `nobody`.
 */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const user = ['postgres:', 'nobody:'].map((name) => users.find((line) => line.startsWith(name))).find(Boolean)
  const [, , uid, gid] = user?.split(':').map(Number) ?? []
  if (uid === undefined || gid === undefined) throw new Error('neither postgres nor nobody is a user of this system')
  return { uid, gid }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Uses a given folder as it is: a test may have mounted a small disk there. */
export async function createCluster(
  settings: Record<string, string> = {},
  folder = unprivilegedFolder('mobiliza-pg-'),
): Promise<Cluster> {
  execFileSync(
    postgresBinary('initdb'),
    ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    { ...unprivileged(), cwd: folder, stdio: 'ignore' },
  )
  return runCluster(folder, settings)
}

/** A temporary folder that the unprivileged user may write to. */
export function unprivilegedFolder(prefix: string): string {
  return chownToUnprivileged(mkdtempSync(join(tmpdir(), prefix)))
}

export function chownToUnprivileged(folder: string): string {
  const { uid, gid } = unprivileged()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

/** Runs the cluster in `data` of the folder. initdb created it, or it is a copy of another cluster. */
export async function runCluster(folder: string, settings: Record<string, string>): Promise<Cluster> {
  const data = join(folder, 'data')
  const options = { ...unprivileged(), cwd: folder, stdio: 'ignore' } as const
  const port = await freePort()
  const allSettings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    ...settings,
  }
  const flags = Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let postmaster: ChildProcess | undefined

  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`
  const isRunning = () => postmaster?.exitCode === null && postmaster.signalCode === null
  const ended = () =>
    new Promise<void>((resolve) => {
      if (isRunning()) postmaster?.once('exit', () => resolve())
      else resolve()
    })

  const cluster: Cluster = {
    port,
    folder,
    url,
    async createDatabase(name, template = 'template1') {
      await cluster.query(`create database "${name}" template "${template}"`)
      return url(name)
    },
    query: (text) => rowsOf(url(), text),
    isRunning,
    async start() {
      postmaster = spawn(postgresBinary('postgres'), ['-D', data, ...flags], options)
      for (;;) {
        try {
          await cluster.query('select 1')
          return
        } catch (error) {
          if (postmaster.exitCode !== null)
            throw new Error(`postgres ended with ${postmaster.exitCode}`, { cause: error })
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
    },
    async stop(mode = 'fast') {
      postmaster?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await ended()
    },
    async kill() {
      if (isRunning() && postmaster?.pid) killWithChildren(postmaster.pid)
      await ended()
    },
    async remove() {
      await cluster.stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await cluster.start()
  return cluster
}

/** Each backend has its own process group, so backends are found by their parent, which is stopped meanwhile. */
function killWithChildren(parent: number): void {
  process.kill(parent, 'SIGSTOP')
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean)
  for (const pid of [parent, ...children.map(Number)]) process.kill(pid, 'SIGKILL')
}

export async function rowsOf<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return rows
  } finally {
    await client.end()
  }
}
