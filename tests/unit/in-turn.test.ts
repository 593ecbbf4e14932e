// Work in turn: so much at once, a line that ends somewhere, and nobody who waits past reason.
import { expect, test } from 'vitest'
import { createInTurn } from '#server/core/in-turn.ts'

/** Work that ends when it is told to. */
function held() {
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => done, end }
}

test('so much at once, the rest one after the other, in the order of arrival', async () => {
  const inTurn = createInTurn({ mostAtOnce: 2, mostWaiting: 10 })
  const parts = Array.from({ length: 4 }, held)
  const begun: number[] = []
  const all = parts.map(({ work }, n) =>
    inTurn(() => {
      begun.push(n)
      return work()
    }),
  )
  expect(begun).toEqual([0, 1])
  parts[1]?.end()
  await all[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { end } of parts) end()
  await Promise.all(all)
  expect(begun).toEqual([0, 1, 2, 3])
})

test('who finds the line full is told at once, and a failure gives its place to the next', async () => {
  let refusals = 0
  const onRefusal = () => void refusals++
  const inTurn = createInTurn({ mostAtOnce: 1, mostWaiting: 1, onRefusal })
  const [first, second] = [held(), held()]
  const [one, two] = [inTurn(first.work), inTurn(second.work)]
  await expect(inTurn(async () => {})).rejects.toMatchObject({ refusal: 'unavailable' })
  first.end()
  second.end()
  await Promise.all([one, two])
  await expect(inTurn(() => Promise.reject(new Error('falhou')))).rejects.toThrow('falhou')
  expect(await inTurn(async () => 'de novo')).toBe('de novo')
  expect(refusals).toBe(1)
})

test('whose patience has ended before their turn is told so, and the line goes on', async () => {
  const inTurn = createInTurn({ mostAtOnce: 1, mostWaiting: 10, patienceMs: 20 })
  const first = held()
  const one = inTurn(first.work)
  const two = inTurn(async () => 'tarde').catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 40))
  first.end()
  await one
  expect(await two).toMatchObject({ refusal: 'unavailable' })
  expect(await inTurn(async () => 'agora')).toBe('agora')
})
