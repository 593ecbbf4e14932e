// The step of test:full that asks for known vulnerabilities. The samples are replies of npm 11.19.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type AllowedAdvisory, evaluateAudit, readAllowed } from '#tests/audit.ts'

const sample = (name: string) => readFileSync(new URL(`audit-samples/${name}.json`, import.meta.url), 'utf8')
const evaluate = (name: string, allowed: AllowedAdvisory[] = [], today = '2026-11-19') =>
  evaluateAudit({ output: sample(name), allowed, today })

const allow = (advisory: string, entry: Partial<AllowedAdvisory> = {}): AllowedAdvisory => ({
  ...{ package: 'minimist', advisory, reason: 'Only reads our own arguments.', expires: '2026-11-19', ...entry },
})
const moderate = 'GHSA-vh95-rmgr-6w4m'
const critical = 'GHSA-xvch-5gv4-984h'

describe('advisories that the registry reports', () => {
  test('fail, once each, with package, range, title, severity and address', () => {
    expect(evaluate('vulnerable')).toEqual({
      kind: 'answered',
      problems: [
        `minimist <0.2.1: Prototype Pollution in minimist (moderate, https://github.com/advisories/${moderate})`,
        `minimist <0.2.4: Prototype Pollution in minimist (critical, https://github.com/advisories/${critical})`,
      ],
      notes: [],
    })
  })

  test('pass when all are allowed', () => {
    expect(evaluate('vulnerable', [allow(moderate), allow(critical)])).toEqual({
      ...{ kind: 'answered', problems: [], notes: [] },
    })
  })

  test.each([
    ['another advisory of the package is allowed', [allow(moderate)], critical],
    [
      'the advisory is allowed for another package',
      [allow(moderate), allow(critical, { package: 'mkdirp' })],
      critical,
    ],
  ])('fail when %s', (_, allowed, missing) => {
    expect(evaluate('vulnerable', allowed)).toMatchObject({ problems: [expect.stringContaining(missing)] })
  })

  test('fail from the day after the entry expires', () => {
    const allowed = [allow(moderate), allow(critical, { expires: '2026-12-31' })]
    expect(evaluate('vulnerable', allowed, '2026-11-20')).toMatchObject({
      problems: [expect.stringMatching(`${moderate}.*allowed until 2026-11-19 only$`)],
    })
  })

  test('fail when the report names a package but no advisory', () => {
    const output = sample('vulnerable').replace(/"via": \[\s*\{.*?\n {6}\]/s, '"via": ["mkdirp"]')
    expect(evaluateAudit({ output, allowed: [], today: '2026-11-19' })).toMatchObject({
      problems: ['vulnerable without an advisory: minimist, mkdirp'],
    })
  })
})

test('an entry that is no longer needed is named, and does not fail', () => {
  expect(evaluate('nothing-known')).toEqual({ kind: 'answered', problems: [], notes: [] })
  expect(evaluate('nothing-known', [allow(moderate)])).toEqual({
    kind: 'answered',
    problems: [],
    notes: [`minimist ${moderate} is allowed, but no longer reported: remove the entry`],
  })
})

test.each([
  ['method-not-allowed', '405 Method Not Allowed'],
  ['connection-refused', 'ECONNREFUSED'],
  ['unknown-host', 'ENOTFOUND'],
])('a registry that does not answer (%s) is neither success nor failure', (name, reason) => {
  expect(evaluate(name, [allow(moderate)])).toEqual({ kind: 'no-answer', reason: expect.stringContaining(reason) })
})

test('a failure of npm itself, or a reply of an unknown form, is a failure', () => {
  expect(evaluate('no-lock-file')).toEqual({ kind: 'failed', reason: expect.stringContaining('lockfile') })
  const of = (output: string) => evaluateAudit({ output, allowed: [], today: '2026-11-19' }).kind
  expect(['', 'null', '[]', '{}', '{"auditReportVersion":3,"vulnerabilities":{}}', 'not JSON'].map(of)).toEqual(
    Array(6).fill('failed'),
  )
})

describe('the list of allowed advisories', () => {
  test('of this project can be read', () => {
    expect(() => readAllowed(readFileSync(new URL('../audit-allowed.json', import.meta.url), 'utf8'))).not.toThrow()
  })

  test.each<[string, object]>([
    ['no reason', { reason: '' }],
    ['no expiry date', { expires: undefined }],
    ['an expiry date that is none', { expires: '2026-13-01' }],
    ['no advisory', { advisory: '*' }],
    ['no package', { package: '' }],
    ['an unknown field', { severity: 'low' }],
  ])('is refused when an entry has %s', (_, change) => {
    expect(() => readAllowed(JSON.stringify([{ ...allow(moderate), ...change }]))).toThrow()
  })
})
