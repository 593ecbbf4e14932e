// npm run mutants: prepares what is missing, then runs tests/mutants/run.ts on the project's own Node.
import { prepareAndRun } from './prepare.mjs'

await prepareAndRun('tests/mutants/run.ts')
