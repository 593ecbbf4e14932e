// A process of its own full of clients who waste the server's time: `node slow-crowd.ts port count file [readers]`. Says "in" once all have come.
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

/** Each asks for more than a connection carries unread. */
const readers: Kind[] = [
  { first: file, reads: false },
  { first: file, reads: 'slowly' },
  { first: file.repeat(4), reads: false },
  { first: file.repeat(4), reads: 'slowly' },
]

const everyKind: Kind[] = [
  ...readers,
  // Says nothing at all.
  {},
  { first: head('GET', '/peticao'), later: 'X-Slow: 1\r\n' },
  {
    first: `${head('POST', '/api/peticoes')}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"nome": "`,
    later: 'a',
  },
  // Asks for more than a connection carries unread, and reads nothing.
  { later: file, everyMs: 100, times: 4, reads: false },
  // Asks for everything at once, and reads nothing.
  { first: file.repeat(20), reads: false },
  // Is answered, and stays for no reason.
  { first: `${head('GET', '/api/peticoes/count')}\r\n` },
]

function waste(socket: Socket, { first, later, everyMs = 1_000, times = Number.POSITIVE_INFINITY, reads }: Kind): void {
  if (reads === false) socket.pause()
  else socket.resume()
  if (reads === 'slowly') {
    const sips = setInterval(() => socket.resume(), 1_000)
    socket.on('close', () => clearInterval(sips))
  }
  if (first) socket.write(first)
  if (!later) return
  let said = 0
  const drops = setInterval(() => {
    socket.write(later)
    said += 1
    if (said === times) clearInterval(drops)
  }, everyMs)
  socket.on('close', () => clearInterval(drops))
}

const kinds = only === 'readers' ? readers : everyKind
const arrivalMs = 4_000
const crowd = Array.from({ length: Number(count) }, async (_, index) => {
  await delay((index / Number(count)) * arrivalMs)
  const kind = kinds[index % kinds.length] ?? {}
  const address = { port: Number(port), host: '127.0.0.1' }
  // One kilobyte is read, and no more until the next second.
  const onread = { buffer: Buffer.alloc(1024), callback: () => false }
  const socket = connect(kind.reads === 'slowly' ? { ...address, onread } : address)
  socket.on('error', () => {})
  await once(socket, 'connect')
  waste(socket, kind)
})
await Promise.all(crowd)
process.stdout.write('in\n')
setInterval(() => {}, 60_000)
