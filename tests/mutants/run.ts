// npm run mutants: applies one change at a time to a copy of the project and counts the changes that tests detect.
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { prepareData } from '#tests/helpers/prepared-data.ts'
import { mutants } from '#tests/mutants/list.ts'
import { type Area, areas, type Mutant } from '#tests/mutants/mutation.ts'
import { readVitest } from '#tests/reports.ts'

const usage = `npm run mutants                       all mutants
npm run mutants -- outbox             the mutants of an area: ${areas.join(', ')}
npm run mutants -- core/passwords.ts    the mutants of a file or folder of src/server
npm run mutants -- 'pauses do not grow' one mutant, by its description
  --skip-baseline                     do not run the tests on the unchanged code first
  --verbose                           print the test output of each mutant that was not killed`

const root = fileURLToPath(new URL('../..', import.meta.url))
const copiedPaths = ['src', 'tests', 'scripts', 'package.json', 'tsconfig.json', 'vite.config.ts', 'vitest.config.ts']
const linkedPaths = ['node_modules', 'dist']
const requiredShare = 0.95
const timeoutMs = 300_000

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    'skip-baseline': { type: 'boolean' },
    verbose: { type: 'boolean' },
  },
})

/** A timeout is "timed out", which counts as killed, if the mutant is expected to hang; otherwise it is "survived". */
type Verdict = 'killed' | 'timed out' | 'survived' | 'invalid'

interface Outcome {
  mutant: Mutant
  verdict: Verdict
  /** The test that failed, or what is wrong with the mutant. */
  reason: string
  output: string
}

interface Execution {
  code: number | null
  timedOut: boolean
  output: string
}

const folder = mkdtempSync(join(tmpdir(), 'mobiliza-mutants-'))
const report = join(folder, 'report.json')
/** The data that tests start from, prepared with the unchanged sources. */
const preparedData = dirname((await prepareData()).folder)
const pathOf = ({ file }: Mutant) => join(folder, 'src/server', file)
let running: ChildProcess | undefined

function execute(command: string, args: string[]): Promise<Execution> {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_ENV: 'test', PREPARED_DATA: preparedData }
    // In its own process group, so that its workers are killed with it.
    const child = spawn(command, args, { cwd: folder, env, detached: true })
    let output = ''
    let timedOut = false
    const collect = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    running = child
    const timer = setTimeout(() => {
      timedOut = true
      endRunning()
    }, timeoutMs)
    child.on('close', (code) => {
      clearTimeout(timer)
      running = undefined
      resolve({ code, timedOut, output })
    })
  })
}

function endRunning(): void {
  if (running?.pid) process.kill(-running.pid, 'SIGKILL')
}

const projectOf = (file: string, engine?: Mutant['engine']) =>
  file.startsWith('tests/unit/') ? 'unit' : `http-${engine ?? 'embedded'}`

