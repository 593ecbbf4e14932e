// Routes of the suppression list, and the webhook of the e-mail provider.
import { adminMessages } from '#contract/admin/messages.ts'
import { listSuppressions, removeSuppression } from '#contract/admin/suppressions.ts'
import { emailWebhookMessages, receiveEmailEvents } from '#contract/email-webhook.ts'
import type { Deps } from '#server/deps.ts'
import { createEmailEvents } from '#server/features/suppressions/email-events.ts'
import { createSuppressions } from '#server/features/suppressions/suppressions.ts'
import { eventsOf } from '#server/features/suppressions/webhook-events.ts'
import { isSigned, mailgunSignature, mailgunTokenMs } from '#server/features/suppressions/webhook-signature.ts'
import { type App, mountForAdministrators, mountForSignedWebhook } from '#server/http/mount.ts'

/** Enough for the reports of nine hours: some megabytes. Of more, the oldest are forgotten. */
const maxKnownTokens = 50_000

export function registerSuppressions(app: App, { config, database, removals, deliveries }: Deps): void {
  const suppressions = createSuppressions(database)
  const events = createEmailEvents({ database, removals, onQueued: deliveries.wake })
  const tokens = createTokenMemory()
  const secret = config.emailWebhookSecret

  mountForAdministrators(app, listSuppressions, async (_, { query, auditRead }) => {
    if (query.busca) await auditRead('')
    return { success: true, ...(await suppressions.list(query)) }
  })

  mountForAdministrators(app, removeSuppression, async (_, { params: { id }, audit }) => {
    await suppressions.remove(id, audit)
    return { success: true, message: adminMessages.suppressions.removed }
  })

  mountForSignedWebhook(app, receiveEmailEvents, {
    isSigned:
      secret === undefined ? undefined : (headers, body) => isSigned({ headers, body, secret, now: new Date() }),
    messages: emailWebhookMessages,
    async handle(body, { rawBody }) {
      const token = mailgunSignature(rawBody)?.token
      // Mailgun's signature does not cover the event. Without this, a recorded one could be sent with another event. A
      // repeated report is harmless: it stores the same again. A report that failed may come again with its token.
      if (token === undefined || !tokens.has(token)) await events.record(eventsOf(body))
      if (token !== undefined) tokens.add(token)
      return { success: true, message: emailWebhookMessages.received }
    },
  })
}

/** Tokens that were used in the time in which their signature is accepted. Each node remembers its own. */
function createTokenMemory() {
  const used = new Map<string, number>()
  return {
    has: (token: string) => used.has(token),
    add(token: string): void {
      const now = Date.now()
      for (const [known, until] of used) {
        if (until > now && used.size < maxKnownTokens) break
        used.delete(known)
      }
      used.set(token, now + mailgunTokenMs)
    },
  }
}
