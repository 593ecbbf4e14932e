// E-mails to owners of accounts about refused passwords and codes: one of each kind a day, of all nodes.
import { and, eq, isNull, lt, lte, or, sql } from 'drizzle-orm'
import { minuteOf } from '#server/core/brazil-time.ts'
import type { Database } from '#server/db/database.ts'
import { adminUsers } from '#server/db/schema.ts'
import type { AccountMail } from '#server/features/admin/account-mail.ts'
import type { EmailContent } from '#server/outbox/email/email-layout.ts'

export interface NoticeDeps {
  database: Pick<Database, 'orm'>
  mail: AccountMail
}

type Account = typeof adminUsers.$inferSelect

/**
 * A serious notice is also sent on the day of a mild one, or wrong passwords could suppress it. Both claim
 * `refusedNoticeAt`. A serious notice dates it a day ahead, so it also holds mild ones back.
 */
const urgencies = {
  mild: { claimedAt: sql`now()`, dueBefore: sql`now() - interval '1 day'` },
  serious: { claimedAt: sql`now() + interval '1 day'`, dueBefore: sql`now()` },
}

interface DailyNotice {
  accountId: number
  urgency: keyof typeof urgencies
  contentOf(account: Account, movimento: string): EmailContent
}

export async function sendDailyNotice(
  { database: { orm }, mail }: NoticeDeps,
  { accountId, urgency, contentOf }: DailyNotice,
): Promise<void> {
  const { id, refusedNoticeAt } = adminUsers
  const { claimedAt, dueBefore } = urgencies[urgency]
  const [account] = await orm
    .update(adminUsers)
    .set({ refusedNoticeAt: claimedAt })
    .where(and(eq(id, accountId), or(isNull(refusedNoticeAt), lt(refusedNoticeAt, dueBefore))))
    .returning()
  if (!account || (await mail.send(account.email, (movimento) => contentOf(account, movimento)))) return
  // The next hour in which the limit is reached tries again. A serious notice may have been sent since a mild one.
  await orm
    .update(adminUsers)
    .set({ refusedNoticeAt: null })
    .where(and(eq(id, accountId), lte(refusedNoticeAt, claimedAt)))
}

/** `19/11/2026 às 14h05`, in Brazil. */
export function formatNoticeTime(time: Date): string {
  const [, year, month, day, hour, minutes] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)$/.exec(minuteOf(time)) ?? []
  return `${day}/${month}/${year} às ${hour}h${minutes}`
}
