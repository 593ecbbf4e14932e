// npm run mutants
import { prepareAndRun } from './prepare.mjs'

await prepareAndRun('tests/mutants/run.ts')
