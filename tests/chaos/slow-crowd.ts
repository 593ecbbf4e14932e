// A process with many slow clients: `node slow-crowd.ts port count file [readers]`. Prints "in" when all are connected.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const [port, count, largeFile = '/', only] = process.argv.slice(2)
const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`

const file = `${head('GET', largeFile)}\r\n`

interface Kind {
  first?: string
  later?: string
  everyMs?: number
  times?: number
  reads?: false | 'slowly'
}

/** Each requests more data than the buffers of a connection hold. */
const readers: Kind[] = [
  { first: file, reads: false },
  { first: file, reads: 'slowly' },
  { first: file.repeat(4), reads: false },
  { first: file.repeat(4), reads: 'slowly' },
]

const everyKind: Kind[] = [
  ...readers,
  // Sends nothing.
  {},
  { first: head('GET', '/peticao'), later: 'X-Slow: 1\r\n' },
  {
    first: `${head('POST', '/api/peticoes')}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"nome": "`,
    later: 'a',
  },
  // Requests more data than the buffers of a connection hold, and reads nothing.
  { later: file, everyMs: 100, times: 4, reads: false },
  // Requests everything at once, and reads nothing.
  { first: file.repeat(20), reads: false },
  // Gets its response and keeps the connection open.
  { first: `${head('GET', '/api/peticoes/count')}\r\n` },
]

function behaveSlowly(
  socket: Socket,
  { first, later, everyMs = 1_000, times = Number.POSITIVE_INFINITY, reads }: Kind,
): void {
  if (reads === false) socket.pause()
  else socket.resume()
  if (reads === 'slowly') {
    const readTimer = setInterval(() => socket.resume(), 1_000)
    socket.on('close', () => clearInterval(readTimer))
  }
  if (first) socket.write(first)
  if (!later) return
  let sent = 0
  const writeTimer = setInterval(() => {
    socket.write(later)
    sent += 1
    if (sent === times) clearInterval(writeTimer)
  }, everyMs)
  socket.on('close', () => clearInterval(writeTimer))
}

const kinds = only === 'readers' ? readers : everyKind
const arrivalMs = 4_000
const clients = Array.from({ length: Number(count) }, async (_, index) => {
  await delay((index / Number(count)) * arrivalMs)
  const kind = kinds[index % kinds.length] ?? {}
  const address = { port: Number(port), host: '127.0.0.1' }
  // Reads one kilobyte per second.
  const onread = { buffer: Buffer.alloc(1024), callback: () => false }
  const socket = connect(kind.reads === 'slowly' ? { ...address, onread } : address)
  socket.on('error', () => {})
  await once(socket, 'connect')
  behaveSlowly(socket, kind)
})
await Promise.all(clients)
process.stdout.write('in\n')
setInterval(() => {}, 60_000)
