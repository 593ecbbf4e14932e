// npm run mutants: prepares what is missing, then runs tests/mutants/run.ts on the project's own Node.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { node, prepare } from './prepare.mjs'
import { endWith, root } from './run.mjs'

try {
  await prepare('en', 'everything')
} catch (error) {
  endWith(error)
}
const mutants = spawn(
  node,
  ['--disable-warning=ExperimentalWarning', 'tests/mutants/run.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
    stdio: 'inherit',
  },
)
mutants.on('exit', (code) => process.exit(code ?? 1))
