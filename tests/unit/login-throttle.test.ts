// The login throttle: guessing is slow, and a correct password is accepted soon.
import { expect, test } from 'vitest'
import { createLoginThrottle } from '#server/features/admin/login-throttle.ts'

const wrong = async () => undefined
const right = async () => 'token'

function createThrottle() {
  let ms = 0
  const waits: number[] = []
  const { attempt } = createLoginThrottle({
    now: () => ms,
    wait: async (waitMs) => {
      waits.push(waitMs)
    },
  })
  return { attempt, waits, pass: (seconds: number) => (ms += seconds * 1000) }
}

test('an address that keeps guessing is refused and may try again later', async () => {
  const { attempt, pass } = createThrottle()
  const guess = () => attempt({ username: 'admin', address: '203.0.113.7' }, wrong)
  for (let tries = 0; tries < 20; tries++) expect(await guess()).toBeUndefined()
  await expect(guess()).rejects.toMatchObject({ refusal: 'too-many' })
  pass(6)
  expect(await guess()).toBeUndefined()
})

test('while a thousand addresses guess, a correct password is accepted after a short wait, and the next time at once', async () => {
  const { attempt, waits } = createThrottle()
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

test('a success ends the waits for its user name, for other addresses too', async () => {
  const { attempt, waits } = createThrottle()
  for (let n = 0; n < 8; n++) await attempt({ username: 'admin', address: `198.51.100.${n}` }, wrong)
  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  waits.length = 0
  await attempt({ username: 'admin', address: '203.0.113.8' }, wrong)
  expect(waits).toEqual([])
})

test('a success from a private network makes none of its addresses trusted', async () => {
  const { attempt, waits } = createThrottle()
  expect(await attempt({ username: 'admin', address: '10.0.0.1' }, right)).toBe('token')
  for (let n = 0; n < 8; n++) await attempt({ username: 'admin', address: '10.0.0.2' }, wrong)
  expect(waits).toEqual([250, 500, 1_000])
})

test('a known device has attempts of its own, independent of its address and user name', async () => {
  const { attempt, waits } = createThrottle()
  const address = '203.0.113.7'
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, () => attempt({ username: 'admin', address }, wrong)),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(80)
  waits.length = 0

  const knownDevice = { username: 'admin', address, device: 'token' }
  expect(await attempt(knownDevice, right)).toBe('token')
  expect(waits).toEqual([])
  for (let tries = 1; tries < 20; tries++) expect(await attempt(knownDevice, wrong)).toBeUndefined()
  await expect(attempt(knownDevice, right)).rejects.toMatchObject({ refusal: 'too-many' })
})

test('an unknown user name is slowed like an existing one', async () => {
  const { attempt, waits } = createThrottle()
  for (let n = 0; n < 8; n++) await attempt({ username: 'ninguem', address: '127.0.0.1' }, wrong)
  expect(waits).toEqual([250, 500, 1_000])
})

test('a flood of invented user names does not end the wait of a name that is being guessed', async () => {
  const { attempt, waits } = createThrottle()
  const guess = (username: string) => attempt({ username, address: '10.0.0.2' }, wrong)
  for (let n = 0; n < 9_000; n++) await guess(`inventado-${n}`)
  for (let n = 0; n < 8; n++) await guess('admin')
  for (let n = 9_000; n < 18_000; n++) await guess(`inventado-${n}`)
  waits.length = 0
  await guess('admin')
  expect(waits).toEqual([2_000])
})

test('an attempt without a result, because the database is unreachable, adds no wait', async () => {
  const { attempt, waits } = createThrottle()
  const unreachable = () => Promise.reject(new Error('away'))
  for (let n = 0; n < 8; n++)
    await expect(attempt({ username: 'admin', address: '203.0.113.7' }, unreachable)).rejects.toThrow('away')
  expect(await attempt({ username: 'admin', address: '203.0.113.7' }, right)).toBe('token')
  expect(waits).toEqual([])
})

test('concurrent guesses slow each other', async () => {
  const { attempt, waits } = createThrottle()
  const guesses = Array.from({ length: 12 }, (_, n) =>
    attempt({ username: 'admin', address: `198.51.100.${n}` }, wrong),
  )
  await Promise.all(guesses)
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000])
})

test('the /64 networks of one IPv6 owner share a limit', async () => {
  const { attempt } = createThrottle()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      attempt({ username: 'admin', address: `2001:db8:7:${n.toString(16)}::1` }, wrong),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
})

test('a trusted address does not wait behind unknown clients', async () => {
  const { attempt } = createThrottle()
  const me = { username: 'admin', address: '203.0.113.7' }
  expect(await attempt(me, right)).toBe('token')
  let release = () => {}
  const pending = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined)
  })
  const unknownClients = Array.from({ length: 150 }, (_, n) =>
    attempt({ username: 'admin', address: `198.51.100.${n}` }, () => pending),
  )
  expect(await attempt(me, right)).toBe('token')
  release()
  await Promise.all(unknownClients)
})

test('passwords of unknown clients are checked one at a time, and the queue has a limit', async () => {
  const { attempt } = createThrottle()
  let checking = 0
  let maxChecking = 0
  const checkSlowly = async () => {
    maxChecking = Math.max(maxChecking, ++checking)
    await new Promise((resolve) => setTimeout(resolve, 1))
    checking -= 1
    return 'token'
  }
  const all = Array.from({ length: 300 }, (_, n) => attempt({ username: `n${n}`, address: '127.0.0.1' }, checkSlowly))
  const outcomes = await Promise.allSettled(all)
  expect(maxChecking).toBe(1)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(201)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ refusal: 'unavailable' })
})
