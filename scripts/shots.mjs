// npm run shots: takes a screenshot of every page at phone and desktop width.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, node, prepare, requireTools } from './prepare.mjs'
import { endWith, root, run, step } from './run.mjs'

const folder = 'test-results/pictures'
const env = { PATH: `${join(node, '..')}:${process.env.PATH}`, NODE_ENV: 'test', NO_COLOR: '1', PICTURES: 'on' }

try {
  await prepare('en', 'everything')
  await requireTools()
  await step('every page at 360 and 1280 px', () =>
    run(bin('playwright'), ['test', 'every-page', '--grep', 'is sound'], { env }),
  )
  process.stdout.write(`${readdirSync(join(root, folder)).length} pictures in ${folder}\n`)
} catch (error) {
  endWith(error)
}
