// Child processes of the benchmark: reference servers and the load generator.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { postgresBinary } from '#tests/helpers/postgres.ts'
import type { Burst, BurstOutcome, Job } from './load.ts'
import type { Stream, StreamOutcome } from './streams.ts'

const node = { execArgv: ['--disable-warning=ExperimentalWarning'] }
const benchFile = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The next message of the process; rejects if the process ends first. */
function nextMessage<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${name} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}

export interface BenchProcess {
  pid: number
  stop(): Promise<void>
}

export interface BenchServer extends BenchProcess {
  url: string
}

function start(name: string, env: Record<string, string>): BenchProcess & { child: ChildProcess } {
  const child = fork(benchFile(name), { ...node, env: { NODE_ENV: 'production', ...env } })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    child,
    pid: child.pid ?? 0,
    stop() {
      child.kill()
      return exited
    },
  }
}

/** Starts a server of this folder, which sends its port when it listens. */
export async function startBenchServer(name: string, env: Record<string, string> = {}): Promise<BenchServer> {
  const { child, ...server } = start(name, env)
  return { ...server, url: `http://127.0.0.1:${await nextMessage<number>(child, name)}` }
}

export interface Load extends BenchProcess {
  burst(burst: Burst): Promise<BurstOutcome>
  streams(streams: Stream[]): Promise<StreamOutcome[]>
}

/** Starts the load generator as a process, so that it shares no thread with a server. It runs one job at a time. */
export function startLoad(): Load {
  const { child, ...generator } = start('./load.ts', {})
  const runJob = <T>(job: Job): Promise<T> => {
    child.send(job)
    return nextMessage<T>(child, 'load generator')
  }
  return {
    ...generator,
    burst: (burst) => runJob({ burst }),
    streams: (streams) => runJob({ streams }),
  }
}

/** Inserts single rows into `peticoes` with pgbench. Returns rows per second. */
export async function runPgbench(databaseUrl: string, seconds: number): Promise<number> {
  const flags = `--no-vacuum --protocol=prepared --client=64 --jobs=2 --time=${Math.ceil(seconds)} --define=n=0`
  const { stdout } = await promisify(execFile)(postgresBinary('pgbench'), [
    ...flags.split(' '),
    `--file=${benchFile('./single-insert.sql')}`,
    databaseUrl,
  ])
  const [, perSecond] = /^tps = ([\d.]+) \(without/m.exec(stdout) ?? []
  if (!perSecond || !/failed transactions: 0 /.test(stdout)) throw new Error(`pgbench:\n${stdout}`)
  return Number(perSecond)
}
