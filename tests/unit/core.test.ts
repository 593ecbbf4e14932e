// Small parts that others stand on: addresses, passwords, last known values, the log, encodings.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { canonicalEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { lastKnown } from '#server/core/last-known.ts'
import { createLog } from '#server/core/log.ts'
import { hashPassword, passwordMatches, randomPassword } from '#server/core/passwords.ts'
import { isTransient } from '#server/db/database.ts'
import { sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'
import { chooseEncoding } from '#server/http/encoding.ts'
import { seed } from '#tests/helpers/chance.ts'

test.each([
  ['Fulano.De.Tal+peticao@GMAIL.com', 'fulanodetal@gmail.com'],
  ['fulano@googlemail.com', 'fulano@gmail.com'],
  ['fulano.tal+x@outlook.com', 'fulano.tal@outlook.com'],
  ['fulano.tal+x@example.org', 'fulano.tal+x@example.org'],
  ['+@gmail.com', '+@gmail.com'],
])('the mailbox of %s is %s', (email, canonical) => {
  expect(canonicalEmail(email)).toBe(canonical)
  expect(canonicalEmail(canonical)).toBe(canonical)
})

test.each([
  ['fulano.tal+x@example.org', 'fulano.tal@example.org'],
  ['fulano+x+y@example.org', 'fulano@example.org'],
  ['fulano@example.org', 'fulano@example.org'],
  ['+x@example.org', '+x@example.org'],
])('the e-mail quota and news consent of %s go by %s', (canonical, mailbox) => {
  expect(mailboxOf(canonical)).toBe(mailbox)
  expect(mailboxOf(mailbox)).toBe(mailbox)
})

describe('passwords', () => {
  test('match themselves and nothing else, and are stored unreadable', async () => {
    const stored = await hashPassword('correta-e-comprida')
    expect(stored).not.toContain('correta')
    expect(stored.length).toBeLessThanOrEqual(255)
    expect(await passwordMatches('correta-e-comprida', stored)).toBe(true)
    expect(await passwordMatches('errada', stored)).toBe(false)
    expect(await passwordMatches('qualquer', 'rubbish')).toBe(false)
  })

  test('made ones differ', () => {
    expect(new Set(Array.from({ length: 100 }, randomPassword)).size).toBe(100)
  })
})

describe('a last known value', () => {
  test('is read once for many who ask together, and again after its period', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let reads = 0
    const value = lastKnown(async () => ++reads, { periodMs: 30, onFailure: () => {} })
    expect(await Promise.all([value.get(), value.get(), value.get()])).toEqual([1, 1, 1])
    vi.advanceTimersByTime(29)
    expect(await value.get()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await Promise.all([value.get(), value.get()])).toEqual([2, 2])
  })

  test('survives a failure to read, which is reported', async () => {
    const failures: unknown[] = []
    let broken = false
    const value = lastKnown(
      async () => {
        if (broken) throw new Error('away')
        return 'known'
      },
      { periodMs: 0, onFailure: (error) => failures.push(error) },
    )
    expect(await value.get()).toBe('known')
    broken = true
    expect(await value.get()).toBe('known')
    expect(failures).toHaveLength(1)
  })

  test('is served while a newer one does not arrive', async () => {
    let hangs = false
    const value = lastKnown(() => (hangs ? new Promise<string>(() => {}) : Promise.resolve('known')), {
      periodMs: 0,
      patienceMs: 5,
      onFailure: () => {},
    })
    await value.get()
    hangs = true
    expect(await Promise.all([value.get(), value.get()])).toEqual(['known', 'known'])
    expect(await value.get()).toBe('known')
  })

  test('is read anew for who wants it younger than the period', async () => {
    let reads = 0
    const value = lastKnown(async () => ++reads, { periodMs: 60_000, onFailure: () => {} })
    expect([await value.get(), await value.get(), await value.get(0)]).toEqual([1, 1, 2])
  })

  test('is waited for by who must have it fresh, while others are served the last one', async () => {
    const readings: ((value: string) => void)[] = []
    const value = lastKnown(() => new Promise<string>((resolve) => readings.push(resolve)), {
      periodMs: 0,
      patienceMs: 5,
      onFailure: () => {},
    })
    const first = value.get()
    readings[0]?.('version 1')
    await first
    expect(await value.get()).toBe('version 1')
    expect(await value.get(60_000)).toBe('version 1')

    // The reading under way began when nobody had asked: what happened since may be missing from it.
    const fresh = Promise.all([value.fresh(0), value.fresh(0)])
    readings[1]?.('version 1')
    await expect.poll(() => readings.length).toBe(3)
    readings[2]?.('version 2')

    expect(await fresh).toEqual(['version 2', 'version 2'])
    expect(readings).toHaveLength(3)
  })

  test('is not served to who must have it fresh when reading fails', async () => {
    let broken = false
    const value = lastKnown(async () => (broken ? Promise.reject(new Error('away')) : 'known'), {
      periodMs: 0,
      onFailure: () => {},
    })
    await value.get()
    broken = true
    await expect(value.fresh(0)).rejects.toThrow('away')
    expect(await value.get()).toBe('known')
    broken = false
    expect(await value.fresh(0)).toBe('known')
  })

  test('is given up when the failure says that it is no longer true', async () => {
    let gone: Error | undefined
    const value = lastKnown(
      async () => {
        if (gone) throw gone
        return 'known'
      },
      { periodMs: 0, onFailure: () => {}, isFinal: (error) => (error as Error).message === 'gone' },
    )
    await value.get()
    gone = new Error('away')
    expect(await value.get()).toBe('known')
    gone = new Error('gone')
    await expect(value.get()).rejects.toThrow('gone')
    gone = new Error('away')
    await expect(value.get()).rejects.toThrow('away')
  })

  test('that was expired is read anew, and a reading begun before that is not kept', async () => {
    const readings: ((value: string) => void)[] = []
    const value = lastKnown(() => new Promise<string>((resolve) => readings.push(resolve)), {
      periodMs: 60_000,
      onFailure: () => {},
    })
    const first = value.get()
    value.expire()
    const second = value.get()
    readings[1]?.('new')
    expect(await second).toBe('new')
    readings[0]?.('old')
    expect(await first).toBe('old')
    expect(await value.get()).toBe('new')
    expect(readings).toHaveLength(2)
  })

  test('that was never known fails as the reading did', async () => {
    const value = lastKnown(() => Promise.reject(new Error('away')), { periodMs: 0, onFailure: () => {} })
    await expect(value.get()).rejects.toThrow('away')
  })
})

