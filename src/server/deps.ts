// What the features are built from: settings, the database, the log.
import type { Site } from '#contract/site.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'

export interface Deps {
  config: Config
  site: Site
  log: Log
  database: Database
}
