// Starts a server: migrates the database, builds the application, listens; and closes them in order.
import type { AddressInfo } from 'node:net'
import type { Site } from '#contract/site.ts'
import { openLocalMailbox } from '#server/adapters/local-mail.ts'
import { type AppOptions, buildApp } from '#server/app.ts'
import { createBackgroundThrottle } from '#server/core/background-throttle.ts'
import { type Config, ConfigError } from '#server/core/config.ts'
import { listenProblem } from '#server/core/listen-address.ts'
import type { Log } from '#server/core/log.ts'
import { createMetrics } from '#server/core/metrics.ts'
import { createRemovalJournal } from '#server/core/removal-journal.ts'
import { readSiteFile } from '#server/core/site.ts'
import { openAddressKey } from '#server/db/address-key.ts'
import { codeOf, isTransient, openDatabase } from '#server/db/database.ts'
import type { Engine } from '#server/db/engine.ts'
import { inTransaction, migrateDatabase } from '#server/db/migrate.ts'
import { seed } from '#server/db/seed.ts'
import { openSiteService } from '#server/db/site-settings.ts'
import { ensureFirstAdministrator, type FirstAdministrator } from '#server/features/admin/first-administrator.ts'
import { createRetention } from '#server/features/retention/retention.ts'
import type { App } from '#server/http/mount.ts'
import { createDeliveries, type Deliveries, type DeliveryOptions } from '#server/outbox/deliveries.ts'
import { createMailer, localEmailFolder } from '#server/outbox/email/email-handler.ts'
import { createErasedMail } from '#server/outbox/email/erased-mail.ts'
import { createHandlers } from '#server/outbox/handlers.ts'
import { createSheetSync } from '#server/outbox/sheet/sync-sheet.ts'

interface ServerOptions extends AppOptions {
  config: Config
  log: Log
  engine: Engine
  /** Off: deliveries stay in the queue, for other processes or for later. */
  deliveries?: 'off' | DeliveryOptions
}

export interface RunningServer {
  app: App
  deliveries: Deliveries
  port: number
  administrator: FirstAdministrator
  /** The settings that were in effect when the server started. */
  site: Site
  /** Answers the open requests and accepts no new ones. Must be called before `close`. */
  drain(): Promise<void>
  close(): Promise<void>
}

export async function startServer({
  config,
  log,
  engine,
  deliveries: deliveryOptions,
  ...options
}: ServerOptions): Promise<RunningServer> {
  const siteFile = readSiteFile(config.siteFile)
  const { administrator, addressKey } = await prepareDatabase({ engine, config, log, site: siteFile.settings })
  const database = openDatabase(engine, log, addressKey)
  const site = await openSiteService({ database, log, file: siteFile, refreshMs: options.refreshMs })
  const metrics = createMetrics()
  const throttle = createBackgroundThrottle()
  const spreadsheet = createSheetSync({ database, settings: config, throttle })
  const mailer = createMailer(config)
  const mailbox = openLocalMailbox(localEmailFolder(config))
  const deliveries = createDeliveries({
    database,
    log,
    metrics,
    throttle,
    reminders: async () => (await site.current()).lembrete,
    handlers: createHandlers({ config, site, database, throttle, log, spreadsheet, mailer }),
    mailbox,
    ...(deliveryOptions && deliveryOptions !== 'off' && { options: deliveryOptions }),
  })
  const removals = createRemovalJournal(config, log)
  const erasedMail = createErasedMail({ config, database, mailbox, removals, log })
  const retention = createRetention({ config, database, log, throttle, mailbox, onQueued: deliveries.wake })
  const deps = {
    config,
    site,
    log,
    database,
    metrics,
    throttle,
    deliveries,
    mailer,
    spreadsheet,
    removals,
    erasedMail,
  }
  const app = await buildApp(deps, options)
  await listen(app, config)
  if (config.deliveries && deliveryOptions !== 'off') {
    deliveries.start()
    retention.start()
  }
  erasedMail.start()
  return {
    app,
    deliveries,
    port: (app.server.address() as AddressInfo).port,
    administrator,
    site: await site.current(),
    async drain() {
      // Settled, so that a failure to stop the deliveries does not cut off open requests.
      await Promise.allSettled([app.drain(), deliveries.stop(), retention.stop()])
    },
    async close() {
      await app.close()
      await deliveries.stop()
      await retention.stop()
      await erasedMail.stop()
      await database.close()
    },
  }
}

/** Also explains the errors of a database that the settings name. */
export function explainDatabaseError(engine: Engine, error: unknown): unknown {
  const message = engine.kind === 'postgres' && databaseProblem(error)
  return message ? new ConfigError([message]) : error
}

interface NewDatabase {
  engine: Engine
  config: Config
  log: Log
  site: Pick<Site, 'deputado'>
}

async function prepareDatabase({ engine, config, log, site }: NewDatabase) {
  let administrator: FirstAdministrator = 'missing'
  let addressKey: Buffer | undefined
  try {
    await migrateDatabase(engine, async (orm, client) => {
      const opened = await inTransaction(client, () => openAddressKey(client, config, log))
      addressKey = opened.key
      await seed(orm, site)
      administrator = await ensureFirstAdministrator(orm, config.admin)
    })
  } catch (error) {
    throw explainDatabaseError(engine, error)
  }
  return { administrator, addressKey }
}

function databaseProblem(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === '28P01' || code === '28000') return 'DATABASE_URL: o PostgreSQL recusou o usuário ou a senha'
  if (code === '42501')
    return 'o usuário de DATABASE_URL não pode mudar as tabelas, e esta versão precisa de tabelas novas: rode antes npm run migrate, com DATABASE_OWNER_URL'
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
