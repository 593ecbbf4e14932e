// npm run bench: prepares what is missing, then measures.
import { node, prepare } from './prepare.mjs'
import { endWith, run } from './run.mjs'
import { ensureTools } from './tools.mjs'

try {
  await prepare('en', 'everything')
  await ensureTools()
  await run(node, ['--disable-warning=ExperimentalWarning', 'bench/main.ts'], {
    live: true,
    env: { NODE_ENV: 'production' },
  })
} catch (error) {
  endWith(error)
}
