// An HTTP connection that sends one prepared request at a time, for a fraction of what a whole client costs the generator. Closed, it opens again.
import { connect, type Socket } from 'node:net'

export interface ConnectionEvents {
  /** May send now. */
  ready(connection: Connection): void
  /** May not send for now: it was closed. */
  lost(connection: Connection): void
  /** The head of the answer to the request that was due then; empty if none came. */
  answered(head: string, due: number): void
}

export interface Connection {
  send(request: string, due: number): void
  close(): void
}

const reopenAfterMs = 20

export function openConnection(url: string, events: ConnectionEvents): Connection {
  const { hostname, port } = new URL(url)
  let socket: Socket
  let due: number | undefined
  let closed = false

  function settle(head: string): void {
    if (due === undefined) return
    const wasDue = due
    due = undefined
    events.answered(head, wasDue)
  }

  function open(): void {
    let head = ''
    let missing: number | undefined
    socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    socket.on('connect', () => events.ready(connection))
    socket.on('data', (chunk) => {
      if (missing === undefined) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        missing = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - head.length
      } else missing -= chunk.length
      if (missing > 0) return
      const whole = head
      head = ''
      missing = undefined
      settle(whole)
      if (!/\r\nconnection: close/i.test(whole)) events.ready(connection)
    })
    // What went wrong is told by the close that follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      events.lost(connection)
      settle('')
      if (!closed) setTimeout(() => closed || open(), reopenAfterMs)
    })
  }

  const connection: Connection = {
    send(request, wasDue) {
      due = wasDue
      socket.write(request)
    },
    close() {
      closed = true
      socket.destroy()
    },
  }
  open()
  return connection
}
