// npm test, test:full, test:watch, test:coverage: prepares what is missing, then runs tests/run.ts on the project's own Node.
import { prepareAndRun } from './prepare.mjs'

await prepareAndRun('tests/run.ts')
