// Which connections are let go, over real sockets, with a patience short enough to wait for.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { giveTime, watchConnections } from '#server/http/connections.ts'
import { connectionsTo } from '#tests/helpers/kernel-connections.ts'

const patienceMs = 300
const app = fastify({
  connectionTimeout: patienceMs,
  keepAliveTimeout: 60_000,
  requestTimeout: 2 * patienceMs,
  http: { headersTimeout: patienceMs, connectionsCheckingInterval: 50 },
})
let answered = 0
beforeAll(async () => {
  watchConnections(app)
  app.get('/slow', async () => {
    await delay(3 * patienceMs)
    answered += 1
    return 'slow but here'
  })
  app.post('/form', async ({ body }) => body)
  const giving = (ms: number) => ({ onRequest: async ({ raw }: FastifyRequest) => giveTime(raw, ms) })
  app.post('/upload', giving(20 * patienceMs), async ({ body }) => body)
  app.post('/impatient-upload', giving(4 * patienceMs), async ({ body }) => body)
  app.get('/large', async () => Buffer.alloc(20 << 20))
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

async function visitor(): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** In order or by a reset. */
const expectClosed = (socket: Socket) =>
  expect.poll(() => socket.closed, { timeout: 30 * patienceMs, interval: 20 }).toBe(true)
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

describe('a connection', () => {
  test('on which nothing is said is let go', async () => {
    const socket = await visitor()
    socket.resume()
    await expectClosed(socket)
  })

  test('whose answer takes us long is kept until it has it', async () => {
    const socket = await visitor()
    socket.write(ask('/slow'))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('slow but here')
  })

  test('whose answer is not read is let go', async () => {
    const socket = await visitor()
    socket.pause()
    socket.write(ask('/large'))
    await expect.poll(connections, { timeout: 10 * patienceMs }).toBe(0)
  })

  test('that asks again before its answers have left is let go once they are more than a handful', async () => {
    const patient = await visitor()
    const greedy = await visitor()
    answered = 0

    patient.resume().write(ask('/slow').repeat(2))
    greedy.resume().write(ask('/slow').repeat(50))
    await expectClosed(greedy)

    await expect.poll(() => answered, { timeout: 10 * patienceMs }).toBe(6)
    expect(await connections()).toBe(1)
  })

  describe('whose request comes drop by drop', () => {
    async function drip(path: string, drops: number): Promise<string> {
      const socket = await visitor()
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${drops}\r\n\r\n`,
      )
      for (let drop = 0; drop < drops && !socket.destroyed; drop += 1) {
        socket.write('x')
        await delay(patienceMs / 2)
      }
      return answer
    }

    test('is let go', async () => {
      expect(await drip('/form', 12)).toMatch(/^HTTP\/1\.1 408/)
    })

    test('is kept where it was given time, and let go when that has passed as well', async () => {
      const [given, passed] = await Promise.all([drip('/upload', 12), drip('/impatient-upload', 12)])
      expect(given).toMatch(/^HTTP\/1\.1 200.*\r\nx{12}$/s)
      expect(passed).toBe('')
    })

    test('is like any other once that request is over', async () => {
      const socket = await visitor()
      const head = (path: string, length: number) =>
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`
      socket.write(`${head('/upload', 1)}x`)
      await once(socket, 'data')
      socket.resume().write(`${head('/form', 9)}x`)
      await expectClosed(socket)
    })
  })
})

describe('a connection that is idle', () => {
  async function openServer() {
    const server = fastify({ connectionTimeout: patienceMs, keepAliveTimeout: patienceMs })
    watchConnections(server, { lingerMs: patienceMs })
    server.get('/answer', async () => Buffer.alloc(1 << 20))
    await server.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(() => server.close())
    const { port } = server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return { port, socket }
  }

  test('is reset when its client does not read what the kernel holds for it', async () => {
    const { port, socket } = await openServer()
    socket.pause()
    socket.write(ask('/answer'))
    await delay(patienceMs / 2)
    expect(connectionsTo(port)).toBe(1)
    await expect.poll(() => connectionsTo(port), { timeout: 20 * patienceMs }).toBe(0)
  })

  test('is closed in order when its client takes all of a late answer meanwhile', async () => {
    const { socket } = await openServer()
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    socket.pause()
    socket.write(ask('/answer'))
    await delay(1.5 * patienceMs)
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    socket.resume()
    await expectClosed(socket)
    expect(failures).toEqual([])
    expect(bytes).toBeGreaterThan(1 << 20)
  })
})
