import { join } from 'node:path'
import { createLocalMailer } from '#server/adapters/local-mail.ts'
import type { Mailer } from '#server/adapters/mail.ts'
import { createSmtpMailer } from '#server/adapters/smtp.ts'
import type { BackgroundThrottle } from '#server/core/background-throttle.ts'
import type { Config } from '#server/core/config.ts'
import type { Log } from '#server/core/log.ts'
import type { Database } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { createSendEmail, emailsAtOnce } from '#server/outbox/email/send-email.ts'

export interface EmailHandlerParts {
  config: Config
  site: Pick<SiteService, 'current'>
  database: Database
  throttle: BackgroundThrottle
  log: Pick<Log, 'warn'>
  mailer: Mailer
}

/** Where e-mails are written if there is no SMTP server. */
export const localEmailFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'emails')

export function createEmailHandler(parts: EmailHandlerParts): ReturnType<typeof createSendEmail> {
  const { config, site, database, throttle, log, mailer } = parts
  const { publicUrl, emailsPerMinute: perMinute, firstEmailsPerHour: firstPerHour } = config
  return createSendEmail({ database, mailer, site, publicUrl, perMinute, firstPerHour, throttle, log })
}

export function createMailer(config: Config): Mailer {
  const { smtpUrl: url, emailFrom: from, dkim } = config
  if (!url) return createLocalMailer(localEmailFolder(config), from)
  return createSmtpMailer({ url, from, dkim, connections: emailsAtOnce })
}
