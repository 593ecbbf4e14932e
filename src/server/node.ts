// One running node: the database brought up to date, the application listening, and both closed in order.
import type { AddressInfo } from 'node:net'
import type { Site } from '#contract/site.ts'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { type AppOptions, buildApp } from '#server/app.ts'
import { type Config, ConfigError } from '#server/core/config.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { createLimits } from '#server/core/limits.ts'
import { listenProblem } from '#server/core/listen-address.ts'
import type { Log } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import type { Poster } from '#server/core/poster.ts'
import { createRemovalJournal } from '#server/core/removal-journal.ts'
import { createRush } from '#server/core/rush.ts'
import { readSite } from '#server/core/site.ts'
import { codeOf, isTransient, openDatabase } from '#server/db/database.ts'
import type { Engine } from '#server/db/engine.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { seed } from '#server/db/seed.ts'
import { ensureFirstAdministrator, type FirstAdministrator } from '#server/features/admin/first-administrator.ts'
import { drainable } from '#server/http/drain.ts'
import type { App } from '#server/http/mount.ts'
import { createCouriers, localEmailFolder } from '#server/outbox/couriers.ts'
import { createDeliveries, type Deliveries, type DeliveryOptions } from '#server/outbox/deliveries.ts'
import { createFormerSheetErasure } from '#server/outbox/former-sheets.ts'
import { createSheetSync } from '#server/outbox/sync-sheet.ts'

export interface NodeParts extends AppOptions {
  config: Config
  log: Log
  engine: Engine
  /** Off: what is to be delivered stays in the queue, for other nodes or for later. */
  deliveries?: 'off' | DeliveryOptions
}

export interface RunningNode {
  app: App
  deliveries: Deliveries
  port: number
  administrator: FirstAdministrator
  /** Lets the people who are being served leave in order; to be called before closing. */
  drain(): Promise<void>
  close(): Promise<void>
}

export async function startNode({
  config,
  log,
  engine,
  deliveries: wanted,
  ...options
}: NodeParts): Promise<RunningNode> {
  const site = readSite(config.siteFile)
  const administrator = await prepareDatabase(engine, config, site)
  const database = openDatabase(engine, log)
  const metrics = createMetrics()
  const rush = createRush()
  const spreadsheet = createSheetSync({ database, settings: config, rush })
  const deliveries = createDeliveries({
    database,
    log,
    metrics,
    rush,
    reminders: site.lembrete,
    retentionDays: config.retentionDays,
    couriers: [
      ...createCouriers({ config, site, database, rush }),
      spreadsheet.courier,
      createFormerSheetErasure(database, config),
    ],
    mailbox: openLocalMailbox(localEmailFolder(config)),
    ...(wanted && wanted !== 'off' && { options: wanted }),
  })
  const removals = createRemovalJournal(config, log)
  const deps = { config, site, log, database, metrics, limits: createLimits(), rush, deliveries, spreadsheet, removals }
  const app = await buildApp(deps, options)
  const drain = drainable(app)
  await listen(app, config)
  if (config.deliveries && wanted !== 'off') deliveries.start()
  return {
    app,
    deliveries,
    port: (app.server.address() as AddressInfo).port,
    administrator,
    async drain() {
      // Whatever becomes of the deliveries, people are answered first.
      await Promise.allSettled([drain(), deliveries.stop()])
    },
    async close() {
      await app.close()
      await deliveries.stop()
      await database.close()
    },
  }
}

async function prepareDatabase(engine: Engine, config: Config, site: Site): Promise<FirstAdministrator> {
  let administrator: FirstAdministrator = 'missing'
  try {
    await migrateDatabase(engine, async (orm) => {
      await seed(orm, site, printPoster)
      administrator = await ensureFirstAdministrator(orm, config.admin)
    })
  } catch (error) {
    const sentence = engine.kind === 'postgres' && whyNoDatabase(error)
    if (!sentence) throw error
    throw new ConfigError([sentence])
  }
  return administrator
}

/** Drawing is needed once in the life of a site, so its tools are loaded only then. */
async function printPoster(poster: Poster): Promise<EncodedImage> {
  const { drawPoster } = await import('#server/adapters/posters/draw.ts')
  const { encodeImage } = await import('#server/adapters/images.ts')
  return encodeImage(await drawPoster(poster))
}

function whyNoDatabase(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === '28P01' || code === '28000') return 'DATABASE_URL: o PostgreSQL recusou o usuário ou a senha'
  if (code === '3D000')
    return 'DATABASE_URL: esse banco não existe no PostgreSQL. Crie-o antes. Exemplo: createdb mobiliza'
  if (isTransient(error)) {
    return 'o PostgreSQL de DATABASE_URL não respondeu. Confira se ele está no ar e se o endereço está certo'
  }
  return undefined
}

async function listen(app: App, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    throw listenProblem(error, { port, host }) ?? error
  }
}
