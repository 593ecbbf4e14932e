// Runs the real server as a separate process with its own data folder, which a test can stop or kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#tests/helpers/postgres.ts'

export const dataKey = 'WVjRhmxhLSjG+FOm7A8lNjvbAgvt9g/SIv6k7zQz+vs='
const ownRoot = fileURLToPath(new URL('../..', import.meta.url))

export interface ServerProcess {
  url: string
  port: number
  dataDir: string
  process: ChildProcess
  /** The output so far, both streams. */
  output(): string
  /** Resolves with the exit code. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

export interface ServerSettings {
  env?: Record<string, string>
  dataDir?: string
  port?: number
  /** The folder of another checkout. */
  root?: string
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'mobiliza-'))
}

/** Starts the server and waits until it prints its address. A failed start rejects with the output. */
export async function startServer({
  env = {},
  dataDir = temporaryFolder(),
  port,
  root = ownRoot,
}: ServerSettings = {}): Promise<ServerProcess> {
  const chosenPort = port ?? (await freePort())
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/server/main.ts'], {
    cwd: root,
    env: {
      PATH,
      HOME,
      NODE_ENV: 'production',
      MALLOC_MMAP_THRESHOLD_: '131072',
      HOST: '127.0.0.1',
      PORT: String(chosenPort),
      DATA_DIR: dataDir,
      DATA_KEY: dataKey,
      // Queued deliveries stay in the queue, so that tests can count them, unless a test is about delivery.
      DELIVERIES: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Mobiliza no ar')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`server ended with ${code}\n${output}`)))
  })
  return {
    url: `http://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    dataDir,
    process: child,
    output: () => output,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