test('the log tells the code of a database error and not the values it quotes', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const error = Object.assign(new Error('duplicate key (email)=(fulano@example.org)'), {
    code: '23505',
    severity: 'ERROR',
    detail: 'Key (email)=(fulano@example.org) already exists.',
    constraint: 'peticoes_pessoa',
  })
  log.error({ err: error }, 'unexpected failure')
  log.error({ err: new Error('outer fulano@example.org', { cause: error }) }, 'unexpected failure')
  // A text of several lines can look like the place of an error.
  log.error({ err: new Error('params: a\n    at Rua de fulano, 1', { cause: error }) }, 'unexpected failure')
  expect(lines.join('')).not.toContain('fulano')
  expect(lines.join('')).toContain('23505')
  expect(lines.join('')).toContain('peticoes_pessoa')
})

test.each([
  [{ code: '57P01' }, true],
  [{ code: '08006' }, true],
  [{ code: '53100' }, true],
  [{ code: 'ECONNREFUSED' }, true],
  [{ code: 'ENOTFOUND' }, true],
  [{ code: 'EAI_AGAIN' }, true],
  [{ code: 'EHOSTUNREACH' }, true],
  [{ message: 'timeout expired' }, true],
  [{ message: 'Connection terminated unexpectedly' }, true],
  [{ message: 'Failed query', cause: Object.assign(new Error('x'), { code: '40P01' }) }, true],
  [{ code: 'XX000', severity: 'FATAL' }, true],
  [{ code: 'XX000', severity: 'ERROR' }, false],
  [{ code: '23505' }, false],
  [{ code: '22021' }, false],
])('%j passes by itself: %s', (fields, passing) => {
  expect(isTransient(Object.assign(new Error('x'), fields))).toBe(passing)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['identity', 'identity'],
  [undefined, 'identity'],
  ['*', 'identity'],
])('who accepts %s gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test('a cleaned manifesto stays as it is when cleaned again', () => {
  const dirty =
    '<h2 style="x">a</h2><p>b <a href="https://example.org" onclick="x">c</a></p><iframe></iframe><svg onload=x>'
  const clean = sanitizeManifesto(dirty)
  expect(clean).toBe('<h2>a</h2><p>b <a href="https://example.org">c</a></p>')
  expect(sanitizeManifesto(clean)).toBe(clean)
})

const digest = 'a'.repeat(64)

test.each([
  ['<a href="https://example.org/">x</a>', '<a href="https://example.org/">x</a>'],
  ['<a href="mailto:fulana@example.org">x</a>', '<a href="mailto:fulana@example.org">x</a>'],
  ['<a href="http://example.org/">x</a>', '<a>x</a>'],
  ['<a href="//example.org/">x</a>', '<a>x</a>'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
  [`<img src="/media/${digest}.webp" />`, `<img src="/media/${digest}.webp" />`],
  [`<img src="https://example.org/media/${digest}.webp" />`, ''],
  [`<img src="//example.org/media/${digest}.webp" />`, ''],
  [`<img src="/media/${digest}.webp/x" />`, ''],
])('of %s a manifesto keeps %s', (html, clean) => {
  expect(sanitizeManifesto(html)).toBe(clean)
})

test('whatever is cleaned stays as it is when cleaned again', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<h2 class="a">',
        '</h2>',
        '<ul><li>',
        '</ul>',
        '<a href="https://example.org?a=1&b=2">',
        '</a>',
      ],
      ...[
        '<b>',
        '<table><tr><td>',
        '<script>',
        '</script>',
        '<!--',
        '-->',
        '<![CDATA[',
        '&nbsp;',
        '&lt;',
        '&',
        '<',
        '"',
        '<br>',
      ],
      `<img src="/media/${'a'.repeat(64)}.webp" alt="a &quot;b&quot;">`,
      '<img src=x>',
      '<style>',
      '<textarea>',
      '<svg><title>',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const clean = sanitizeManifesto(pieces.join(''))
      expect(sanitizeManifesto(clean)).toBe(clean)
    }),
    { numRuns: 2_000, seed },
  )
})
