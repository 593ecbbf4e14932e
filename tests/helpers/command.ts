import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ServerSettings } from '#tests/helpers/server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandResult {
  code: number | null
  output: string
}

export function run(
  command: 'backup' | 'restore' | 'password' | 'migrate' | 'verify-audit' | 'rotate-key',
  { dataDir = '', env = {} }: ServerSettings,
  ...args: string[]
): Promise<CommandResult> {
  const { PATH = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', `src/server/${command}.ts`, ...args],
    {
      cwd: root,
      env: { PATH, DATA_DIR: dataDir, ...env },
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
