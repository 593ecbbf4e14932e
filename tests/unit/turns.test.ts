// Forms in a crowd, over real sockets: begun a few at a time, and the excess told so.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { messages } from '#contract/messages.ts'
import { createLimits } from '#server/core/limits.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { createGate } from '#server/http/gate.ts'
import { isTurnedAway, type TurnOptions, takeTurns } from '#server/http/turns.ts'

async function open(listener: RequestListener, options: TurnOptions): Promise<Server> {
  const server = createServer(listener)
  takeTurns({ server }, { commonHeaders: {}, metrics: createMetrics() }, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return server
}

async function visitors(server: Server, count: number): Promise<Socket[]> {
  const { port } = server.address() as AddressInfo
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  // Connected for the system is not yet let in by the server.
  let letIn = 0
  const all = new Promise<void>((resolve) => {
    server.on('connection', () => {
      letIn += 1
      if (letIn === count) resolve()
    })
  })
  await Promise.all([all, ...sockets.map((socket) => once(socket, 'connect'))])
  return sockets
}

/** The server finds them all there when it looks next. */
function askTogether(sockets: Socket[], method: 'GET' | 'POST', type = 'text/plain'): Promise<string[]> {
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]))
  for (const [n, socket] of sockets.entries())
    socket.write(`${method} /${n} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 0\r\n\r\n`)
  work(50)
  return Promise.all(answers)
}

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const numberOf = ({ url = '' }: IncomingMessage) => Number(url.slice(1))

test('a crowd is begun a few at a time, all of it, and the event loop turns in between', async () => {
  let turn = 0
  let ticking = setImmediate(function tick() {
    turn += 1
    ticking = setImmediate(tick)
  })
  onTestFinished(() => clearImmediate(ticking))
  const begunIn: number[] = []
  const order: number[] = []
  const server = await open(
    (request, response) => {
      begunIn[turn] = (begunIn[turn] ?? 0) + 1
      order.push(numberOf(request))
      response.end('done')
    },
    { mostTogether: 8 },
  )

  const answers = await askTogether(await visitors(server, 100), 'POST')

  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true)
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  // Some before the loop has turned, as many after it.
  expect(Math.max(...begunIn.filter(Boolean))).toBeLessThanOrEqual(16)
})

test('who only reads does not stand in that line', async () => {
  const order: string[] = []
  const server = await open(
    ({ method = '' }, response) => {
      if (method === 'POST') work(1)
      order.push(method)
      response.end('done')
    },
    { mostTogether: 8, longestWaitMs: 10_000 },
  )
  const [readers, writers] = [await visitors(server, 10), await visitors(server, 200)]

  await Promise.all([askTogether(writers, 'POST'), askTogether(readers, 'GET')])

  expect(order).toHaveLength(210)
  expect(order.lastIndexOf('GET')).toBeLessThan(100)
})

test('who would wait too long is refused and whoever was let in is not; how many that are follows the pace', async () => {
  const gate = createGate({ limits: createLimits(), metrics: createMetrics() })
  const admit = gate.admit as (request: object, reply: undefined, done: (refused?: Error) => void) => void
  const server = await open(
    (raw, response) => {
      admit({ ip: '127.0.0.1', raw }, undefined, (refused) => {
        expect(refused !== undefined).toBe(isTurnedAway(raw))
        if (!refused) work(2)
        response.writeHead(refused ? 503 : 201).end('done')
      })
    },
    { mostTogether: 4, longestWaitMs: 20 },
  )
  const sockets = await visitors(server, 300)
  const admitted = async () => {
    const answers = await askTogether(sockets, 'POST')
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503')).length
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 201'))).toHaveLength(300 - refused)
    return 300 - refused
  }

  const atFirst = await admitted()
  await admitted()
  const later = await admitted()

  // A tenth of a millisecond each is guessed; two are seen.
  expect(atFirst).toBeGreaterThanOrEqual(100)
  expect(atFirst).toBeLessThan(300)
  expect(later).toBeGreaterThanOrEqual(4)
  expect(later).toBeLessThan(60)
})

test('a program that is turned away is told so in JSON, with the time to come back', async () => {
  let begun = 0
  const server = await open(
    (_request, response) => {
      begun += 1
      work(2)
      response.writeHead(201).end('done')
    },
    { mostTogether: 4, longestWaitMs: 5 },
  )

  const answers = await askTogether(await visitors(server, 200), 'POST', 'application/json')

  const refusals = answers.filter((answer) => !answer.startsWith('HTTP/1.1 201'))
  expect(refusals.length).toBe(200 - begun)
  expect(refusals.length).toBeGreaterThan(100)
  for (const refusal of refusals) {
    const [head = '', body = ''] = refusal.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 /)
    expect(head).toMatch(/^Retry-After: 3\r?$/m)
    expect(JSON.parse(body)).toEqual({ success: false, message: messages.http.unavailable })
  }
})
