// npm run bench, npm run lighthouse: prepares what is missing, then measures.
import { node, prepare } from './prepare.mjs'
import { endWith, run } from './run.mjs'
import { ensureTools } from './tools.mjs'

try {
  await prepare('en', 'everything')
  await ensureTools()
  const [what = 'main'] = process.argv.slice(2)
  await run(node, ['--disable-warning=ExperimentalWarning', `bench/${what}.ts`], {
    live: true,
    env: { NODE_ENV: 'production' },
  })
} catch (error) {
  endWith(error)
}
