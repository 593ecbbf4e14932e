// Processes of the benchmark's own: servers that stand for something, and the load that is sent to any server.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Load, Outcome } from './load.ts'

const node = { execArgv: ['--disable-warning=ExperimentalWarning'] }
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** What the process tells first; rejects if it ends without a word. */
function firstMessage<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}

export interface BenchServer {
  url: string
  stop(): Promise<void>
}

/** Starts a server of this folder, which tells its port once it listens. */
export async function startBenchServer(name: string, env: Record<string, string> = {}): Promise<BenchServer> {
  const child = fork(file(name), { ...node, env: { NODE_ENV: 'production', ...env } })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await firstMessage<number>(child, name)
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      child.kill()
      return exited
    },
  }
}

/** Sends load from a process of its own, so that server and generator do not share a thread. */
export function sendLoad(load: Load): Promise<Outcome> {
  return firstMessage<Outcome>(fork(file('./load.ts'), [JSON.stringify(load)], node), `load on ${load.url}`)
}
