// A TCP proxy whose target can change, like a floating IP address.
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** Closes every connection. New connections reach the new target. */
  switchTo(target: number): void
  /** Forwards nothing and closes nothing, like a network that drops all packets. */
  stall(): void
  resume(): void
  stop(): Promise<void>
}

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let current = target
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const upstream = connect(current, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    switchTo(next) {
      current = next
      closeAll()
    },
    stall() {
      for (const socket of sockets) socket.pause()
    },
    resume() {
      for (const socket of sockets) socket.resume()
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      closeAll()
      await closed
    },
  }
}
