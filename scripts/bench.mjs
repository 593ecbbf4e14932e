// npm run bench, npm run lighthouse: prepares the project, then measures.
import { node, prepare, requireTools } from './prepare.mjs'
import { endWith, run } from './run.mjs'

try {
  await prepare('en', 'everything')
  await requireTools()
  const [first, ...rest] = process.argv.slice(2)
  const program =
    first === 'lighthouse' ? ['bench/lighthouse.ts', ...rest] : ['bench/main.ts', ...process.argv.slice(2)]
  await run(node, ['--disable-warning=ExperimentalWarning', ...program], {
    live: true,
    env: { NODE_ENV: 'production' },
  })
} catch (error) {
  endWith(error)
}
