// Rate limits: many people behind one address are admitted, one program is limited.
import { describe, expect, test } from 'vitest'
import { createRateLimits, networkOf } from '#server/http/admission/rate-limits.ts'
import { createTokenBuckets } from '#server/http/admission/token-bucket.ts'

describe('a token bucket', () => {
  test('empties, and refills up to its capacity', () => {
    let ms = 0
    const { take } = createTokenBuckets({ capacity: 3, perSecond: 1, now: () => ms })
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([true, true, true, false])
    expect(take('b')).toBe(true)
    ms = 1_000
    expect([take('a'), take('a')]).toEqual([true, false])
    ms = 1_000_000
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([true, true, true, false])
  })

  test('takes back one token per refund', () => {
    const { take, refund } = createTokenBuckets({ capacity: 3, perSecond: 0, now: () => 0 })
    expect([take('a'), take('a'), take('a')]).toEqual([true, true, true])
    refund('a')
    expect([take('a'), take('a')]).toEqual([true, false])
  })

  test('takes nothing when too few tokens are left', () => {
    let ms = 0
    const { take } = createTokenBuckets({ capacity: 10, perSecond: 1, now: () => ms })
    expect(take('a', 1_000)).toBe(false)
    ms = 1_000
    expect(take('a')).toBe(true)
  })

  test('is not kept empty by refused requests', () => {
    let ms = 0
    const { take } = createTokenBuckets({ capacity: 10, perSecond: 20, now: () => ms })
    let admitted = 0
    for (ms = 0; ms < 10_000; ms += 20) admitted += take('a') ? 1 : 0
    expect(admitted).toBeGreaterThanOrEqual(200)
  })

  test('is separate for nearly every key, and the number of buckets is fixed', () => {
    const { take } = createTokenBuckets({ capacity: 1, perSecond: 0, now: () => 0 })
    const alone = Array.from({ length: 2_000 }, (_, key) => take(`fulano-${key}@example.org`)).filter(Boolean)
    expect(alone.length).toBeGreaterThan(1_900)
    for (let key = 0; key < 2_000_000; key++) take(`beltrano-${key}@example.org`)
    expect(take('fulana@example.org')).toBe(false)
  })
})

