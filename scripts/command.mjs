import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { loadEnvFile } from './env-file.mjs'
import { node, prepareBeside } from './prepare.mjs'
import { endWith, root } from './run.mjs'

/** Runs a tool of the server. File arguments are relative to the folder in which the user typed the command. */
export async function runCommand(entry, { takes = 'file' } = {}) {
  try {
    loadEnvFile()
    await prepareBeside('pt')
  } catch (error) {
    endWith(error)
  }
  const workingFolder = process.env.INIT_CWD ?? process.cwd()
  const isFile = (argument) => takes === 'file' && !argument.startsWith('-')
  const args = process.argv.slice(2).map((argument) => (isFile(argument) ? resolve(workingFolder, argument) : argument))
  const command = spawn(node, ['--disable-warning=ExperimentalWarning', entry, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  // A terminal also sends Ctrl+C to the tool. This process waits, because the tool must first undo its unfinished work.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => command.kill('SIGTERM'))
  command.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
