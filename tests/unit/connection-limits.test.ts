// Which connections are closed, over real sockets, with short timeouts.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '#server/core/metrics.ts'
import { installAdmission } from '#server/http/admission/admission.ts'
import { extendRequestTimeout } from '#server/http/admission/connection-limits.ts'
import { connectionsTo } from '#tests/helpers/kernel-connections.ts'

const timeoutMs = 300
const deps = { commonHeaders: {}, metrics: createMetrics() }
const app = fastify({
  connectionTimeout: timeoutMs,
  keepAliveTimeout: 60_000,
  requestTimeout: 2 * timeoutMs,
  http: { headersTimeout: timeoutMs, connectionsCheckingInterval: 50 },
})
let answered = 0
beforeAll(async () => {
  installAdmission(app.server, deps)
  app.get('/slow', async () => {
    await delay(3 * timeoutMs)
    answered += 1
    return 'slow but here'
  })
  app.post('/form', async ({ body }) => body)
  const extended = (ms: number) => ({ onRequest: async ({ raw }: FastifyRequest) => extendRequestTimeout(raw, ms) })
  app.post('/upload', extended(20 * timeoutMs), async ({ body }) => body)
  app.post('/short-upload', extended(4 * timeoutMs), async ({ body }) => body)
  app.get('/large', async () => Buffer.alloc(20 << 20))
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

async function connectClient(): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** By a normal close or a reset. */
const expectClosed = (socket: Socket) =>
  expect.poll(() => socket.closed, { timeout: 30 * timeoutMs, interval: 20 }).toBe(true)
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

describe('a connection', () => {
  test('without any request is closed', async () => {
    const socket = await connectClient()
    socket.resume()
    await expectClosed(socket)
  })

  test('with a slow response stays open until the response is sent', async () => {
    const socket = await connectClient()
    socket.write(ask('/slow'))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('slow but here')
  })

  test('whose client does not read the response is closed', async () => {
    const socket = await connectClient()
    socket.pause()
    socket.write(ask('/large'))
    await expect.poll(connections, { timeout: 10 * timeoutMs }).toBe(0)
  })

  test('with more than four unfinished responses is closed', async () => {
    const patient = await connectClient()
    const greedy = await connectClient()
    answered = 0

    patient.resume().write(ask('/slow').repeat(2))
    greedy.resume().write(ask('/slow').repeat(50))
    await expectClosed(greedy)

    await expect.poll(() => answered, { timeout: 10 * timeoutMs }).toBe(6)
    expect(await connections()).toBe(1)
  })

  describe('whose request arrives byte by byte', () => {
    async function drip(path: string, drops: number): Promise<string> {
      const socket = await connectClient()
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${drops}\r\n\r\n`,
      )
      for (let drop = 0; drop < drops && !socket.destroyed; drop += 1) {
        socket.write('x')
        await delay(timeoutMs / 2)
      }
      return answer
    }

    test('is closed', async () => {
      expect(await drip('/form', 12)).toMatch(/^HTTP\/1\.1 408/)
    })

    test('stays open where the timeout was extended, and is closed when the extended time has passed', async () => {
      const [given, passed] = await Promise.all([drip('/upload', 12), drip('/short-upload', 12)])
      expect(given).toMatch(/^HTTP\/1\.1 200.*\r\nx{12}$/s)
      expect(passed).toBe('')
    })

    test('has the normal timeout again after that request', async () => {
      const socket = await connectClient()
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
    const server = fastify({ connectionTimeout: timeoutMs, keepAliveTimeout: timeoutMs })
    installAdmission(server.server, { ...deps, lingerMs: timeoutMs })
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

  test('is reset when its client does not read what the kernel has buffered', async () => {
    const { port, socket } = await openServer()
    socket.pause()
    socket.write(ask('/answer'))
    await delay(timeoutMs / 2)
    expect(connectionsTo(port)).toBe(1)
    await expect.poll(() => connectionsTo(port), { timeout: 20 * timeoutMs }).toBe(0)
  })

  test('is closed normally when its client reads all of a late response', async () => {
    const { socket } = await openServer()
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    socket.pause()
    socket.write(ask('/answer'))
    await delay(1.5 * timeoutMs)
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
