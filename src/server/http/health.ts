import { sql } from 'drizzle-orm'
import { healthMessages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import { createShortCache } from '#server/core/short-cache.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/mount.ts'

const timeoutMs = 2_000
const readinessMs = 1_000

export function registerHealth(app: App, { database }: { database: Database }): void {
  app.get('/saude', { config: { access: 'anyone' } }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return { success: true, message: healthMessages.live }
  })

  // The server listens only after the migrations, so a successful query shows that database and tables are available.
  // The answer of the last second is used again: the route is public.
  const readiness = createShortCache(async () => {
    // Concurrent requests share one check: without the timeout, a query that hangs would block all later requests.
    const timeout = new Promise<never>((_, reject) => setTimeout(reject, timeoutMs, new Error('timeout')).unref())
    await Promise.race([database.orm.execute(sql`select 1 from campaigns limit 1`), timeout])
  }, readinessMs)

  app.get('/saude/pronto', { config: { access: 'anyone' } }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    // A process that shuts down stops listening first. Load balancers may still ask on an open connection.
    if (!app.server.listening) throw new AppError('unavailable', healthMessages.notReady)
    try {
      await readiness.get()
    } catch {
      throw new AppError('unavailable', healthMessages.notReady)
    }
    return { success: true, message: healthMessages.ready }
  })
}
