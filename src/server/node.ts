// One running node: the database brought up to date, the application listening, and both closed in order.
import type { AddressInfo } from 'node:net'
import type { Site } from '#contract/site.ts'
import { encodeImage } from '#server/adapters/images.ts'
import { drawPoster } from '#server/adapters/posters/draw.ts'
import { buildApp } from '#server/app.ts'
import { type Config, ConfigError } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import { readSite } from '#server/core/site.ts'
import { isTransient, openDatabase } from '#server/db/database.ts'
import type { Engine } from '#server/db/engine.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { seed } from '#server/db/seed.ts'
import { ensureFirstAdministrator, type FirstAdministrator } from '#server/features/admin/first-administrator.ts'
import { drainable } from '#server/http/drain.ts'
import type { App } from '#server/http/mount.ts'
import type { Renderer } from '#server/ssr/renderer.ts'

export interface NodeParts {
  config: Config
  log: Log
  engine: Engine
  renderer: Renderer
  pageCacheMs?: number
}

export interface RunningNode {
  app: App
  port: number
  administrator: FirstAdministrator
  /** Lets the people who are being served leave in order; to be called before closing. */
  drain(): Promise<void>
  close(): Promise<void>
}

export async function startNode({ config, log, engine, ...options }: NodeParts): Promise<RunningNode> {
  const site = readSite(config.siteFile)
  const administrator = await prepareDatabase(engine, config, site)
  const database = openDatabase(engine, log)
  const app = await buildApp({ config, site, log, database }, options)
  const drain = drainable(app)
  await listen(app, config)
  return {
    app,
    port: (app.server.address() as AddressInfo).port,
    administrator,
    drain,
    async close() {
      await app.close()
      await database.close()
    },
  }
}

async function prepareDatabase(engine: Engine, config: Config, site: Site): Promise<FirstAdministrator> {
  let administrator: FirstAdministrator = 'missing'
  try {
    await migrateDatabase(engine, async (orm) => {
      await seed(orm, site, async (poster) => encodeImage(await drawPoster(poster)))
      administrator = await ensureFirstAdministrator(orm, config.admin)
    })
  } catch (error) {
    if (engine.kind === 'embedded' || !isTransient(error)) throw error
    throw new ConfigError([
      'o PostgreSQL de DATABASE_URL não respondeu. Confira se ele está no ar e se o endereço está certo',
    ])
  }
  return administrator
}

async function listen(app: App, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new ConfigError([
      `a porta ${port} já está em uso por outro programa. Escolha outra. Exemplo: PORT=${port + 1}`,
    ])
  }
}
