// Which connections are let go, over real sockets, with a patience short enough to wait for.
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { watchConnections } from '#server/http/connections.ts'

const patienceMs = 300
const app = fastify({ connectionTimeout: patienceMs, keepAliveTimeout: 60_000 })
let answered = 0
beforeAll(async () => {
  watchConnections(app)
  app.get('/slow', async () => {
    await delay(3 * patienceMs)
    answered += 1
    return 'slow but here'
  })
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

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const connections = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

describe('a connection', () => {
  test('on which nothing is said is let go', async () => {
    const socket = await visitor()
    socket.resume()
    await once(socket, 'close')
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
    await once(greedy, 'close')

    await expect.poll(() => answered, { timeout: 10 * patienceMs }).toBe(6)
    expect(await connections()).toBe(1)
  })
})
