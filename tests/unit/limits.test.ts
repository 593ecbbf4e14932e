// Fair limits: what a crowd may do, what one program may not, and who counts as one.
import { describe, expect, test } from 'vitest'
import { createAllowance } from '#server/core/allowance.ts'
import { createLimits, networkOf } from '#server/core/limits.ts'

describe('an allowance', () => {
  test('is used up, and fills again by itself up to its capacity', () => {
    let ms = 0
    const { take } = createAllowance({ capacity: 3, perSecond: 1, now: () => ms })
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([true, true, true, false])
    expect(take('b')).toBe(true)
    ms = 1_000
    expect([take('a'), take('a')]).toEqual([true, false])
    ms = 1_000_000
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([true, true, true, false])
  })

  test('gets back one token at a time', () => {
    const { take, giveBack } = createAllowance({ capacity: 3, perSecond: 0, now: () => 0 })
    expect([take('a'), take('a'), take('a')]).toEqual([true, true, true])
    giveBack('a')
    expect([take('a'), take('a')]).toEqual([true, false])
  })

  test('never owes: who asks for more than is left does not wait longer for it', () => {
    let ms = 0
    const { take } = createAllowance({ capacity: 10, perSecond: 1, now: () => ms })
    expect(take('a', 1_000)).toBe(false)
    ms = 1_000
    expect(take('a')).toBe(true)
  })

  test('is not kept empty by requests that it refuses', () => {
    let ms = 0
    const { take } = createAllowance({ capacity: 10, perSecond: 20, now: () => ms })
    let admitted = 0
    for (ms = 0; ms < 10_000; ms += 20) admitted += take('a') ? 1 : 0
    expect(admitted).toBeGreaterThanOrEqual(200)
  })

  test('has a bucket of its own for nearly every key, and never more buckets', () => {
    const { take } = createAllowance({ capacity: 1, perSecond: 0, now: () => 0 })
    const alone = Array.from({ length: 2_000 }, (_, key) => take(`fulano-${key}@example.org`)).filter(Boolean)
    expect(alone.length).toBeGreaterThan(1_900)
    for (let key = 0; key < 2_000_000; key++) take(`beltrano-${key}@example.org`)
    expect(take('fulana@example.org')).toBe(false)
  })
})

describe('addresses', () => {
  const admitted = (limits: ReturnType<typeof createLimits>, address: string, requests: number) =>
    Array.from({ length: requests }, () => limits.admitAddress(address)).filter(Boolean).length

  test('five thousand people at one moment may share an IPv4 address, a program may not go on for ever', () => {
    const limits = createLimits(() => 0)
    expect(admitted(limits, '203.0.113.7', 5_000)).toBe(5_000)
    expect(admitted(limits, '203.0.113.7', 50_000)).toBe(1_000)
    expect(admitted(limits, '203.0.113.8', 10)).toBe(10)
  })

  test('a form that was refused costs those behind the same address nothing', () => {
    const limits = createLimits(() => 0)
    for (const address of ['203.0.113.7', '2001:db8:1:2::1'])
      for (let refusals = 0; refusals < 50_000; refusals++) {
        expect(limits.admitAddress(address)).toBe(true)
        limits.giveBack(address)
      }
    expect(admitted(limits, '203.0.113.7', 6_001)).toBe(6_000)
    expect(admitted(limits, '2001:db8:1:2::1', 601)).toBe(600)
  })

  test('a token that is given back never makes more than the capacity', () => {
    const limits = createLimits(() => 0)
    for (let times = 0; times < 100; times++) limits.giveBack('203.0.113.7')
    expect(admitted(limits, '203.0.113.7', 6_001)).toBe(6_000)
  })

  test('one attacker with valid forms at 50 a second for an hour leaves room for a thousand people in five minutes', () => {
    let ms = 0
    const limits = createLimits(() => ms)
    let people = 0
    for (let step = 0; step < 3_600 * 50; step++) {
      ms = step * 20
      limits.admitAddress('203.0.113.7')
      if (step % 15 === 0) expect(limits.admitAddress('203.0.113.7')).toBe(true)
      if (step % 15 === 0) people += 1
    }
    expect(people).toBe(12_000)
  })

  test('an IPv6 /48 is limited like one shared IPv4 address, however many /64 send, and the next /48 does not notice', () => {
    const limits = createLimits(() => 0)
    const network = (n: number) => `2001:db8:7:${n.toString(16)}::1`
    const seen = Array.from({ length: 20_000 }, (_, n) => limits.admitAddress(network(n)))
    expect(seen.filter(Boolean)).toHaveLength(6_000)
    expect(limits.admitAddress('2001:db8:8:1::1')).toBe(true)
    // What the /48 refused was not taken from the /64.
    limits.giveBack(network(0))
    expect(limits.admitAddress(network(19_999))).toBe(true)
  })

  test('requests that the /48 refuses use up nothing of their /64', () => {
    let ms = 0
    const limits = createLimits(() => ms)
    const network = (n: number) => `2001:db8:7:${n.toString(16)}::1`
    for (let n = 0; n < 6_000; n++) limits.admitAddress(network(n))
    expect(admitted(limits, network(0xffff), 600)).toBe(0)
    ms = 1_000
    expect(admitted(limits, network(0xffff), 100)).toBe(60)
  })

  test('all /64 of a /48 share its guesses and rendered refusals', () => {
    const limits = createLimits(() => 0)
    const count = (admit: (address: string) => boolean) =>
      Array.from({ length: 5_000 }, (_, n) => admit(`2001:db8:7:${n.toString(16)}::1`)).filter(Boolean).length
    expect(count(limits.admitGuess)).toBe(1_000)
    expect(count(limits.admitRendering)).toBe(200)
  })

  test('guessed secrets and rendered refusals have limits of their own', () => {
    const limits = createLimits(() => 0)
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
        createLimits(() => 0),
        address,
        20_000,
      ),
    ).toBe(20_000)
  })

  test.each(['172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '11.0.0.1', '192.169.0.1'])(
    '%s is anybody',
    (address) => {
      expect(networkOf(address)).toBe(address)
    },
  )
})

test('one mailbox is not hammered, and the next one does not notice', () => {
  const limits = createLimits(() => 0)
  const tries = Array.from({ length: 1_000 }, () => limits.admitMailbox('fulano@example.org'))
  expect(tries.filter(Boolean)).toHaveLength(300)
  expect(limits.admitMailbox('beltrano@example.org')).toBe(true)
})
