// PostgreSQL crashes and comes back while people sign and read; the server stays.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { openPostgresSite, type PostgresSite } from '#tests/chaos/sites.ts'
import { chance } from '#tests/helpers/chance.ts'
import { startServer } from '#tests/helpers/server-process.ts'
import { startSigners } from '#tests/helpers/signers.ts'

let site: PostgresSite
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

test('the server outlives three crashes of PostgreSQL, keeps its pages up and loses no acknowledged signature', async () => {
  const moments = chance('PostgreSQL crashes')
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const { pid } = server.process
  const statusOf = async (path: string) => (await fetch(server.url + path)).status
  const publicPaths = ['/peticao', '/api/peticoes/count', '/saude']
  for (const path of publicPaths) expect(await statusOf(path)).toBe(200)
  const signers = startSigners({ url: server.url, otherwise: 'retry' })

  const whileAway: Record<string, number> = {}
  const readyAfterMs: number[] = []
  // The second outlasts the patience of the server, so that people are sent away as well.
  for (const awayMs of [moments.between(100, 1_000), 2_500, moments.between(100, 1_000)]) {
    await signers.more(200)
    await delay(moments.between(0, 800))
    await site.cluster.stop('immediate')
    const backAt = performance.now() + awayMs
    while (performance.now() < backAt) {
      for (const path of publicPaths) {
        const seen = `${await statusOf(path)} ${path}`
        whileAway[seen] = (whileAway[seen] ?? 0) + 1
      }
      await delay(50)
    }
    expect(await statusOf('/saude/pronto')).toBe(503)
    await site.cluster.start()
    const startedAt = performance.now()
    await expect.poll(() => statusOf('/saude/pronto'), { timeout: 3_000, interval: 20 }).toBe(200)
    readyAfterMs.push(Math.round(performance.now() - startedAt))
  }
  await signers.more(200)
  await signers.stop()

  console.log(signers.outcomes(), whileAway, `ready after ${readyAfterMs.join(', ')} ms`)
  expect(await auditBooks(site.settings, signers.acknowledged)).toEqual(inOrder)
  expect(Object.keys(whileAway).sort()).toEqual(publicPaths.map((path) => `200 ${path}`).sort())
  expect(Object.keys(signers.outcomes()).sort()).toEqual(['201', '503'])
  expect(server.process.exitCode).toBe(null)
  expect(server.process.pid).toBe(pid)
  expect(server.output()).not.toContain('"level":50')
  expect(server.output()).not.toContain('fulana')
})
