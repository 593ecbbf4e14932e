// npm run dev: runs the server and its pages in one process and reloads both after edits.
import { spawn } from 'node:child_process'
import { loadEnvFile } from './env-file.mjs'
import { checkPort } from './port.mjs'
import { node, prepare } from './prepare.mjs'
import { endWith, root } from './run.mjs'

try {
  loadEnvFile()
  await checkPort()
  await prepare('pt', 'everything')
} catch (error) {
  endWith(error)
}

const args = ['--disable-warning=ExperimentalWarning', 'scripts/dev.ts', ...process.argv.slice(2)]
const dev = spawn(node, args, { cwd: root, stdio: 'inherit' })
process.on('SIGINT', () => {})
process.on('SIGTERM', () => dev.kill('SIGTERM'))
dev.on('exit', (code) => process.exit(code ?? 1))
