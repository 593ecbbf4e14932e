// E-mails to owners of accounts about refused passwords and codes: one a day, of all nodes.
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
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

export async function sendDailyNotice(
  { database: { orm }, mail }: NoticeDeps,
  accountId: number,
  contentOf: (account: Account, movimento: string) => EmailContent,
): Promise<void> {
  const { id, refusedNoticeAt } = adminUsers
  const [account] = await orm
    .update(adminUsers)
    .set({ refusedNoticeAt: sql`now()` })
    .where(and(eq(id, accountId), or(isNull(refusedNoticeAt), lt(refusedNoticeAt, sql`now() - interval '1 day'`))))
    .returning()
  if (!account || (await mail.send(account.email, (movimento) => contentOf(account, movimento)))) return
  // The next hour in which the limit is reached tries again.
  await orm.update(adminUsers).set({ refusedNoticeAt: null }).where(eq(id, accountId))
}

/** `19/11/2026 às 14h05`, in Brazil. */
export function formatNoticeTime(time: Date): string {
  const [, year, month, day, hour, minutes] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+)$/.exec(minuteOf(time)) ?? []
  return `${day}/${month}/${year} às ${hour}h${minutes}`
}
