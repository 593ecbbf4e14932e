// The concurrency limit: tasks at once, queue length, and maximum wait.
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '#server/core/concurrency-limit.ts'

/** A task that ends when `end` is called. */
function controlledTask() {
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => done, end }
}

test('tasks above the limit wait and start in the order of arrival', async () => {
  const limited = createConcurrencyLimit({ maxAtOnce: 2, maxWaiting: 10 })
  const tasks = Array.from({ length: 4 }, controlledTask)
  const started: number[] = []
  const all = tasks.map(({ work }, n) =>
    limited(() => {
      started.push(n)
      return work()
    }),
  )
  expect(started).toEqual([0, 1])
  tasks[1]?.end()
  await all[1]
  expect(started).toEqual([0, 1, 2])
  for (const { end } of tasks) end()
  await Promise.all(all)
  expect(started).toEqual([0, 1, 2, 3])
})

test('a full queue rejects at once, and a failed task frees its slot', async () => {
  let refusals = 0
  const onRefusal = () => void refusals++
  const limited = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 1, onRefusal })
  const [first, second] = [controlledTask(), controlledTask()]
  const [one, two] = [limited(first.work), limited(second.work)]
  await expect(limited(async () => {})).rejects.toMatchObject({ refusal: 'unavailable' })
  first.end()
  second.end()
  await Promise.all([one, two])
  await expect(limited(() => Promise.reject(new Error('falhou')))).rejects.toThrow('falhou')
  expect(await limited(async () => 'de novo')).toBe('de novo')
  expect(refusals).toBe(1)
})

test('a task that waits too long is rejected, and the queue goes on', async () => {
  const limited = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting: 10, maxWaitMs: 20 })
  const first = controlledTask()
  const one = limited(first.work)
  const two = limited(async () => 'tarde').catch((error: unknown) => error)
  await new Promise((resolve) => setTimeout(resolve, 40))
  first.end()
  await one
  expect(await two).toMatchObject({ refusal: 'unavailable' })
  expect(await limited(async () => 'agora')).toBe('agora')
})
