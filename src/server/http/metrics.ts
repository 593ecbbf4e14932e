// Metrics of this node, for whoever knows the token. Without a token in the settings there are none.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { collectDefaultMetrics } from 'prom-client'
import { healthMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Metrics } from '#server/core/metrics.ts'
import { sameSecret } from '#server/core/tokens.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/mount.ts'
import { dueSince } from '#server/outbox/overview.ts'

export interface MetricDeps {
  metrics: Metrics
  database: Database
  token: string | undefined
}

export function metricRoutes(app: App, { metrics, database, token }: MetricDeps): void {
  if (token === undefined) return
  const { registry, watch } = metrics
  // Among them the delay of the event loop, memory and garbage collection.
  collectDefaultMetrics({ register: registry })
  watchRequests(app, metrics)
  watch('mobiliza_connections', 'Open connections.', () => connections(app.server))
  watch(
    'mobiliza_outbox_waiting',
    'Rows of deliveries that wait, told up to ten thousand; one may stand for many records.',
    async () => {
      const [row] = await known(
        database.query<{ n: number }>(
          'outbox-waiting',
          `select count(*)::int as n from (select 1 from outbox where not parada and tipo <> 'lembretes' limit 10000) waiting`,
          [],
        ),
      )
      return row?.n ?? Number.NaN
    },
  )
  watch('mobiliza_outbox_parked', 'Deliveries that failed for good and wait for an administrator.', async () => {
    const [row] = await known(
      database.query<{ n: number }>('outbox-parked-count', 'select count(*)::int as n from outbox where parada', []),
    )
    return row?.n ?? Number.NaN
  })
  watch('mobiliza_outbox_overdue_seconds', 'How long the delivery that is most overdue has been due.', async () => {
    const [row] = await known(
      database.query<{ age: number }>(
        'outbox-overdue',
        `select coalesce(greatest(extract(epoch from now() - min(${dueSince})), 0), 0)::float as age from outbox where not parada`,
        [],
      ),
    )
    return row?.age ?? Number.NaN
  })

  app.get('/metricas', { config: { access: 'operator' } }, async (request, reply) => {
    const given = request.headers.authorization?.replace(/^Bearer\s+/i, '') ?? ''
    if (!sameSecret(given, token)) throw new AppError('unauthenticated', healthMessages.metricsToken)
    reply.header('Cache-Control', 'no-store').type(registry.contentType)
    return registry.metrics()
  })
}

/** The database may be away: the other figures are then worth all the more. */
async function known<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  return rows.catch(() => [])
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
}

const startedAt = Symbol('started at')

interface Exchange {
  request: IncomingMessage & { [startedAt]?: number }
  response: ServerResponse
  server: Server
}

/** Node tells of every exchange by itself: a hook per route would cost more and miss what goes straight to the socket. */
function watchRequests(app: App, { requests, shed }: Metrics): void {
  const start = (message: unknown) => {
    const { request, server } = message as Exchange
    if (server === app.server) request[startedAt] = performance.now()
  }
  const finish = (message: unknown) => {
    const { request, response, server } = message as Exchange
    const began = request[startedAt]
    if (server !== app.server || began === undefined) return
    const status = `${Math.floor(response.statusCode / 100)}xx`
    requests.observe({ kind: kindOf(request), status }, (performance.now() - began) / 1000)
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

/** A handful of kinds: addresses themselves are endless, and some of them private. */
function kindOf({ method, url = '' }: IncomingMessage): string {
  const path = url.split('?', 1)[0] ?? ''
  if (method === 'POST') return signing.test(path) ? 'signing' : 'form'
  if (path.startsWith('/api/')) return path.endsWith('/count') ? 'count' : 'data'
  if (/^\/(assets|media|imagens|icones)\//.test(path)) return 'file'
  return /^\/(saude|metricas)/.test(path) ? 'watch' : 'page'
}
