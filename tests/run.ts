// npm test, npm run test:full: checks types and style, runs the suites, and ends with a line that sums them up.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { engineDependentFiles } from '#tests/engine-dependent-files.ts'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { missingTools } from '#tests/helpers/tools.ts'
import { add, countListed, type LeftOut, nothing, readBrowser, readVitest, type Summary } from '#tests/reports.ts'

const usage = `npm test                        the quick suite
npm test -- tests/http/x.test.ts  these files, or folders
npm run test:full               everything
npm run test:full -- --shard 1/3  a third of it
npm run test:full -- --rest     what the quick suite leaves out
npm run test:watch              unit and HTTP tests again after every change
npm run test:coverage           which lines of src/ they run`

const root = fileURLToPath(new URL('..', import.meta.url))
const results = join(root, 'test-results')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const { values: chosen, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
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

interface VitestChoice {
  files?: string[]
  leftOut?: LeftOut
}

/** Counts as one test: it passes or fails as a whole. */
async function check(title: string, program: string, args: string[]): Promise<Summary> {
  const { code, output } = await execute(bin(program), args)
  if (code === 0) return { ...nothing, passed: 1 }
  process.stdout.write(output)
  return { ...nothing, failed: 1, failures: [title] }
}

const filters = { slow: '!slow', others: 'slow' }

function vitest(title: string, projects: string[], { files = [], leftOut }: VitestChoice = {}): Part {
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
          ...(leftOut ? [`--tags-filter=${filters[leftOut]}`] : []),
          ...(chosen.coverage ? ['--coverage'] : []),
          ...shard(),
          ...files,
        ],
        'shown',
      )
      return orFailure(title, code, readVitest(report, root, leftOut))
    },
  }
}

function browser(title: string, suite: 'quick' | 'rest' | 'all', files: string[] = []): Part {
  const env = { BROWSER_SUITE: suite }
  return {
    title,
    async run() {
      const { code } = await execute(bin('playwright'), ['test', ...shard(), ...files], 'shown', env)
      return orFailure(title, code, readBrowser(join(results, 'e2e.json')))
    },
  }
}

/** A part that cannot run here. */
function skipped(title: string, tool: string, count: () => Promise<number>): Part {
  return {
    title,
    async run() {
      const tests = await count()
      process.stdout.write(`  skipped: ${tool} was not found, ${tests} tests did not run\n`)
      return { ...nothing, skipped: tests }
    },
  }
}

/** A runner that ended badly without a failed test failed all the same. */
function orFailure(title: string, code: number | null, summary: Summary): Summary {
  if (code === 0 || summary.failed > 0) return summary
  return add(summary, {
    ...nothing,
    failed: 1,
    failures: summary.failures.length > 0 ? [] : [`${title}: exit code ${code}`],
  })
}

const reportOf = (title: string) => join(results, `${title.replace(/\W+/g, '-')}.json`)
const shard = () => (chosen.shard ? [`--shard=${chosen.shard}`] : [])

/** `shown` prints what the program prints; otherwise it is kept. */
function execute(
  command: string,
  args: string[],
  output: 'shown' | 'kept' = 'kept',
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', ...env },
      stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, kept] = ['', '']
    child.stdout?.on('data', (chunk) => (stdout += chunk))
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (kept += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, output: kept }))
  })
}

/** With the data that tests start from, which is made meanwhile: alone, each of these leaves a core idle. */
const checks: Part = {
  title: 'types, lint and format',
  async run() {
    const results = await Promise.all([
      check('types', 'tsc', ['-p', '.']),
      check('lint and format', 'biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
      prepareData().then(
        () => nothing,
        (error) => ({ ...nothing, failed: 1, failures: [`data to start from: ${error}`] }),
      ),
    ])
    return results.reduce(add)
  },
}

const quickProjects = ['unit', 'http-embedded', 'http-postgres']

function plan(): Part[] {
  const missing = missingTools()
  if (paths.length > 0) return planOf(paths)
  if (chosen.coverage) return [vitest('unit and HTTP', ['unit', 'http-embedded'])]
  const wholeRun = chosen.full || chosen.rest
  // What is asked for in full is not half done in silence.
  if (wholeRun && missing.length > 0) {
    throw new Error(`test:full needs ${missing.join(', ')}, which this system lacks. On Debian: npm run setup:debian`)
  }
  // `npm run test:full -- --rest` has both.
  if (chosen.rest) {
    return [
      vitest('slow tests', quickProjects, { leftOut: 'others' }),
      vitest('HTTP on PostgreSQL, chaos', ['http-postgres-rest', 'chaos']),
      browser('browser', 'rest'),
    ]
  }
  if (chosen.full) {
    return [checks, vitest('unit, HTTP, chaos', []), browser('browser', 'all')]
  }
  const hasPostgres = !missing.includes('PostgreSQL')
  const projects = quickProjects.filter((project) => hasPostgres || project !== 'http-postgres')
  const fast = vitest('unit and HTTP', projects, { leftOut: 'slow' })
  const withoutPostgres = skipped('HTTP on PostgreSQL', 'PostgreSQL', async () =>
    // The same files ran on the embedded engine.
    readVitest(reportOf('unit and HTTP'), root, 'slow')
      .files.filter(({ file }) => engineDependentFiles.includes(file))
      .reduce((sum, { tests }) => sum + tests, 0),
  )
  const withoutBrowser = skipped('browser', 'Chromium', async () => {
    const list = ['test', '--list', '--reporter=json']
    const { stdout } = await execute(bin('playwright'), list, 'kept', { BROWSER_SUITE: 'quick' })
    return countListed(stdout)
  })
  return [
    checks,
    fast,
    ...(hasPostgres ? [] : [withoutPostgres]),
    missing.includes('Chromium') ? withoutBrowser : browser('browser', 'quick'),
  ]
}

function planOf(paths: string[]): Part[] {
  const specs = paths.filter((path) => path.includes('e2e'))
  const tests = paths.filter((path) => !path.includes('e2e'))
  return [
    ...(tests.length > 0 ? [vitest('unit, HTTP, chaos', [], { files: tests })] : []),
    ...(specs.length > 0 ? [browser('browser', 'all', specs)] : []),
  ]
}

async function main(): Promise<number> {
  if (chosen.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (chosen.watch) {
    const { code } = await execute(
      bin('vitest'),
      ['--project', 'unit', '--project', 'http-embedded', ...paths],
      'shown',
    )
    return code ?? 1
  }
  const started = Date.now()
  const parts = plan()
  rmSync(results, { recursive: true, force: true })
  mkdirSync(results)
  let sum = nothing
  for (const { title, run } of parts) {
    const since = Date.now()
    process.stdout.write(`… ${title}\n`)
    const summary = await run()
    process.stdout.write(`${summary.failed > 0 ? '✗' : '✓'} ${title} ${seconds(since)} s\n`)
    sum = add(sum, summary)
  }
  const slowest = sum.files.sort((a, b) => b.seconds - a.seconds).slice(0, 15)
  if (slowest.length > 1) process.stdout.write('\nSlowest files:\n')
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`)
  // Told once more at the end: by then what was printed at the time is thousands of lines away.
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
