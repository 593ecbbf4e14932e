// npm test, npm run test:full: checks types and style, runs the test suites and prints a summary.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { evaluateAudit, readAllowed } from '#tests/audit.ts'
import { engineDependentFiles } from '#tests/engine-dependent-files.ts'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { missingTools } from '#tests/helpers/tools.ts'
import {
  addSummaries,
  countListed,
  type ExcludedTests,
  emptySummary,
  readBrowser,
  readVitest,
  type Summary,
} from '#tests/reports.ts'

const usage = `npm test                        the quick suite
npm test -- tests/http/x.test.ts  only these files or folders
npm run test:http               only the HTTP tests of the quick suite
npm run test:e2e                only the browser tests of the quick suite
npm run test:audit              only known vulnerabilities and base images
npm run test:full               everything
npm run test:full -- --shard 1/3  a third of it
npm run test:full -- --rest     only the tests that the quick suite leaves out
npm run test:watch              reruns unit and HTTP tests after every change
npm run test:coverage           reports which lines of src/ the tests run`

const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'test-results')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    only: { type: 'string' },
    shard: { type: 'string' },
    watch: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

interface Part {
  title: string
  run(): Promise<Summary>
}

interface VitestOptions {
  files?: string[]
  excluded?: ExcludedTests
}

/** A check counts as one test. */
async function check(title: string, program: string, args: string[]): Promise<Summary> {
  const { code, output } = await execute(bin(program), args)
  if (code === 0) return { ...emptySummary, passed: 1 }
  process.stdout.write(output)
  return { ...emptySummary, failed: 1, failures: [title] }
}

const tagFilters = { slow: '!slow', others: 'slow' }

function vitest(title: string, projects: string[], { files = [], excluded }: VitestOptions = {}): Part {
  return {
    title,
    async run() {
      const report = reportOf(title)
      const { code } = await execute(
        bin('vitest'),
        [
          'run',
          '--reporter=dot',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...projects.flatMap((project) => ['--project', project]),
          ...(excluded ? [`--tags-filter=${tagFilters[excluded]}`] : []),
          ...(options.coverage ? ['--coverage'] : []),
          ...shard(),
          ...files,
        ],
        'inherit',
      )
      return checkExitCode(title, code, readVitest(report, root, excluded))
    },
  }
}

function browser(title: string, suite: 'quick' | 'rest' | 'all', files: string[] = []): Part {
  const env = { BROWSER_SUITE: suite }
  return {
    title,
    async run() {
      const { code } = await execute(bin('playwright'), ['test', ...shard(), ...files], 'inherit', env)
      return checkExitCode(title, code, readBrowser(join(results, 'e2e.json')))
    },
  }
}

/** A part that cannot run because a tool is missing. */
function skipped(title: string, tool: string, count: () => Promise<number>): Part {
  return {
    title,
    async run() {
      const tests = await count()
      process.stdout.write(`  skipped: ${tool} was not found, ${tests} tests did not run\n`)
      return { ...emptySummary, skipped: tests }
    },
  }
}

/** A runner that exits with an error but reports no failed test counts as one failure. */
function checkExitCode(title: string, code: number | null, summary: Summary): Summary {
  if (code === 0 || summary.failed > 0) return summary
  return addSummaries(summary, {
    ...emptySummary,
    failed: 1,
    failures: summary.failures.length > 0 ? [] : [`${title}: exit code ${code}`],
  })
}

const reportOf = (title: string) => join(results, `${title.replace(/\W+/g, '-')}.json`)
const shard = () => (options.shard ? [`--shard=${options.shard}`] : [])

/** `inherit` writes the output of the program to the terminal; `capture` returns it. */
function execute(
  command: string,
  args: string[],
  output: 'inherit' | 'capture' = 'capture',
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', ...env },
      stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, captured] = ['', '']
    child.stdout?.on('data', (chunk) => (stdout += chunk))
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (captured += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, output: captured }))
  })
}

