// Which couriers this site has, and by what they deliver: the servers that the operator has configured, or files in the data folder.
import { join } from 'node:path'
import type { Site } from '#contract/site.ts'
import { createLocalMailer } from '#server/adapters/local-mail.ts'
import type { Mailer } from '#server/adapters/mail.ts'
import { createSmtpMailer } from '#server/adapters/smtp.ts'
import type { Config } from '#server/core/config.ts'
import type { Rush } from '#server/core/rush.ts'
import type { Database } from '#server/db/database.ts'
import type { Courier } from '#server/outbox/delivery.ts'
import { createSendEmail, emailsAtOnce } from '#server/outbox/send-email.ts'

export interface CourierParts {
  config: Config
  site: Site
  database: Database
  rush: Rush
}

/** Where e-mails are written when there is no SMTP server. */
export const localEmailFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'emails')

export function createCouriers({ config, site, database, rush }: CourierParts): Courier[] {
  const { publicUrl, emailsPerMinute: perMinute } = config
  return [createSendEmail({ database, mailer: mailerFor(config, site), site, publicUrl, perMinute, rush })]
}

function mailerFor(config: Config, { movimento }: Site): Mailer {
  const { smtpUrl: url, emailFrom: address, dkim } = config
  const from = { name: movimento, address }
  if (!url) return createLocalMailer(localEmailFolder(config), from)
  return createSmtpMailer({ url, from, dkim, connections: emailsAtOnce })
}
