// Stores reported bounces and complaints. Idempotent: providers repeat their reports.
import { sql } from 'drizzle-orm'
import { canonicalizeEmail, mailboxOf } from '#server/core/canonical-email.ts'
import type { RemovalJournal } from '#server/core/removal-journal.ts'
import type { Database } from '#server/db/database.ts'
import type { EmailEvent } from '#server/features/suppressions/webhook-events.ts'
import { suppressAddress } from '#server/outbox/email/email-quota.ts'
import { queueSheetUpdatesOf } from '#server/outbox/sheet/sheet-updates.ts'

interface EmailEventsDeps {
  database: Database
  removals: RemovalJournal
  /** Called after deliveries were queued. */
  onQueued(): void
}

export function createEmailEvents({ database, removals, onQueued }: EmailEventsDeps) {
  /** A person who complains about an e-mail wants no more news. */
  async function unsubscribe(mailbox: string): Promise<void> {
    const addressHmac = database.orm.addressHmac(mailbox)
    await removals.appendRefusal({ choice: 'news', addressHmac })
    await database.transaction(async (tx) => {
      const { rows } = await tx.execute(sql`
        insert into enderecos ("addressHmac", "unsubscribedAt") values (${addressHmac}, now())
        on conflict ("addressHmac") do update set "unsubscribedAt" = now() where enderecos."unsubscribedAt" is null
        returning 1 as changed`)
      if (rows.length > 0) await queueSheetUpdatesOf(tx, mailbox)
    })
  }

  return {
    async record(events: EmailEvent[]): Promise<void> {
      for (const { kind, email, detail } of events) {
        const canonicalEmail = canonicalizeEmail(email)
        await suppressAddress(database, canonicalEmail, { kind, detail })
        if (kind === 'reclamacao') await unsubscribe(mailboxOf(canonicalEmail))
      }
      onQueued()
    },
  }
}
