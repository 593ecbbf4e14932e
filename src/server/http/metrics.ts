// Serves the Prometheus metrics of this node to clients with the token. Disabled if no token is configured.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { healthMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { sameSecret } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/mount.ts'
import { heldFirstEmails } from '#server/outbox/email/first-emails.ts'
import { dueSince, isUrgent } from '#server/outbox/queue/overview.ts'

interface MetricDeps {
  metrics: Metrics
  database: Database
  token: string | undefined
}

export function registerMetrics(app: App, { metrics, database, token }: MetricDeps): void {
  if (token === undefined) return
  const { registry, watch } = metrics
  // Includes event loop delay, memory and garbage collection.
  collectDefaultMetrics({ register: registry })
  watchRequests(app, metrics)
  watch('mobiliza_connections', 'Open connections.', () => countConnections(app.server))
  watch(
    'mobiliza_outbox_waiting',
    'Rows of deliveries that wait, told up to ten thousand; one may stand for many records.',
    async () => {
      const [row] = await emptyOnFailure(
        database.query<{ n: number }>(
          'outbox-waiting',
          `select count(*)::int as n from (select 1 from outbox where not dead and kind <> 'lembretes' limit 10000) waiting`,
          [],
        ),
      )
      return row?.n ?? Number.NaN
    },
  )
  watch('mobiliza_outbox_parked', 'Deliveries that failed for good and wait for an administrator.', async () => {
    const [row] = await emptyOnFailure(
      database.query<{ n: number }>('outbox-parked-count', 'select count(*)::int as n from outbox where dead', []),
    )
    return row?.n ?? Number.NaN
  })
  watch(
    'mobiliza_first_emails_held',
    'First e-mails that wait because more were asked for than FIRST_EMAILS_PER_HOUR.',
    async () => {
      const held = await heldFirstEmails(database).catch(() => undefined)
      return held === undefined ? Number.NaN : (held?.waiting ?? 0)
    },
  )
  watch(
    'mobiliza_outbox_overdue_seconds',
    'How long the delivery that is most overdue has been due, without news.',
    async () => {
      const [row] = await emptyOnFailure(
        database.query<{ age: number }>(
          'outbox-overdue',
          `select coalesce(greatest(extract(epoch from now() - min(${dueSince})), 0), 0)::float as age from outbox where not dead and ${isUrgent}`,
          [],
        ),
      )
      return row?.age ?? Number.NaN
    },
  )

  app.get('/metricas', { config: { access: 'operator' } }, async (request, reply) => {
    const given = request.headers.authorization?.replace(/^Bearer\s+/i, '') ?? ''
    if (!sameSecret(given, token)) throw new AppError('unauthenticated', healthMessages.metricsToken)
    reply.header('Cache-Control', 'no-store').type(registry.contentType)
    return registry.metrics()
  })
}

/** While the database is down, the other metrics must still be served: they are needed most then. */
async function emptyOnFailure<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  return rows.catch(() => [])
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}

const startedAt = Symbol('started at')

interface RequestEvent {
  request: IncomingMessage & { [startedAt]?: number }
  response: ServerResponse
  server: Server
}

/** Uses the diagnostics channels of Node: a hook per route would cost more and miss responses that bypass Fastify. */
function watchRequests(app: App, { requests, shed }: Metrics): void {
  const start = (message: unknown) => {
    const { request, server } = message as RequestEvent
    if (server === app.server) request[startedAt] = performance.now()
  }
  const finish = (message: unknown) => {
    const { request, response, server } = message as RequestEvent
    const startTime = request[startedAt]
    if (server !== app.server || startTime === undefined) return
    const status = `${Math.floor(response.statusCode / 100)}xx`
    requests.observe({ kind: kindOf(request), status }, (performance.now() - startTime) / 1000)
  }
  subscribe('http.server.request.start', start)
  subscribe('http.server.response.finish', finish)
  app.server.on('drop', () => shed('connections'))
  app.addHook('onClose', async () => {
    unsubscribe('http.server.request.start', start)
    unsubscribe('http.server.response.finish', finish)
  })
}

const signing = /^\/api\/(peticoes|abaixo-assinado|campaigns\/[^/]+\/signatures)\/?$/

/** Paths are not used as labels: their number is unlimited, and some contain private data. */
function kindOf({ method, url = '' }: IncomingMessage): string {
  const path = url.split('?', 1)[0] ?? ''
  if (method === 'POST') return signing.test(path) ? 'signing' : 'form'
  if (path.startsWith('/api/')) return path.endsWith('/count') ? 'count' : 'data'
  if (/^\/(assets|media|imagens|icones)\//.test(path)) return 'file'
  return /^\/(saude|metricas)/.test(path) ? 'watch' : 'page'
}
