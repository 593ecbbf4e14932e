// Runs a command of the server with what was typed after it.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { node, prepareBeside } from './prepare.mjs'
import { endWith, root } from './run.mjs'

/** Files are those of the folder the command was typed in. */
export async function runCommand(entry, { takes = 'file' } = {}) {
  try {
    loadEnvFile()
    await prepareBeside('pt')
  } catch (error) {
    endWith(error)
  }
  const typedIn = process.env.INIT_CWD ?? process.cwd()
  const isFile = (word) => takes === 'file' && !word.startsWith('-')
  const args = process.argv.slice(2).map((word) => (isFile(word) ? resolve(typedIn, word) : word))
  const command = spawn(node, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  // Ctrl+C reaches the command by itself; it must take back what it began before this process ends.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => command.kill('SIGTERM'))
  command.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
