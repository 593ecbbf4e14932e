// The PostgreSQL protocol on a unix socket, for the one session that PGlite has: an exchange runs whole, and nobody comes between
// the statements of a transaction.
import { createServer, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

export interface EngineSocket {
  /** Runs a statement of our own when its turn comes; resolves when it has ended, well or not. */
  run(statement: string): Promise<void>
  close(): Promise<void>
}

/** Messages up to the one that asks for the answer. */
interface Exchange {
  /** Absent: ours, and the answer is for nobody. */
  connection?: Socket
  messages: Buffer[]
  onEnd?(): void
}

const type = (letter: string) => letter.charCodeAt(0)
const [query, sync, flush, call, terminate] = [type('Q'), type('S'), type('H'), type('F'), type('X')]
const endsExchange = new Set([query, sync, flush, call])
const syncMessage = Buffer.from([sync, 0, 0, 0, 4])
// What a client may ask before it starts; neither encryption nor a way to cancel exists here.
const cancelRequest = 80_877_102
const encryptionRequests = new Set([80_877_103, 80_877_104])

export async function openSocket(db: PGlite, file: string): Promise<EngineSocket> {
  const waiting: Exchange[] = []
  const connections = new Set<Socket>()
  /** Whose transaction is open, or whose exchange has not come to its end. */
  let holder: Socket | undefined
  let running = false

  function next(): Exchange | undefined {
    const index = holder ? waiting.findIndex(({ connection }) => connection === holder) : 0
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }

  async function runWaiting(): Promise<void> {
    if (running) return
    running = true
    for (let exchange = next(); exchange; exchange = next()) await runExchange(exchange)
    running = false
  }

  async function runExchange({ connection, messages, onEnd }: Exchange): Promise<void> {
    const onRawData = (bytes: Uint8Array) => {
      // The bytes are the engine's own memory, and will soon say something else.
      if (connection?.writable) connection.write(Buffer.from(bytes))
    }
    connection?.cork()
    try {
      for (const message of messages) await db.execProtocolRawStream(message, { syncToFs: false, onRawData })
    } catch {
      // A start that the engine does not understand; everything else it answers by itself.
      connection?.destroy()
    }
    connection?.uncork()
    const unfinished = messages.at(-1)?.[0] === flush
    holder = connection && (unfinished || db.isInTransaction()) ? connection : undefined
    if (holder?.destroyed) endFor(holder)
    onEnd?.()
  }

  /** Who leaves in the middle of a transaction must not keep the others waiting. */
  function endFor(connection: Socket): void {
    ask({ connection, messages: [syncMessage, queryMessage('rollback')] })
  }

  function ask(exchange: Exchange): void {
    waiting.push(exchange)
    void runWaiting()
  }

  const server = createServer((connection) => {
    connections.add(connection)
    let messages: Buffer[] = []
    readMessages(connection, (message) => {
      messages.push(message)
      if (!endsExchange.has(message[0] ?? 0) && !isStart(message)) return
      ask({ connection, messages })
      messages = []
    })
    connection.on('error', () => connection.destroy())
    connection.on('close', () => {
      connections.delete(connection)
      const left = waiting.filter((exchange) => exchange.connection !== connection)
      waiting.splice(0, waiting.length, ...left)
      if (holder === connection) endFor(connection)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(file, resolve))

  return {
    run: (statement) => new Promise((onEnd) => ask({ messages: [queryMessage(statement)], onEnd })),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const connection of connections) connection.destroy()
      await closed
    },
  }
}

/** The first message of a connection has no type, only a length, whose first byte is zero. */
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
