// Reads the reports of vitest and Playwright: number of tests, failures with their reasons, duration of each file.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface Summary {
  passed: number
  failed: number
  skipped: number
  failures: string[]
  /** Duration and number of tests by file. */
  files: { file: string; seconds: number; tests: number }[]
}

export const emptySummary: Summary = { passed: 0, failed: 0, skipped: 0, failures: [], files: [] }

export function addSummaries(one: Summary, other: Summary): Summary {
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

/** Tests that a run excludes because another part of the suite runs them. They do not count as skipped. */
export type ExcludedTests = 'slow' | 'others' | undefined

export function readVitest(file: string, root: string, excluded?: ExcludedTests): Summary {
  const report = read<VitestReport>(file)
  if (!report) return emptySummary
  const isIncluded = ({ tags }: { tags: string[] }) =>
    excluded === undefined || tags.includes('slow') === (excluded === 'others')
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.testResults
      .flatMap(({ assertionResults }) => assertionResults.filter(isIncluded))
      .filter(({ status }) => status === 'skipped').length,
    failures: report.testResults.flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      // The file could not be loaded, or its site could not be started or stopped.
      if (message && failed.length === 0) return [formatFailure(relative(root, name), [message])]
      return failed.map(({ fullName, failureMessages }) =>
        formatFailure(`${relative(root, name)}: ${fullName}`, failureMessages),
      )
    }),
    files: report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.filter(isIncluded).length,
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
  if (!report) return emptySummary
  const specs = specsOf(report)
  const totals = new Map<string, { seconds: number; tests: number }>()
  for (const { file, tests } of specs) {
    const total = totals.get(file) ?? { seconds: 0, tests: 0 }
    const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000))
    totals.set(file, {
      seconds: total.seconds + durations.reduce((sum, each) => sum + each, 0),
      tests: total.tests + tests.length,
    })
  }
  return {
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
    failures: [
      ...specs.filter(({ ok }) => !ok).map(browserFailure),
      // A spec that could not be loaded, or a site that did not start.
      ...report.errors.map(({ message }) => firstLines(message, 12)),
    ],
    files: [...totals].map(([file, total]) => ({ file: `tests/e2e/${file}`, ...total })),
  }
}

/** Counts the tests in the output of `playwright test --list --reporter=json`. */
export const countListed = (listed: string): number => specsOf(JSON.parse(listed) as BrowserReport).length

function specsOf({ specs = [], suites = [] }: BrowserSuite): NonNullable<BrowserSuite['specs']> {
  return [...specs, ...suites.flatMap(specsOf)]
}

function browserFailure({ file, line, title, tests }: NonNullable<BrowserSuite['specs']>[number]): string {
  const results = tests.flatMap((test) => test.results)
  const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message))
  return formatFailure(`tests/e2e/${file}:${line} ${title}`, messages, results.map(pageSnapshot))
}

/** The page content at the time of the failure. A CI machine is deleted after the run, so the report includes it. */
function pageSnapshot({ attachments }: BrowserTest['results'][number]): string {
  const { path } = attachments.find(({ name }) => name === 'error-context') ?? {}
  if (!path || !existsSync(path)) return ''
  const [, snapshot = ''] = /# Page snapshot\s+```\w*\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8')) ?? []
  return firstLines(snapshot, 140)
}

function formatFailure(name: string, messages: string[], snapshots: string[] = []): string {
  return [firstLines([name, ...messages].join('\n'), 12), ...snapshots].join('\n')
}

function firstLines(text: string, maxLines: number): string {
  return text.split('\n').slice(0, maxLines).join('\n')
}

function read<Report>(file: string): Report | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined
}
