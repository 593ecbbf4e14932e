// An HTTP connection that sends one prepared request at a time, much cheaper than a full client. It reconnects when
// closed.
import { connect, type Socket } from 'node:net'

export interface ConnectionEvents {
  /** The connection can send a request. */
  ready(connection: Connection): void
  /** The connection was closed and cannot send for now. */
  lost(connection: Connection): void
  /** The response head of the request that was due at this time; empty if there was no response. */
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
    let missingBytes: number | undefined
    socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    socket.on('connect', () => events.ready(connection))
    socket.on('data', (chunk) => {
      if (missingBytes === undefined) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        missingBytes = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - head.length
      } else missingBytes -= chunk.length
      if (missingBytes > 0) return
      const whole = head
      head = ''
      missingBytes = undefined
      settle(whole)
      if (!/\r\nconnection: close/i.test(whole)) events.ready(connection)
    })
    // The close event follows and reports the failure.
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