function runTests({ tests, title, engine }: Pick<Mutant, 'tests' | 'title' | 'engine'>, ...flags: string[]) {
  rmSync(report, { force: true })
  const projects = [...new Set(tests.map((file) => projectOf(file, engine)))].flatMap((name) => ['--project', name])
  const only = title ? ['-t', title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')] : []
  const output = ['--reporter=json', `--outputFile=${report}`, '--reporter=default']
  const args = ['run', ...projects, '--maxWorkers=1', ...flags, ...only, ...output, ...tests]
  return execute('node_modules/.bin/vitest', args)
}

/** A module that cannot be loaded fails every test, which does not show that the tests detect the change. */
async function loadingProblem(path: string): Promise<string | undefined> {
  const load = `await import(${JSON.stringify(path)})`
  const { code, output } = await execute(process.execPath, ['--no-warnings', '--input-type=module', '-e', load])
  return code === 0 ? undefined : `it cannot be loaded: ${output.trim().split('\n').slice(0, 6).join(' ')}`
}

async function testMutant(mutant: Mutant, original: string): Promise<Omit<Outcome, 'mutant'>> {
  const found = original.split(mutant.find).length - 1
  if (found !== 1) return { verdict: 'invalid', reason: `its text occurs ${found} times`, output: '' }
  writeFileSync(
    pathOf(mutant),
    original.replace(mutant.find, () => mutant.replace),
  )
  const { code, timedOut, output } = await runTests(mutant, '--bail=1')
  const verdictOfHang: Verdict = mutant.mayHang ? 'timed out' : 'survived'
  if (timedOut) return { verdict: verdictOfHang, reason: 'no end within the limit', output }
  const { passed, failed, failures } = readVitest(report, folder)
  const [failure] = failures
  const problem = code !== 0 && failed === 0 ? await loadingProblem(pathOf(mutant)) : undefined
  if (problem) return { verdict: 'invalid', reason: problem, output }
  const verdict = failure && /(Test|Hook) timed out in/.test(failure) ? verdictOfHang : 'killed'
  if (failure) return { verdict, reason: failure.split('\n', 2).join(': '), output }
  if (code !== 0) return { verdict: 'invalid', reason: 'the run failed without a failing test', output }
  if (passed === 0) return { verdict: 'invalid', reason: 'no test was run', output }
  return { verdict: 'survived', reason: '', output }
}

async function examine(mutant: Mutant): Promise<Outcome> {
  const path = pathOf(mutant)
  const original = existsSync(path) ? readFileSync(path, 'utf8') : ''
  try {
    return { mutant, ...(await testMutant(mutant, original)) }
  } finally {
    if (original) writeFileSync(path, original)
  }
}

/** Without this check, a test that fails anyway would seem to detect every mutant. */
async function baselineFails(selected: Mutant[]): Promise<boolean> {
  const byEngine = Map.groupBy(selected, ({ engine }) => engine)
  for (const [engine, group] of byEngine) {
    const tests = [...new Set(group.flatMap(({ tests }) => tests))]
    const { code, output } = await runTests({ tests, ...(engine && { engine }) })
    if (code !== 0) {
      process.stdout.write(`${output}\nThe tests fail without any change.\n`)
      return true
    }
  }
  return false
}

function tableOf(outcomes: Outcome[]): string {
  const verdicts: Verdict[] = ['killed', 'timed out', 'survived', 'invalid']
  const row = (name: string, of: Outcome[]) => [
    name,
    String(of.length),
    ...verdicts.map((verdict) => String(of.filter((outcome) => outcome.verdict === verdict).length)),
  ]
  const byArea = areas.map((area) => row(area, ofArea(outcomes, area))).filter(([, count]) => count !== '0')
  const lines = [['area', 'mutants', ...verdicts], ...byArea, row('total', outcomes)]
  return lines
    .map(([name = '', ...cells]) => name.padEnd(12) + cells.map((cell) => cell.padStart(10)).join(''))
    .join('\n')
}

const ofArea = (outcomes: Outcome[], area: Area) => outcomes.filter(({ mutant }) => mutant.area === area)

const isArea = (text: string) => areas.some((area) => area === text)

function selectMutants(): Mutant[] {
  if (positionals.length === 0) return mutants
  const paths = positionals.map((given) => given.replace(/^src\/server\//, ''))
  return mutants.filter(({ area, file, change }) =>
    paths.some((path) => (isArea(path) ? path === area : file.startsWith(path) || change === path)),
  )
}

async function main(): Promise<number> {
  const selected = selectMutants()
  if (options.help || selected.length === 0) {
    process.stdout.write(`${usage}\n`)
    return options.help ? 0 : 1
  }
  for (const part of copiedPaths) cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const part of linkedPaths) symlinkSync(join(root, part), join(folder, part))
  if (!options['skip-baseline'] && (await baselineFails(selected))) return 1
  const outcomes: Outcome[] = []
  for (const [index, mutant] of selected.entries()) {
    const since = Date.now()
    const outcome = await examine(mutant)
    outcomes.push(outcome)
    const { verdict, reason, output } = outcome
    const seconds = Math.round((Date.now() - since) / 1000)
    const label = `${index + 1}/${selected.length} ${mutant.file}: ${mutant.change}`
    process.stdout.write(`${verdict.padEnd(9)} ${label} (${seconds} s)\n${reason && `          ${reason}\n`}`)
    if (options.verbose && verdict !== 'killed') process.stdout.write(`${output}\n`)
  }
  const killed = outcomes.filter(({ verdict }) => verdict === 'killed' || verdict === 'timed out').length
  const invalid = outcomes.filter(({ verdict }) => verdict === 'invalid').length
  const survived = outcomes.length - killed - invalid
  process.stdout.write(`\n${tableOf(outcomes)}\n\n`)
  if (invalid > 0) process.stdout.write(`${invalid} invalid\n`)
  process.stdout.write(`${outcomes.length} mutants, ${killed} killed, ${survived} survived\n`)
  return invalid > 0 || killed / outcomes.length < requiredShare ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endRunning()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })
}
try {
  process.exitCode = await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
