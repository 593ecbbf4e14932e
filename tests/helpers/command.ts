// The commands beside the server, run as the operator runs them.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ServerSettings } from '#tests/helpers/server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  code: number | null
  output: string
}

export function run(
  command: 'backup' | 'restore' | 'password',
  { dataDir = '', env = {} }: ServerSettings,
  ...words: string[]
): Promise<Ended> {
  const { PATH = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `src/server/${command}.ts`, ...words],
    {
      cwd: root,
      env: { PATH, DATA_DIR: dataDir, ...env },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
