// Small core modules: canonical addresses, passwords, the SWR cache, the log, encodings, the HTML sanitiser.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import { createLog } from '#server/core/log.ts'
import { hashPassword, passwordMatches, randomPassword } from '#server/core/passwords.ts'
import { sanitizeRichText } from '#server/core/rich-text.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import { isTransient } from '#server/db/database.ts'
import { chooseEncoding } from '#server/http/encoding.ts'
import { seed } from '#tests/helpers/random.ts'

test.each([
  ['Fulano.De.Tal+peticao@GMAIL.com', 'fulanodetal@gmail.com'],
  ['fulano@googlemail.com', 'fulano@gmail.com'],
  ['fulano.tal+x@outlook.com', 'fulano.tal@outlook.com'],
  ['fulano.tal+x@example.org', 'fulano.tal+x@example.org'],
  ['+@gmail.com', '+@gmail.com'],
])('the mailbox of %s is %s', (email, canonical) => {
  expect(canonicalizeEmail(email)).toBe(canonical)
  expect(canonicalizeEmail(canonical)).toBe(canonical)
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
  test('match only themselves and are stored as a hash', async () => {
    const stored = await hashPassword('correta-e-comprida')
    expect(stored).not.toContain('correta')
    expect(stored.length).toBeLessThanOrEqual(255)
    expect(await passwordMatches('correta-e-comprida', stored)).toBe(true)
    expect(await passwordMatches('errada', stored)).toBe(false)
    expect(await passwordMatches('qualquer', 'rubbish')).toBe(false)
  })

  test('that are generated differ', () => {
    expect(new Set(Array.from({ length: 100 }, randomPassword)).size).toBe(100)
  })
})

describe('the stale-while-revalidate cache', () => {
  test('reads once for concurrent callers, and again after its period', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let reads = 0
    const cache = createSwrCache(async () => ++reads, { periodMs: 30, onFailure: () => {} })
    expect(await Promise.all([cache.get(), cache.get(), cache.get()])).toEqual([1, 1, 1])
    vi.advanceTimersByTime(29)
    expect(await cache.get()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(await Promise.all([cache.get(), cache.get()])).toEqual([2, 2])
  })

  test('keeps its value when reading fails, and reports the failure', async () => {
    const failures: unknown[] = []
    let broken = false
    const cache = createSwrCache(
      async () => {
        if (broken) throw new Error('away')
        return 'known'
      },
      { periodMs: 0, onFailure: (error) => failures.push(error) },
    )
    expect(await cache.get()).toBe('known')
    broken = true
    expect(await cache.get()).toBe('known')
    expect(failures).toHaveLength(1)
  })

  test('returns the old value while reading hangs', async () => {
    let hangs = false
    const cache = createSwrCache(() => (hangs ? new Promise<string>(() => {}) : Promise.resolve('known')), {
      periodMs: 0,
      maxWaitMs: 5,
      onFailure: () => {},
    })
    await cache.get()
    hangs = true
    expect(await Promise.all([cache.get(), cache.get()])).toEqual(['known', 'known'])
    expect(await cache.get()).toBe('known')
  })

  test('reads again for a caller that requires a younger value', async () => {
    let reads = 0
    const cache = createSwrCache(async () => ++reads, { periodMs: 60_000, onFailure: () => {} })
    expect([await cache.get(), await cache.get(), await cache.get(0)]).toEqual([1, 1, 2])
  })

  test('makes callers of fresh wait for a new value, while others get the old one', async () => {
    const pendingReads: ((value: string) => void)[] = []
    const cache = createSwrCache(() => new Promise<string>((resolve) => pendingReads.push(resolve)), {
      periodMs: 0,
      maxWaitMs: 5,
      onFailure: () => {},
    })
    const first = cache.get()
    pendingReads[0]?.('version 1')
    await first
    expect(await cache.get()).toBe('version 1')
    expect(await cache.get(60_000)).toBe('version 1')

    // The read in progress began before fresh was called, so it may miss later changes.
    const fresh = Promise.all([cache.fresh(0), cache.fresh(0)])
    pendingReads[1]?.('version 1')
    await expect.poll(() => pendingReads.length).toBe(3)
    pendingReads[2]?.('version 2')

    expect(await fresh).toEqual(['version 2', 'version 2'])
    expect(pendingReads).toHaveLength(3)
  })

  test('throws to callers of fresh when reading fails', async () => {
    let broken = false
    const cache = createSwrCache(async () => (broken ? Promise.reject(new Error('away')) : 'known'), {
      periodMs: 0,
      onFailure: () => {},
    })
    await cache.get()
    broken = true
    await expect(cache.fresh(0)).rejects.toThrow('away')
    expect(await cache.get()).toBe('known')
    broken = false
    expect(await cache.fresh(0)).toBe('known')
  })

  test('drops its value when a failure is final', async () => {
    let failure: Error | undefined
    const cache = createSwrCache(
      async () => {
        if (failure) throw failure
        return 'known'
      },
      { periodMs: 0, onFailure: () => {}, isFinal: (error) => (error as Error).message === 'gone' },
    )
    await cache.get()
    failure = new Error('away')
    expect(await cache.get()).toBe('known')
    failure = new Error('gone')
    await expect(cache.get()).rejects.toThrow('gone')
    failure = new Error('away')
    await expect(cache.get()).rejects.toThrow('away')
  })

  test('reads again after expire, and does not keep a read that began before', async () => {
    const pendingReads: ((value: string) => void)[] = []
    const cache = createSwrCache(() => new Promise<string>((resolve) => pendingReads.push(resolve)), {
      periodMs: 60_000,
      onFailure: () => {},
    })
    const first = cache.get()
    cache.expire()
    const second = cache.get()
    pendingReads[1]?.('new')
    expect(await second).toBe('new')
    pendingReads[0]?.('old')
    expect(await first).toBe('old')
    expect(await cache.get()).toBe('new')
    expect(pendingReads).toHaveLength(2)
  })

  test('throws when the first read fails', async () => {
    const cache = createSwrCache(() => Promise.reject(new Error('away')), { periodMs: 0, onFailure: () => {} })
    await expect(cache.get()).rejects.toThrow('away')
  })
})

test('the log contains the code of a database error but not the values in its message', () => {
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
  // A message of several lines can look like a stack trace.
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
])('%j is transient: %s', (fields, expected) => {
  expect(isTransient(Object.assign(new Error('x'), fields))).toBe(expected)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['identity', 'identity'],
  [undefined, 'identity'],
  ['*', 'identity'],
])('for Accept-Encoding %s the encoding is %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test('sanitising a manifesto twice gives the same result', () => {
  const dirty =
    '<h2 style="x">a</h2><p>b <a href="https://example.org" onclick="x">c</a></p><iframe></iframe><svg onload=x>'
  const clean = sanitizeRichText(dirty)
  expect(clean).toBe('<h2>a</h2><p>b <a href="https://example.org">c</a></p>')
  expect(sanitizeRichText(clean)).toBe(clean)
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
])('sanitising %s gives %s', (html, clean) => {
  expect(sanitizeRichText(html)).toBe(clean)
})

test('sanitising any text twice gives the same result', () => {
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
      const clean = sanitizeRichText(pieces.join(''))
      expect(sanitizeRichText(clean)).toBe(clean)
    }),
    { numRuns: 2_000, seed },
  )
})