describe('addresses', () => {
  const admitted = (limits: ReturnType<typeof createRateLimits>, address: string, requests: number) =>
    Array.from({ length: requests }, () => limits.admitAddress(address)).filter(Boolean).length

  test('5,000 people may sign from one IPv4 address at once, a program is limited', () => {
    const limits = createRateLimits(() => 0)
    expect(admitted(limits, '203.0.113.7', 5_000)).toBe(5_000)
    expect(admitted(limits, '203.0.113.7', 50_000)).toBe(1_000)
    expect(admitted(limits, '203.0.113.8', 10)).toBe(10)
  })

  test('a refused form takes no token from others behind the same address', () => {
    const limits = createRateLimits(() => 0)
    for (const address of ['203.0.113.7', '2001:db8:1:2::1'])
      for (let refusals = 0; refusals < 50_000; refusals++) {
        expect(limits.admitAddress(address)).toBe(true)
        limits.refund(address)
      }
    expect(admitted(limits, '203.0.113.7', 6_001)).toBe(6_000)
    expect(admitted(limits, '2001:db8:1:2::1', 601)).toBe(600)
  })

  test('a refund never exceeds the capacity', () => {
    const limits = createRateLimits(() => 0)
    for (let times = 0; times < 100; times++) limits.refund('203.0.113.7')
    expect(admitted(limits, '203.0.113.7', 6_001)).toBe(6_000)
  })

  test('after 50 valid forms a second for an hour, 1,000 people can still sign within five minutes', () => {
    let ms = 0
    const limits = createRateLimits(() => ms)
    let people = 0
    for (let step = 0; step < 3_600 * 50; step++) {
      ms = step * 20
      limits.admitAddress('203.0.113.7')
      if (step % 15 === 0) expect(limits.admitAddress('203.0.113.7')).toBe(true)
      if (step % 15 === 0) people += 1
    }
    expect(people).toBe(12_000)
  })

  test('an IPv6 /48 is limited like one shared IPv4 address, and the next /48 is not affected', () => {
    const limits = createRateLimits(() => 0)
    const network = (n: number) => `2001:db8:7:${n.toString(16)}::1`
    const seen = Array.from({ length: 20_000 }, (_, n) => limits.admitAddress(network(n)))
    expect(seen.filter(Boolean)).toHaveLength(6_000)
    expect(limits.admitAddress('2001:db8:8:1::1')).toBe(true)
    // A request refused by the limit of the /48 takes nothing from its /64.
    limits.refund(network(0))
    expect(limits.admitAddress(network(19_999))).toBe(true)
  })

  test('requests refused by the limit of the /48 take nothing from their /64', () => {
    let ms = 0
    const limits = createRateLimits(() => ms)
    const network = (n: number) => `2001:db8:7:${n.toString(16)}::1`
    for (let n = 0; n < 6_000; n++) limits.admitAddress(network(n))
    expect(admitted(limits, network(0xffff), 600)).toBe(0)
    ms = 1_000
    expect(admitted(limits, network(0xffff), 100)).toBe(60)
  })

  test('all /64 of a /48 share the limits for guesses and rendered refusals', () => {
    const limits = createRateLimits(() => 0)
    const count = (admit: (address: string) => boolean) =>
      Array.from({ length: 5_000 }, (_, n) => admit(`2001:db8:7:${n.toString(16)}::1`)).filter(Boolean).length
    expect(count(limits.admitGuess)).toBe(1_000)
    expect(count(limits.admitRendering)).toBe(200)
  })

  test('guessed secrets and rendered refusals have their own limits', () => {
    const limits = createRateLimits(() => 0)
    const count = (admit: () => boolean) => Array.from({ length: 5_000 }, admit).filter(Boolean).length
    expect(count(() => limits.admitGuess('203.0.113.7'))).toBe(1_000)
    expect(count(() => limits.admitRendering('203.0.113.7'))).toBe(200)
    expect(admitted(limits, '203.0.113.7', 6_000)).toBe(6_000)
  })

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test.each([
    '127.0.0.1',
    '::1',
    '::ffff:10.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.1.1',
    'fd00::1',
    'fe80::1%eth0',
  ])('%s is our own proxy or a neighbour, and stands for nobody', (address) => {
    expect(networkOf(address)).toBeUndefined()
    expect(
      admitted(
        createRateLimits(() => 0),
        address,
        20_000,
      ),
    ).toBe(20_000)
  })

  test('all private addresses share one bucket, as large as that of four hundred public ones', () => {
    let ms = 0
    const limits = createRateLimits(() => ms)
    expect(admitted(limits, '10.0.0.1', 2_200_000)).toBe(2_200_000)
    expect(admitted(limits, 'fd00::1', 400_000)).toBe(200_000)
    // A public address is not affected, and a refused form is given back.
    expect(admitted(limits, '203.0.113.7', 6_000)).toBe(6_000)
    limits.refund('192.168.0.9')
    expect(admitted(limits, '127.0.0.1', 10)).toBe(1)
    ms = 1_000
    expect(admitted(limits, '100.64.0.1', 30_000)).toBe(24_000)
  })

  test('behind a proxy that is not configured, 1,000 people a second are admitted beside 500 requests of a program', () => {
    let ms = 0
    const limits = createRateLimits(() => ms)
    for (let second = 0; second < 600; second++) {
      ms = second * 1_000
      expect(admitted(limits, '172.18.0.2', 1_500)).toBe(1_500)
    }
  })

  test('guesses and rendered refusals of private addresses have coarse limits too', () => {
    const limits = createRateLimits(() => 0)
    const count = (admit: () => boolean) => Array.from({ length: 500_000 }, admit).filter(Boolean).length
    expect(count(() => limits.admitGuess('10.0.0.1'))).toBe(400_000)
    expect(count(() => limits.admitRendering('10.0.0.1'))).toBe(80_000)
  })

  test.each(['172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '11.0.0.1', '192.169.0.1'])(
    '%s is anybody',
    (address) => {
      expect(networkOf(address)).toBe(address)
    },
  )
})

test('forms for one mailbox are limited, those for another are not affected', () => {
  const limits = createRateLimits(() => 0)
  const tries = Array.from({ length: 1_000 }, () => limits.admitMailbox('fulano@example.org'))
  expect(tries.filter(Boolean)).toHaveLength(300)
  expect(limits.admitMailbox('beltrano@example.org')).toBe(true)
})
