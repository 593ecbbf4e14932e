// npm test: everything there is to check, from types to a browser, ending with one line that sums it up.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin, node, prepare } from './prepare.mjs'
import { endWith, root, run, step } from './run.mjs'
import { ensureTools } from './tools.mjs'

const results = join(root, 'test-results')
const started = Date.now()

try {
  await prepare('en', 'everything')
  await ensureTools()
} catch (error) {
  endWith(error)
}
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

const env = { PATH: `${join(node, '..')}:${process.env.PATH}`, NODE_ENV: 'test', FORCE_COLOR: '0' }
const report = join(results, 'vitest.json')
const steps = [
  ['types', () => run(bin('tsc'), ['-p', '.'])],
  ['lint and format', () => run(bin('biome'), ['ci', '--colors=off', '--error-on-warnings', '.'])],
  [
    'unit, HTTP on both engines, chaos',
    () =>
      run(bin('vitest'), ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`], {
        env,
        live: true,
      }),
  ],
  ['browser', () => run(bin('playwright'), ['test'], { env, live: true })],
]

let passed = 0
let failed = 0
for (const [title, work] of steps) {
  try {
    await step(title, work)
    passed += 1
  } catch (error) {
    failed += 1
    process.stderr.write(`${error.message}\n`)
  }
}

const unit = read(report)
const seen = read(join(results, 'e2e.json'))
const browser = seen?.stats
passed += (unit?.numPassedTests ?? 0) + (browser?.expected ?? 0)
failed += (unit?.numFailedTests ?? 0) + (browser?.unexpected ?? 0)
const skipped = (unit?.numPendingTests ?? 0) + (browser?.skipped ?? 0)

for (const failure of [...failuresOf(unit), ...browserFailuresOf(seen), ...outsideTests(seen)])
  process.stdout.write(`\n✗ ${failure.replaceAll('\n', '\n  ')}\n`)
process.stdout.write(`\nDone in ${Math.round((Date.now() - started) / 1000)} s\n`)
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`)
process.exit(failed > 0 ? 1 : 0)

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Told once more at the end: by then what was printed at the time is thousands of lines away. */
function failuresOf(report) {
  return (report?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (message && failed.length === 0) return [told(name, [message])]
    return failed.map(({ fullName, failureMessages }) => told(`${name}: ${fullName}`, failureMessages))
  })
}

/** A spec that does not load, a site that does not start. */
function outsideTests(report) {
  return (report?.errors ?? []).map(({ message }) => firstLines(message, 12))
}

function browserFailuresOf(part) {
  const own = (part?.specs ?? []).flatMap(({ ok, file, line, title, tests }) => {
    const results = tests.flatMap((test) => test.results)
    const said = results.flatMap(({ errors }) => errors.map(({ message }) => message))
    return ok ? [] : [told(`${file}:${line} ${title}`, said, results.map(pageShown))]
  })
  return [...own, ...(part?.suites ?? []).flatMap(browserFailuresOf)]
}

function told(name, said, shown = []) {
  return [firstLines([name, ...said].join('\n'), 12), ...shown].join('\n')
}

/** What was on the page when the test gave up: on a machine that is gone nobody can look again. */
function pageShown({ attachments }) {
  const { path } = attachments.find(({ name }) => name === 'error-context') ?? {}
  if (!path || !existsSync(path)) return ''
  const [, snapshot = ''] = /# Page snapshot\s+```\w*\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8')) ?? []
  return firstLines(snapshot, 140)
}

function firstLines(text, most) {
  return text.split('\n').slice(0, most).join('\n')
}
