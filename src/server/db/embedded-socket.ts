// Serves the PostgreSQL protocol on a unix socket. PGlite has one session: exchanges and transactions never interleave.
import { createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

interface EngineSocket {
  /** Queues a statement of the engine thread itself. Resolves when it has ended, also if it failed. */
  run(statement: string): Promise<void>
  close(): Promise<void>
}

/** Messages up to the one that requests a reply. */
interface Exchange {
  /** Undefined for a statement of the engine thread itself, whose reply is discarded. */
  connection?: Socket
  messages: Buffer[]
  onEnd?(): void
}

const code = (character: string) => character.charCodeAt(0)
const [query, sync, flush, functionCall, terminate] = [code('Q'), code('S'), code('H'), code('F'), code('X')]
const endsExchange = new Set([query, sync, flush, functionCall])
const syncMessage = Buffer.from([sync, 0, 0, 0, 4])
// Requests before the startup message. Neither encryption nor cancellation is supported.
const cancelRequest = 80_877_102
const encryptionRequests = new Set([80_877_103, 80_877_104])

export async function openSocket(db: PGlite, file: string): Promise<EngineSocket> {
  const queue: Exchange[] = []
  const connections = new Set<Socket>()
  /** The connection with an open transaction or an unfinished exchange. Other connections wait for it. */
  let holder: Socket | undefined
  let running = false

  function next(): Exchange | undefined {
    const index = holder ? queue.findIndex(({ connection }) => connection === holder) : 0
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }

  async function runQueue(): Promise<void> {
    if (running) return
    running = true
    for (let exchange = next(); exchange; exchange = next()) await runExchange(exchange)
    running = false
  }

  async function runExchange({ connection, messages, onEnd }: Exchange): Promise<void> {
    const onRawData = (bytes: Uint8Array) => {
      // Copied, because the engine reuses this memory.
      if (connection?.writable) connection.write(Buffer.from(bytes))
    }
    connection?.cork()
    try {
      for (const message of messages) await db.execProtocolRawStream(message, { syncToFs: false, onRawData })
    } catch {
      // The engine did not understand the startup message. All other errors it reports itself.
      connection?.destroy()
    }
    connection?.uncork()
    const unfinished = messages.at(-1)?.[0] === flush
    holder = connection && (unfinished || db.isInTransaction()) ? connection : undefined
    if (holder?.destroyed) rollBackFor(holder)
    onEnd?.()
  }

  /** A connection that closes during a transaction must not block the others. */
  function rollBackFor(connection: Socket): void {
    enqueue({ connection, messages: [syncMessage, queryMessage('rollback')] })
  }

  function enqueue(exchange: Exchange): void {
    queue.push(exchange)
    void runQueue()
  }

  const server = createServer((connection) => {
    connections.add(connection)
    let messages: Buffer[] = []
    readMessages(connection, (message) => {
      messages.push(message)
      if (!endsExchange.has(message[0] ?? 0) && !isStart(message)) return
      enqueue({ connection, messages })
      messages = []
    })
    connection.on('error', () => connection.destroy())
    connection.on('close', () => {
      connections.delete(connection)
      const remaining = queue.filter((exchange) => exchange.connection !== connection)
      queue.splice(0, queue.length, ...remaining)
      if (holder === connection) rollBackFor(connection)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve))

  return {
    run: (statement) => new Promise((onEnd) => enqueue({ messages: [queryMessage(statement)], onEnd })),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const connection of connections) connection.destroy()
      await closed
    },
  }
}

/** The first message of a connection has no type byte. It begins with its length, whose first byte is zero. */
function isStart(message: Buffer): boolean {
  return message[0] === 0
}

function readMessages(connection: Socket, onMessage: (message: Buffer) => void): void {
  let unread: Buffer = Buffer.alloc(0)
  let started = false
  connection.on('data', (chunk: Buffer) => {
    unread = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
    for (;;) {
      const lengthAt = started ? 1 : 0
      if (unread.length < lengthAt + 4) return
      const end = lengthAt + unread.readInt32BE(lengthAt)
      if (unread.length < end) return
      const message = unread.subarray(0, end)
      unread = unread.subarray(end)
      const request = started ? 0 : message.readInt32BE(4)
      if (encryptionRequests.has(request)) connection.write('N')
      else if (request === cancelRequest || (started && message[0] === terminate)) connection.end()
      else {
        started = true
        onMessage(message)
      }
    }
  })
}

function queryMessage(statement: string): Buffer {
  const text = Buffer.from(`${statement}\0`)
  const header = Buffer.from([query, 0, 0, 0, 0])
  header.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([header, text])
}
