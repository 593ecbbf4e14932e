// A TCP proxy of the test's own: one address whose target can be changed, as a floating address is.
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  /** Ends every connection; the next ones reach the new target. */
  switchTo(target: number): void
  /** Nothing passes any more, and nobody is told: a network that swallows everything, until it is back. */
  stall(): void
  goOn(): void
  stop(): Promise<void>
}

export async function startProxy(target: number): Promise<Proxy> {
  const ends = new Set<Socket>()
  let current = target
  const cutAll = () => {
    for (const end of ends) end.destroy()
  }
  const server = createServer((client) => {
    const upstream = connect(current, '127.0.0.1')
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    switchTo(next) {
      current = next
      cutAll()
    },
    stall() {
      for (const end of ends) end.pause()
    },
    goOn() {
      for (const end of ends) end.resume()
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      cutAll()
      await closed
    },
  }
}
