// A real SMTP server that stores received mail and fails in the ways of real servers.
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

export interface SmtpAnswer {
  code: number
  text: string
}

/** Faults, which a test can change while mail arrives. */
export interface SmtpFaults {
  /** Delay of the response to the DATA command. */
  delayMs: number
  /** Undefined means accepted. */
  sender(): SmtpAnswer | undefined
  recipient(address: string): SmtpAnswer | undefined
  data(raw: string): SmtpAnswer | undefined
  /** Accepts the mail, then closes or resets the connection before the client gets the response. */
  dropAfterData(): 'closed' | 'reset' | undefined
}

export interface ReceivedMail {
  from: string
  /** Recipients of the envelope. */
  to: string[]
  raw: string
  encrypted: boolean
}

interface SmtpLogin {
  username: string
  encrypted: boolean
}

export interface SmtpServer {
  url: string
  port: number
  faults: SmtpFaults
  received: ReceivedMail[]
  logins: SmtpLogin[]
  parsed(): Promise<Email[]>
  stop(): Promise<void>
}

const noFaults = (): SmtpFaults => ({
  delayMs: 0,
  sender: () => undefined,
  recipient: () => undefined,
  data: () => undefined,
  dropAfterData: () => undefined,
})

interface Connection {
  session: SMTPServerSession
  _socket: Socket
}

interface SmtpOptions {
  /** The port of a stopped server simulates that this server is back. */
  port?: number
  onMail?: (mail: ReceivedMail) => unknown
  /** With a certificate, the server offers STARTTLS. */
  tls?: { key: string; cert: string }
  /** Accepts any user and password, also without encryption, and keeps them in `logins`. */
  acceptsLogin?: boolean
}

export async function startSmtp({
  port = 0,
  onMail = () => undefined,
  tls,
  acceptsLogin = false,
}: SmtpOptions = {}): Promise<SmtpServer> {
  const faults = noFaults()
  const received: ReceivedMail[] = []
  const logins: SmtpLogin[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(acceptsLogin ? [] : ['AUTH'])],
    ...tls,
    onAuth: ({ username = '' }, session, callback) => {
      logins.push({ username, encrypted: session.secure })
      callback(null, { user: username })
    },
    disableReverseLookup: true,
    closeTimeout: 100,
    onMailFrom: (_address, _session, callback) => callback(refusal(faults.sender())),
    onRcptTo: ({ address }, _session, callback) => callback(refusal(faults.recipient(address))),
    async onData(stream, session, callback) {
      const chunks: Buffer[] = await stream.toArray().catch(() => [])
      // A client that disconnects inside of a mail has sent none.
      if (stream.errored) return
      const raw = Buffer.concat(chunks).toString('utf8')
      if (faults.delayMs > 0) await delay(faults.delayMs)
      const refused = refusal(faults.data(raw))
      if (refused) return callback(refused)
      const { mailFrom, rcptTo } = session.envelope
      const mail = {
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        encrypted: session.secure,
      }
      received.push(mail)
      onMail(mail)
      const drop = faults.dropAfterData()
      if (!drop) return callback()
      for (const { session: connected, _socket: socket } of server.connections as Set<Connection>) {
        if (connected.id === session.id) drop === 'reset' ? socket.resetAndDestroy() : socket.destroy()
      }
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: chosenPort } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    faults,
    received,
    logins,
    parsed: () => Promise.all(received.map(({ raw }) => PostalMime.parse(raw))),
    async stop() {
      for (const connection of server.connections as Set<Connection>) connection._socket.destroy()
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

function refusal(answer: SmtpAnswer | undefined): Error | null {
  return answer ? Object.assign(new Error(answer.text), { responseCode: answer.code }) : null
}