/** Also prepares the data that tests start from. The three run in parallel because each of them leaves a core idle. */
const checks: Part = {
  title: 'types, lint and format',
  async run() {
    const results = await Promise.all([
      check('types', 'tsc', ['-p', '.']),
      check('lint and format', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
      prepareData().then(
        () => emptySummary,
        (error) => ({ ...emptySummary, failed: 1, failures: [`data to start from: ${error}`] }),
      ),
    ])
    return results.reduce(addSummaries)
  },
}

/** Known vulnerabilities of the packages. A registry that does not answer is reported as a skipped test. */
const audit: Part = {
  title: 'known vulnerabilities',
  async run() {
    const allowed = readAllowed(readFileSync(join(root, 'tests/audit-allowed.json'), 'utf8'))
    // Offline, npm would report success.
    const { stdout } = await execute('npm', ['audit', '--json', '--no-offline', '--include=dev'])
    const result = evaluateAudit({ output: stdout, allowed, today: new Date().toISOString().slice(0, 10) })
    if (result.kind === 'no-answer') {
      process.stdout.write(`  skipped: the registry does not answer audit requests (${result.reason})\n`)
      return { ...emptySummary, skipped: 1 }
    }
    if (result.kind === 'failed') return { ...emptySummary, failed: 1, failures: [`npm audit: ${result.reason}`] }
    for (const note of result.notes) process.stdout.write(`  ${note}\n`)
    const failures = result.problems.map((problem) => `known vulnerability: ${problem}`)
    return { ...emptySummary, passed: failures.length === 0 ? 1 : 0, failed: failures.length, failures }
  },
}

/** A base image without a digest can be replaced by its registry. */
const baseImages: Part = {
  title: 'base images',
  async run() {
    const { code, output } = await execute(process.execPath, ['scripts/images.mjs'])
    if (code === 0) return { ...emptySummary, passed: 1 }
    return { ...emptySummary, failed: 1, failures: [`base images: ${output}  to pin them: npm run images -- --pin`] }
  },
}

/** Once, not in each shard. */
const supplyChain = () => (options.shard === undefined || options.shard.startsWith('1/') ? [audit, baseImages] : [])

const quickProjects = ['unit', 'http-embedded', 'http-postgres']

function plan(): Part[] {
  const missing = missingTools()
  if (options.only && !['http', 'e2e', 'audit'].includes(options.only))
    throw new Error('--only is followed by http, e2e or audit')
  if (options.only === 'audit') return [audit, baseImages]
  if (paths.length > 0) return planForPaths(paths)
  if (options.coverage) return [vitest('unit and HTTP', ['unit', 'http-embedded'])]
  const isFullRun = options.full || options.rest
  // A full run must not skip tests because a tool is missing.
  if (isFullRun && missing.length > 0) {
    throw new Error(`test:full needs ${missing.join(', ')}, which this system lacks. On Debian: npm run setup:debian`)
  }
  // `npm run test:full -- --rest` sets both `full` and `rest`.
  if (options.rest) {
    return [
      ...supplyChain(),
      vitest('slow tests', quickProjects, { excluded: 'others' }),
      vitest('HTTP on PostgreSQL, chaos', ['http-postgres-rest', 'chaos']),
      browser('browser', 'rest'),
    ]
  }
  if (options.full) {
    return [checks, ...supplyChain(), vitest('unit, HTTP, chaos', []), browser('browser', 'all')]
  }
  const isIncluded = (suite: 'http' | 'e2e') => options.only === undefined || options.only === suite
  const hasPostgres = !missing.includes('PostgreSQL')
  const projects = quickProjects
    .filter((project) => options.only === undefined || project.startsWith('http'))
    .filter((project) => hasPostgres || project !== 'http-postgres')
  const fast = vitest('unit and HTTP', projects, { excluded: 'slow' })
  const withoutPostgres = skipped('HTTP on PostgreSQL', 'PostgreSQL', async () =>
    // The report of the embedded engine has the same files.
    readVitest(reportOf('unit and HTTP'), root, 'slow')
      .files.filter(({ file }) => engineDependentFiles.includes(file))
      .reduce((sum, { tests }) => sum + tests, 0),
  )
  const withoutBrowser = skipped('browser', 'Chromium', async () => {
    const list = ['test', '--list', '--reporter=json']
    const { stdout } = await execute(bin('playwright'), list, 'capture', { BROWSER_SUITE: 'quick' })
    return countListed(stdout)
  })
  const inBrowser = missing.includes('Chromium') ? withoutBrowser : browser('browser', 'quick')
  return [
    ...(options.only === undefined ? [checks] : []),
    ...(isIncluded('http') ? [fast, ...(hasPostgres ? [] : [withoutPostgres])] : []),
    ...(isIncluded('e2e') ? [inBrowser] : []),
  ]
}

function planForPaths(paths: string[]): Part[] {
  const specs = paths.filter((path) => path.includes('e2e'))
  const tests = paths.filter((path) => !path.includes('e2e'))
  return [
    ...(tests.length > 0 ? [vitest('unit, HTTP, chaos', [], { files: tests })] : []),
    ...(specs.length > 0 ? [browser('browser', 'all', specs)] : []),
  ]
}

async function main(): Promise<number> {
  if (options.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (options.watch) {
    const { code } = await execute(
      bin('vitest'),
      ['--project', 'unit', '--project', 'http-embedded', ...paths],
      'inherit',
    )
    return code ?? 1
  }
  const started = Date.now()
  const parts = plan()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results)
  let sum = emptySummary
  for (const { title, run } of parts) {
    const since = Date.now()
    process.stdout.write(`… ${title}\n`)
    const summary = await run()
    process.stdout.write(`${summary.failed > 0 ? '✗' : '✓'} ${title} ${seconds(since)} s\n`)
    sum = addSummaries(sum, summary)
  }
  const slowest = sum.files.sort((a, b) => b.seconds - a.seconds).slice(0, 15)
  if (slowest.length > 1) process.stdout.write('\nSlowest files:\n')
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`)
  // Failures are repeated at the end: the output of the runner is thousands of lines above.
  for (const failure of sum.failures) process.stdout.write(`\n✗ ${failure.replaceAll('\n', '\n  ')}\n`)
  process.stdout.write(`\nDone in ${seconds(started)} s\n`)
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`)
  return sum.failed > 0 ? 1 : 0
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000)

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
