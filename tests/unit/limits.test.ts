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

  test('never owes: who asks for more than is left does not wait longer for it', () => {
    let ms = 0
    const { take } = createAllowance({ capacity: 10, perSecond: 1, now: () => ms })
    expect(take('a', 1_000)).toBe(false)
    ms = 1_000
    expect(take('a')).toBe(true)
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

  test('what was refused counts for more than what was accepted', () => {
    const limits = createLimits(() => 0)
    for (let refusals = 0; refusals < 1_200; refusals++) limits.noteRefusal('203.0.113.7')
    expect(limits.admitAddress('203.0.113.7')).toBe(false)
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
