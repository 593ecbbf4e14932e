// Forms in a crowd, over real sockets: begun a few at a time, and the excess told so.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { httpMessages } from '#contract/messages.ts'
import { createLimits } from '#server/core/limits.ts'
import { createMetrics, type Metrics } from '#server/core/metrics.ts'
import { createGate } from '#server/http/gate.ts'
import { isTurnedAway, type TurnOptions, takeTurns } from '#server/http/turns.ts'

async function open(
  listener: RequestListener,
  options: TurnOptions,
  metrics: Pick<Metrics, 'shed'> = createMetrics(),
): Promise<Server> {
  const server = createServer(listener)
  takeTurns({ server }, { commonHeaders: {}, metrics }, options)
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
function askTogether(
  sockets: Socket[],
  method: 'GET' | 'POST',
  type = 'text/plain',
  paths: string[] = [],
): Promise<string[]> {
  const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]))
  for (const [n, socket] of sockets.entries())
    socket.write(
      `${method} ${paths[n] ?? `/${n}`} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 0\r\n\r\n`,
    )
  work(50)
  return Promise.all(answers)
}

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** How much happens in each turn of the event loop in which anything does. */
function countTurns() {
  const byTurn = new Map<number, number>()
  let turn = 0
  let ticking = setImmediate(function tick() {
    turn += 1
    ticking = setImmediate(tick)
  })
  onTestFinished(() => clearImmediate(ticking))
  return {
    add: () => void byTurn.set(turn, (byTurn.get(turn) ?? 0) + 1),
    counts: () => [...byTurn.values()],
  }
}

const numberOf = ({ url = '' }: IncomingMessage) => Number(url.slice(1))

test('a crowd is begun a few at a time, all of it, and the event loop turns in between', async () => {
  const begunIn = countTurns()
  const order: number[] = []
  const server = await open(
    (request, response) => {
      begunIn.add()
      order.push(numberOf(request))
      response.end('done')
    },
    { mostTogether: 8 },
  )

  const answers = await askTogether(await visitors(server, 100), 'POST')

  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true)
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  // Some before the loop has turned, as many after it.
  expect(Math.max(...begunIn.counts())).toBeLessThanOrEqual(16)
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

test('however many read, the line moves on', async () => {
  const begunIn = countTurns()
  const server = await open(
    ({ method }, response) => {
      if (method === 'POST') begunIn.add()
      response.end('done')
    },
    { mostTogether: 2 },
  )
  const [readers, writers] = [await visitors(server, 200), await visitors(server, 100)]

  await Promise.all([askTogether(writers, 'POST'), askTogether(readers, 'GET')])

  // Two at a time would take fifty turns.
  expect(begunIn.counts().length).toBeLessThan(10)
})

test('whoever read before the crowd came does not make its turns longer', async () => {
  const begunIn = countTurns()
  const server = await open(
    ({ method }, response) => {
      if (method === 'POST') begunIn.add()
      response.end('done')
    },
    { mostTogether: 8 },
  )
  await askTogether(await visitors(server, 200), 'GET')

  await askTogether(await visitors(server, 100), 'POST')

  expect(Math.max(...begunIn.counts())).toBeLessThanOrEqual(16)
})

test('administrators and the chatbot are neither kept waiting nor turned away', async () => {
  const order: string[] = []
  const server = await open(
    (request, response) => {
      const { url = '' } = request
      if (!url.startsWith('/api/') && !isTurnedAway(request)) work(1)
      order.push(url)
      response.writeHead(isTurnedAway(request) ? 503 : 201).end('done')
    },
    { mostTogether: 4, longestWaitMs: 5 },
  )
  const [writers, ours] = [await visitors(server, 200), await visitors(server, 2)]
  const paths = ['/api/admin/login', '/api/webhook/botconversa']

  const [, answers] = await Promise.all([
    askTogether(writers, 'POST'),
    askTogether(ours, 'POST', 'application/json', paths),
  ])

  expect(answers.every((answer) => answer.startsWith('HTTP/1.1 201'))).toBe(true)
  expect(order.slice(0, 50)).toEqual(expect.arrayContaining(paths))
})

test('who would wait too long is refused and whoever was let in is not; how many that are follows the pace', async () => {
  const gate = createGate({ limits: createLimits(), metrics: createMetrics() })
  const admit = gate.admit as (request: object, reply: undefined, done: (refused?: Error) => void) => void
  let disagreements = 0
  const server = await open(
    (raw, response) => {
      admit({ ip: '127.0.0.1', raw }, undefined, (refused) => {
        if ((refused !== undefined) !== isTurnedAway(raw)) disagreements += 1
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

  expect(disagreements).toBe(0)
  // A tenth of a millisecond each is guessed; two are seen.
  expect(atFirst).toBeGreaterThanOrEqual(100)
  expect(atFirst).toBeLessThan(300)
  expect(later).toBeGreaterThanOrEqual(4)
  expect(later).toBeLessThan(60)
})

test('a program that is turned away is told so in JSON, with the time to come back', async () => {
  let begun = 0
  const shedIn = countTurns()
  const server = await open(
    (_request, response) => {
      begun += 1
      work(2)
      response.writeHead(201).end('done')
    },
    { mostTogether: 4, longestWaitMs: 5 },
    { shed: shedIn.add },
  )

  const answers = await askTogether(await visitors(server, 200), 'POST', 'application/json')

  const refusals = answers.filter((answer) => !answer.startsWith('HTTP/1.1 201'))
  expect(refusals.length).toBe(200 - begun)
  expect(refusals.length).toBeGreaterThan(100)
  // They take turns, too.
  expect(Math.max(...shedIn.counts())).toBeLessThanOrEqual(8)
  for (const refusal of refusals) {
    const [head = '', body = ''] = refusal.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 /)
    expect(head).toMatch(/^Retry-After: 3\r?$/m)
    expect(JSON.parse(body)).toEqual({ success: false, message: httpMessages.unavailable })
  }
})
