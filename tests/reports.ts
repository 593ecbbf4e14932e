// What the two test runners wrote about a run: how many tests passed, which failed and why, how long each file took.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface Summary {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  /** Seconds by file. */
  files: { file: string; seconds: number; tests: number }[]
}

export const nothing: Summary = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] }

export function add(one: Summary, other: Summary): Summary {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
    files: [...one.files, ...other.files],
  }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; tags: string[]; failureMessages: string[] }[]
  }[]
}

/** Which tests a run leaves out on purpose. Another part of the suite runs them: they do not count as skipped. */
export type LeftOut = 'slow' | 'others' | undefined

export function readVitest(file: string, root: string, leftOut?: LeftOut): Summary {
  const report = read<VitestReport>(file)
  if (!report) return nothing
  const belongs = ({ tags }: { tags: string[] }) =>
    leftOut === undefined || tags.includes('slow') === (leftOut === 'others')
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.testResults
      .flatMap(({ assertionResults }) => assertionResults.filter(belongs))
      .filter(({ status }) => status === 'skipped').length,
    failures: report.testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      // A file that could not be loaded, or whose site could not be started or closed.
      if (message && failed.length === 0) return [told(relative(root, name), [message])]
      return failed.map(({ fullName, failureMessages }) =>
        told(`${relative(root, name)}: ${fullName}`, failureMessages),
      )
    }),
    files: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.filter(belongs).length,
    })),
  }
}

interface BrowserTest {
  results: { duration: number; errors: { message: string }[]; attachments: { name: string; path?: string }[] }[]
}

interface BrowserSuite {
  specs?: { ok: boolean; file: string; line: number; title: string; tests: BrowserTest[] }[]
  suites?: BrowserSuite[]
}

interface BrowserReport extends BrowserSuite {
  errors: { message: string }[]
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

export function readBrowser(file: string): Summary {
  const report = read<BrowserReport>(file)
  if (!report) return nothing
  const specs = specsOf(report)
  const seconds = new Map<string, { seconds: number; tests: number }>()
  for (const { file, tests } of specs) {
    const known = seconds.get(file) ?? { seconds: 0, tests: 0 }
    const spent = tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000))
    seconds.set(file, {
      seconds: known.seconds + spent.reduce((sum, each) => sum + each, 0),
      tests: known.tests + tests.length,
    })
  }
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
    failures: [
      ...specs.filter(({ ok }) => !ok).map(browserFailure),
      // A spec that does not load, a site that does not start.
      ...report.errors.map(({ message }) => firstLines(message, 12)),
    ],
    files: [...seconds].map(([file, spent]) => ({ file: `tests/e2e/${file}`, ...spent })),
  }
}

/** How many tests `playwright test --list` names. */
export const countListed = (listed: string): number => specsOf(JSON.parse(listed) as BrowserReport).length

function specsOf({ specs = [], suites = [] }: BrowserSuite): NonNullable<BrowserSuite['specs']> {
  return [...specs, ...suites.flatMap(specsOf)]
}

function browserFailure({ file, line, title, tests }: NonNullable<BrowserSuite['specs']>[number]): string {
  const results = tests.flatMap((test) => test.results)
  const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message))
  return told(`tests/e2e/${file}:${line} ${title}`, messages, results.map(pageShown))
}

/** What was on the page when the test gave up: on a machine that is gone nobody can look again. */
function pageShown({ attachments }: BrowserTest['results'][number]): string {
  const { path } = attachments.find(({ name }) => name === 'error-context') ?? {}
  if (!path || !existsSync(path)) return ''
  const [, snapshot = ''] = /# Page snapshot\s+```\w*\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8')) ?? []
  return firstLines(snapshot, 140)
}

function told(name: string, messages: string[], shown: string[] = []): string {
  return [firstLines([name, ...messages].join('\n'), 12), ...shown].join('\n')
}

function firstLines(text: string, most: number): string {
  return text.split('\n').slice(0, most).join('\n')
}

function read<Report>(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined
}
