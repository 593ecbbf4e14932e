// npm run bench: prepares what is missing, then measures with the project's own Node.
import { node, prepare } from './prepare.mjs'
import { endWith, run } from './run.mjs'

try {
  await prepare('en')
  await run(node, ['--disable-warning=ExperimentalWarning', 'bench/main.ts'], {
    live: true,
    env: { NODE_ENV: 'production' },
  })
} catch (error) {
  endWith(error)
}
