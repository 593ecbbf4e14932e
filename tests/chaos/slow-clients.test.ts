// Clients who dribble, say nothing or never read, by the thousand: they are let go, and nobody else notices them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildFolder } from '#server/ssr/renderer.ts'
import { auditBooks, inOrder } from '#tests/chaos/books.ts'
import { tell } from '#tests/chaos/report.ts'
import { openPostgresSite, type Site } from '#tests/chaos/sites.ts'
import { isFull, size } from '#tests/chaos/size.ts'
import { aSignature } from '#tests/helpers/factories.ts'
import { postJson } from '#tests/helpers/forms.ts'
import { connectionsTo } from '#tests/helpers/kernel-connections.ts'
import { type ServerProcess, startServer } from '#tests/helpers/server-process.ts'

let site: Site
beforeAll(async () => {
  site = await openPostgresSite()
})
afterAll(() => site.remove())

/** As the system counts them: a client that never reads does not learn that it was let go. */
function openSockets({ process: { pid } }: ServerProcess): number {
  const folder = `/proc/${pid}/fd`
  const targets = readdirSync(folder).map((file) => {
    try {
      return readlinkSync(join(folder, file))
    } catch {
      return 'closed meanwhile'
    }
  })
  return targets.filter((target) => target.startsWith('socket:')).length
}

function largestAsset(): string {
  const folder = join(buildFolder, 'browser/assets')
  const sizeOf = (file: string) => statSync(join(folder, file)).size
  return `/assets/${readdirSync(folder).reduce((largest, file) => (sizeOf(file) > sizeOf(largest) ? file : largest))}`
}

async function startSlowCrowd({ port }: ServerProcess, count: number, ...only: 'readers'[]): Promise<void> {
  const file = fileURLToPath(new URL('./slow-crowd.ts', import.meta.url))
  const crowd = spawn(process.execPath, [file, String(port), String(count), largestAsset(), ...only], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void crowd.kill('SIGKILL'))
  await once(crowd.stdout, 'data')
}

/** Reads and signs at an ordinary pace until told to stop; answers how long each answer took. */
function visit({ url }: ServerProcess) {
  const tookMs: number[] = []
  const acknowledged = new Map<string, string>()
  const failures: number[] = []
  let stopping = false
  async function timed(ask: () => Promise<Response>): Promise<void> {
    const startedAt = performance.now()
    const answer = await ask()
    await answer.arrayBuffer()
    tookMs.push(performance.now() - startedAt)
    if (!answer.ok) failures.push(answer.status)
    await delay(20)
  }
  async function oneVisitor(): Promise<void> {
    while (!stopping) {
      await timed(() => fetch(`${url}/peticao`))
      await timed(() => fetch(`${url}/api/peticoes/count`))
      const signature = aSignature()
      const requestId = crypto.randomUUID()
      await timed(() => postJson(`${url}/api/peticoes`, signature, { 'x-request-id': requestId }))
      acknowledged.set(signature.email, requestId)
    }
  }
  const all = Promise.all(Array.from({ length: 4 }, oneVisitor))
  return {
    acknowledged,
    failures,
    async stop(): Promise<number[]> {
      stopping = true
      await all
      return tookMs.sort((a, b) => a - b)
    },
  }
}

test('slow and silent clients are let go within 25 seconds, and visitors do not notice them', async () => {
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const visitors = visit(server)
  onTestFinished(async () => void (await visitors.stop()))
  await delay(1_000)
  const usual = openSockets(server)

  await startSlowCrowd(server, size.slowClients)
  const startedAt = performance.now()
  const many = openSockets(server) - usual
  await expect.poll(() => openSockets(server), { timeout: 25_000, interval: 100 }).toBeLessThanOrEqual(usual + 10)
  const goneAfterMs = Math.round(performance.now() - startedAt)
  const tookMs = await visitors.stop()

  const p99 = Math.round(tookMs[Math.floor(tookMs.length * 0.99)] ?? 0)
  const audit = await auditBooks(site.settings, visitors.acknowledged)
  tell({
    test: 'slow and silent clients',
    acknowledged: visitors.acknowledged.size,
    audit,
    notes: `${size.slowClients} gone after ${goneAfterMs} ms; ${tookMs.length} visits meanwhile, p99 ${p99} ms`,
  })
  // Some kinds are sent away at once.
  expect(many).toBeGreaterThan(size.slowClients / 2)
  expect(visitors.failures).toEqual([])
  expect(audit).toEqual(inOrder)
  // Beside the other tests the machine's own noise is longer than 200 ms; who waits for a slow client waits for seconds.
  expect(p99).toBeLessThanOrEqual(isFull ? 200 : 2_000)
  expect(tookMs.length).toBeGreaterThan(200)
  expect(server.output()).not.toContain('"level":50')
})

test('clients who read slowly or not at all are disconnected within 25 seconds, and the kernel keeps nothing for them', async () => {
  const server = await startServer(site.settings)
  onTestFinished(() => server.kill())
  const usual = connectionsTo(server.port)

  await startSlowCrowd(server, size.slowReaders, 'readers')
  const startedAt = performance.now()
  const many = connectionsTo(server.port) - usual
  await expect
    .poll(() => connectionsTo(server.port), { timeout: 25_000, interval: 100 })
    .toBeLessThanOrEqual(usual + 10)
  const goneAfterMs = Math.round(performance.now() - startedAt)
  tell({ test: 'slow readers', notes: `${many} of ${size.slowReaders} connected, gone after ${goneAfterMs} ms` })

  expect(many).toBeGreaterThan(size.slowReaders / 2)
  expect((await fetch(`${server.url}/saude`)).status).toBe(200)
  expect(server.output()).not.toContain('"level":50')
})
