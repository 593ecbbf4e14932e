// Guessing passwords is slow; knowing one is not.
import { expect, test } from 'vitest'
import { createLoginPace } from '#server/features/admin/login-pace.ts'

const wrong = async () => undefined
const right = async () => 'token'

function pace() {
  let ms = 0
  const waits: number[] = []
  const { attempt } = createLoginPace({
    now: () => ms,
    wait: async (waitMs) => {
      waits.push(waitMs)
    },
  })
  return { attempt, waits, pass: (seconds: number) => (ms += seconds * 1000) }
}

test('an address that goes on guessing is sent away, and gets another try later', async () => {
  const { attempt, pass } = pace()
  const guess = () => attempt({ username: 'admin', address: '203.0.113.7' }, wrong)
  for (let tries = 0; tries < 20; tries++) expect(await guess()).toBeUndefined()
  await expect(guess()).rejects.toMatchObject({ refusal: 'too-many' })
  pass(6)
  expect(await guess()).toBeUndefined()
})

test('while a thousand addresses guess at a name, who knows its password gets in after a short wait, and later at once', async () => {
  const { attempt, waits } = pace()
  for (let n = 0; n < 1_000; n++)
    await attempt({ username: 'Admin', address: `198.51.${n % 100}.${Math.floor(n / 100)}` }, wrong)
  waits.length = 0

  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  expect(waits).toEqual([4_000])

  for (let n = 0; n < 100; n++) await attempt({ username: 'admin', address: `198.51.200.${n}` }, wrong)
  waits.length = 0
  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  expect(waits).toEqual([])
})

test('a success ends the waits for its name, for strangers too', async () => {
  const { attempt, waits } = pace()
  for (let n = 0; n < 8; n++) await attempt({ username: 'admin', address: `198.51.100.${n}` }, wrong)
  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  waits.length = 0
  await attempt({ username: 'admin', address: '203.0.113.8' }, wrong)
  expect(waits).toEqual([])
})

test('a success from an inner network makes no address of it trusted', async () => {
  const { attempt, waits } = pace()
  expect(await attempt({ username: 'admin', address: '10.0.0.1' }, right)).toBe('token')
  for (let n = 0; n < 8; n++) await attempt({ username: 'admin', address: '10.0.0.2' }, wrong)
  expect(waits).toEqual([250, 500, 1_000])
})

test('a known device has tries of its own, whatever strangers do on its address and with its name', async () => {
  const { attempt, waits } = pace()
  const address = '203.0.113.7'
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => attempt({ username: 'admin', address }, wrong)),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(80)
  waits.length = 0

  const known = { username: 'admin', address, device: 'token' }
  expect(await attempt(known, right)).toBe('token')
  expect(waits).toEqual([])
  for (let tries = 1; tries < 20; tries++) expect(await attempt(known, wrong)).toBeUndefined()
  await expect(attempt(known, right)).rejects.toMatchObject({ refusal: 'too-many' })
})

test('a name that does not exist is slowed like one that does', async () => {
  const { attempt, waits } = pace()
  for (let n = 0; n < 8; n++) await attempt({ username: 'ninguem', address: '127.0.0.1' }, wrong)
  expect(waits).toEqual([250, 500, 1_000])
})

test('a try that ended without a verdict, because the database was away, slows nobody', async () => {
  const { attempt, waits } = pace()
  const away = () => Promise.reject(new Error('away'))
  for (let n = 0; n < 8; n++)
    await expect(attempt({ username: 'admin', address: '203.0.113.7' }, away)).rejects.toThrow('away')
  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  expect(waits).toEqual([])
})

test('those who guess at the same moment are slowed by each other', async () => {
  const { attempt, waits } = pace()
  const guesses = Array.from({ length: 12 }, (_, n) =>
    attempt({ username: 'admin', address: `198.51.100.${n}` }, wrong),
  )
  await Promise.all(guesses)
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
})

test('one IPv6 network among thousands of the same owner gets no tries of its own for ever', async () => {
  const { attempt } = pace()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      attempt({ username: 'admin', address: `2001:db8:7:${n.toString(16)}::1` }, wrong),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
})

test('who has got in before does not stand in line behind strangers', async () => {
  const { attempt } = pace()
  const me = { username: 'admin', address: '203.0.113.7' }
  expect(await attempt(me, right)).toBe('token')
  let letGo = () => {}
  const held = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined)
  })
  const strangers = Array.from({ length: 150 }, (_, n) =>
    attempt({ username: 'admin', address: `198.51.100.${n}` }, () => held),
  )
  expect(await attempt(me, right)).toBe('token')
  letGo()
  await Promise.all(strangers)
})

test('one password of a stranger is checked at a time, the others wait in line, and the line has an end', async () => {
  const { attempt } = pace()
  let checking = 0
  let most = 0
  const slowly = async () => {
    most = Math.max(most, ++checking)
    await new Promise((resolve) => setTimeout(resolve, 1))
    checking -= 1
    return 'token'
  }
  const all = Array.from({ length: 300 }, (_, n) => attempt({ username: `n${n}`, address: '127.0.0.1' }, slowly))
  const outcomes = await Promise.allSettled(all)
  expect(most).toBe(1)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(201)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ refusal: 'unavailable' })
})
