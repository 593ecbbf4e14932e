// npm test, test:full, test:watch, test:coverage
import { prepareAndRun } from './prepare.mjs'

await prepareAndRun('tests/run.ts')
