// The load generator of the benchmark: it reports the latency and the failures that clients experience.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Stream, sendStreams } from '../../bench/streams.ts'

async function serve(answer: RequestListener): Promise<Pick<Stream, 'url' | 'kind'>> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, kind: 'same' }
}

test('a server pause shows in the latency of all requests that were due meanwhile', async () => {
  let seen = 0
  let backAt: number | undefined
  const target = await serve(async (_request, response) => {
    seen++
    backAt ??= performance.now() + 600
    await delay(Math.max(0, backAt - performance.now()))
    response.end('ok')
  })

  const [outcome] = await sendStreams([{ ...target, connections: 2, perSecond: 100, seconds: 1 }])

  // Only two of the requests were in flight while the server did not answer.
  expect(outcome).toMatchObject({ accepted: 100, refused: 0, failed: 0, left: 0 })
  expect(seen).toBe(100)
  expect(outcome?.p99Ms).toBeGreaterThan(400)
  expect(outcome?.lastTrouble).toBeGreaterThan(0.1)
})

test('a request that finds all connections busy can leave, and is counted', async () => {
  const target = await serve(async (_request, response) => {
    await delay(300)
    response.end('ok')
  })

  const [outcome] = await sendStreams([
    { ...target, connections: 3, perSecond: 1_000, whenBusy: 'leave', seconds: 0.2 },
  ])

  const { accepted = 0, left = 0 } = outcome ?? {}
  expect(left).toBeGreaterThan(100)
  expect(accepted + left).toBe(200)
  expect(outcome).toMatchObject({ refused: 0, failed: 0 })
})

test('only a 503 with Retry-After counts as refused; other answers and lost connections are failures', async () => {
  let seen = 0
  const target = await serve((_request, response) => {
    const outcomeKind = seen++ % 4
    if (outcomeKind === 0) response.writeHead(503, { 'Retry-After': '1', Connection: 'close' }).end()
    else if (outcomeKind === 1) response.writeHead(503).end()
    else if (outcomeKind === 2) response.destroy()
    else response.writeHead(201).end('ok')
  })

  const [outcome] = await sendStreams([{ ...target, connections: 4, perSecond: 200, seconds: 0.2 }])

  expect(outcome).toMatchObject({ accepted: 10, refused: 10, failed: 20, left: 0 })
})
