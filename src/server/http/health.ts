// What a load balancer asks: is the process alive, and can it take work.
import { sql } from 'drizzle-orm'
import { healthMessages } from '#contract/messages.ts'
import { askedTogether } from '#server/core/asked-together.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import type { App } from '#server/http/mount.ts'

const patienceMs = 2_000

export function healthRoutes(app: App, { database }: { database: Database }): void {
  app.get('/saude', { config: { access: 'anyone' } }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return { success: true, message: healthMessages.live }
  })

  // The server listens only after the migrations, so a table that answers means that both are there.
  const ask = askedTogether(async () => {
    // A database that hangs is not waited for by who asks later.
    const late = new Promise<never>((_, reject) => setTimeout(reject, patienceMs, new Error('late')).unref())
    await Promise.race([database.orm.execute(sql`select 1 from campaigns limit 1`), late])
  })

  app.get('/saude/pronto', { config: { access: 'anyone' } }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
    // Who leaves stops listening first: a balancer that asks on an open connection is told as well.
    if (!app.server.listening) throw new AppError('unavailable', healthMessages.notReady)
    try {
      await ask()
    } catch {
      throw new AppError('unavailable', healthMessages.notReady)
    }
    return { success: true, message: healthMessages.ready }
  })
}
