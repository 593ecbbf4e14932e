// A simulated Google Sheets: a real HTTP server with a token endpoint, which stores cells as Google does and fails on
// demand.
import { generateKeyPairSync, type KeyObject, randomBytes, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '#tests/helpers/random.ts'
import { Refusal, type SheetTab, SheetTabs } from '#tests/helpers/sheet-tabs.ts'
import { drawTabs } from '#tests/helpers/sheets-view.ts'

/**
 * silence: no response; the change is applied or not, at random.
 * late: no response; the change is applied after the client has reply up.
 * dropped: the change is applied, and the connection is closed instead of a response.
 */
export type Fault = 'quota' | 'error' | 'silence' | 'late' | 'dropped'

export interface SheetsServer {
  url: string
  id: string
  /** Settings with which a site uses this server. */
  env: Record<string, string>
  tabs: SheetTabs
  /** Percentage of all calls that fail, by fault. */
  faults: Partial<Record<Fault, number>>
  /** The next calls of this kind fail in this way, before random faults apply. */
  failNext(kind: 'read' | 'write' | 'token', ...faults: Fault[]): void
  /** Tabs that the service account may not edit. */
  protectedTabs: Set<string>
  /** The spreadsheet has reached its cell limit and accepts no more rows. */
  full: boolean
  /** Whether the spreadsheet is shared with the service account. */
  shared: boolean
  /** Number of calls by kind (`write`, `read`, `token`), or by kind and fault (`write quota`). */
  counts: Record<string, number>
  /** Arrival times of writes in milliseconds, including rejected ones. */
  writes: number[]
  /** The access tokens of accepted writes. Each node has its own token. */
  writers: Set<string>
  /** The highest number of concurrent calls. */
  maxAtOnce: number
  close(): Promise<void>
}

export interface SheetsServerOptions {
  folder: string
  random?: Random
  /** Write quota of a service account per minute. */
  writesPerMinute?: number
  lateMs?: number
  /** Duration of a call. With 0, calls that should not overlap rarely do. */
  answerMs?: number
}

const account = 'mobiliza@projeto-ficticio.iam.gserviceaccount.example.org'
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startSheetsServer(options: SheetsServerOptions): Promise<SheetsServer> {
  const { folder, random, writesPerMinute = 60, lateMs = 8_000, answerMs = 0 } = options
  const tokens = new Set<string>()
  const planned: Record<string, Fault[]> = {}
  const timers = new Set<NodeJS.Timeout>()
  let inFlight = 0
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accountFile = join(folder, 'conta-de-servico.json')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(
    accountFile,
    JSON.stringify({ type: 'service_account', client_email: account, private_key: key, token_uri: `${url}/token` }),
  )

  const sheets: SheetsServer = {
    url,
    id: 'planilha-ficticia',
    env: { GOOGLE_SHEETS_ID: 'planilha-ficticia', GOOGLE_SERVICE_ACCOUNT: accountFile, GOOGLE_SHEETS_URL: url },
    tabs: new SheetTabs(),
    faults: {},
    failNext(kind, ...faults) {
      planned[kind] = [...(planned[kind] ?? []), ...faults]
    },
    protectedTabs: new Set(),
    full: false,
    shared: true,
    counts: {},
    writes: [],
    writers: new Set(),
    maxAtOnce: 0,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function drawFault(kind: string): Fault | undefined {
    const next = planned[kind]?.shift()
    if (next) return next
    let left = random?.between(1, 100) ?? 101
    for (const [fault, share] of Object.entries(sheets.faults)) {
      left -= share
      if (left <= 0) return fault as Fault
    }
    return undefined
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (path === '/') return void response.setHeader('content-type', 'text/html').end(drawTabs(sheets.tabs))
    inFlight += 1
    sheets.maxAtOnce = Math.max(sheets.maxAtOnce, inFlight)
    response.once('close', () => {
      inFlight -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const kind = path === '/token' ? 'token' : request.method === 'POST' ? 'write' : 'read'
    const fault = drawFault(kind)
    const countKey = fault ? `${kind} ${fault}` : kind
    sheets.counts[countKey] = (sheets.counts[countKey] ?? 0) + 1
    const answer = () => answerTo({ kind, path, body, authorization: request.headers.authorization })

    if (kind === 'write') sheets.writes.push(Date.now())
    if (fault === 'quota') return send(response, quotaExceeded)
    if (fault === 'error') return send(response, { status: 500, body: { error: { code: 500, status: 'INTERNAL' } } })
    if (fault === 'silence') return void (random?.between(0, 1) && answer())
    if (fault === 'late') {
      const timer = setTimeout(answer, lateMs)
      timers.add(timer)
      return
    }
    if (kind === 'write' && isOverQuota()) {
      sheets.counts['over quota'] = (sheets.counts['over quota'] ?? 0) + 1
      return send(response, quotaExceeded)
    }
    if (answerMs > 0) await delay(answerMs)
    const reply = answer()
    if (fault === 'dropped') return void response.destroy()
    send(response, reply)
  }

  function isOverQuota(): boolean {
    const minuteAgo = Date.now() - 60_000
    return sheets.writes.filter((at) => at > minuteAgo).length > writesPerMinute
  }

  function answerTo({ kind, path, body, authorization }: Call): Answer {
    try {
      if (kind === 'token') return issueToken(body)
      const token = authorization?.replace('Bearer ', '') ?? ''
      if (!tokens.has(token)) throw new Refusal(401, 'UNAUTHENTICATED')
      if (!path.startsWith(`/v4/spreadsheets/${sheets.id}`)) throw new Refusal(404, 'NOT_FOUND')
      if (!sheets.shared) throw new Refusal(403, 'PERMISSION_DENIED')
      if (kind === 'read') return { status: 200, body: read(new URL(path, url)) }
      const updated = update(body)
      sheets.writers.add(token)
      return { status: 200, body: updated }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, message } = error
      return { status, body: { error: { code: status, message, status: message } } }
    }
  }

  function issueToken(body: string): Answer {
    const form = new URLSearchParams(body)
    const isGranted = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    if (!isGranted || !isSigned(form.get('assertion') ?? '', publicKey, `${url}/token`))
      return { status: 400, body: { error: 'invalid_grant' } }
    const token = randomBytes(16).toString('hex')
    tokens.add(token)
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } }
  }

  function update(body: string): object {
    if (Buffer.byteLength(body) > 2_000_000) throw new Refusal(400, 'payload too large')
    const { requests } = JSON.parse(body)
    for (const title of sheets.protectedTabs) {
      const touched = new RegExp(`"sheetId":${sheets.tabs.tab(title)?.sheetId}\\b`)
      if (touched.test(body)) throw new Refusal(400, 'protected cell or object')
    }
    if (sheets.full && body.includes('"appendCells"'))
      throw new Refusal(
        400,
        'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
      )
    sheets.tabs.update(requests)
    return { spreadsheetId: sheets.id, replies: [] }
  }

  function read({ pathname, searchParams }: URL): object {
    if (!pathname.endsWith('/values:batchGet')) return { sheets: sheets.tabs.all().map(describeTab) }
    return { valueRanges: searchParams.getAll('ranges').map((range) => sheets.tabs.valuesOf(range)) }
  }

  return sheets
}

interface Call {
  kind: string
  path: string
  body: string
  authorization: string | undefined
}

interface Answer {
  status: number
  body: object
}

const quotaExceeded: Answer = {
  status: 429,
  body: {
    error: { code: 429, message: "Quota exceeded for quota metric 'Write requests'", status: 'RESOURCE_EXHAUSTED' },
  },
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const describeTab = ({ sheetId, title, columns }: SheetTab) => ({
  properties: { sheetId, title, gridProperties: { columnCount: columns } },
})

/** The checks that Google does: signature, issuer, audience, scope and a short lifetime. */
function isSigned(assertion: string, key: KeyObject, audience: string): boolean {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8') || '{}')
  const { iss, aud, scope, iat, exp } = read(claims)
  const now = Date.now() / 1000
  return (
    read(head).alg === 'RS256' &&
    verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')) &&
    iss === account &&
    aud === audience &&
    scope === 'https://www.googleapis.com/auth/spreadsheets' &&
    iat <= now + 60 &&
    exp > now &&
    exp <= iat + 3600
  )
}
