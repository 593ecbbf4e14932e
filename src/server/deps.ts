// What the features are built from: settings, the database, the log, what is counted, what is limited and what is delivered.
import type { Site } from '#contract/site.ts'
import type { Config } from '#server/core/config.ts'
import type { Limits } from '#server/core/limits.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import type { Deliveries } from '#server/outbox/deliveries.ts'
import type { SheetSync } from '#server/outbox/sync-sheet.ts'

export interface Deps {
  config: Config
  site: Site
  log: Log
  database: Database
  metrics: Metrics
  limits: Limits
  rush: Rush
  deliveries: Deliveries
  spreadsheet: Pick<SheetSync, 'state'>
  removals: RemovalJournal
}
