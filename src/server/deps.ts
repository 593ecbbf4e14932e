import type { Mailer } from '#server/adapters/mail.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import type { Metrics } from '#server/core/metrics.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import type { Deliveries } from '#server/outbox/deliveries.ts'
import type { ErasedMail } from '#server/outbox/email/erased-mail.ts'
import type { SheetSync } from '#server/outbox/sheet/sync-sheet.ts'

/** Everything that the features are built from. */
export interface Deps {
  config: Config
  site: SiteService
  log: Log
  database: Database
  metrics: Metrics
  throttle: BackgroundThrottle
  deliveries: Deliveries
  mailer: Mailer
  spreadsheet: Pick<SheetSync, 'state'>
  removals: RemovalJournal
  erasedMail: Pick<ErasedMail, 'apply'>
}
