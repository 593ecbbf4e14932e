// The queue for administrators: how much waits, which deliveries are dead and why, and how to resend them.
import { type SQL, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { type HeldEmails, heldFirstEmails } from '#server/outbox/email/first-emails.ts'

/**
 * Since when a row is due. An unreachable destination moves `dueAt` without counting an attempt, so a row without
 * attempts is due since its creation.
 */
export const dueSince = `case when attempts = 0 and "dueAt" <= now() then least("dueAt", "createdAt") else "dueAt" end`

/** News wait for all other e-mails, for the next day, or at 'infinity' while they are paused. They are never late. */
export const isUrgent = `kind <> 'novidade'`

interface Summary {
  /** E-mails and spreadsheet rows that wait or are being delivered. */
  waiting: number
  /** How long the oldest due delivery has been due, in seconds. Without news. */
  oldestSeconds: number
  /** The number of dead letters. */
  parked: number
  /** Reasons of failures, the most frequent first, of waiting and dead deliveries. */
  reasons: { reason: string; deliveries: number }[]
  /** When the mail server was last unreachable; null if it was not in the last minutes. */
  emailsAway: { at: Date; reason: string } | null
  /** First e-mails that wait because of their hourly ceiling. */
  heldEmails: HeldEmails | null
}

interface DeadDelivery {
  id: number
  tipo: string
  reason: string
  tries: number
  createdAt: Date
}

const requeue = (tx: Orm, ids: SQL) =>
  tx.execute(sql`
  update outbox set dead = false, attempts = 0, "dueAt" = now(), reason = null where id in (${ids}) and dead`)
// A delivery that returns from an unreachable destination has a reason, but no counted attempt. An unreachable
// destination is probed about once a minute.
const lastUnreachable = `
  select least("dueAt", now()) as at, reason from outbox
  where kind = 'email' and not dead and "leasedBy" is null and attempts = 0 and reason is not null and "dueAt" > now() - interval '3 minutes'
  order by 1 desc limit 1`
/** The maximum in one transaction, so that signatures do not wait for all of them. */
const resendBatchSize = 1_000

export type Overview = ReturnType<typeof createOverview>

export function createOverview({ query, transaction }: Database) {
  return {
    async summary(): Promise<Summary> {
      const [totals] = await query<{ waiting: string; oldestSeconds: number; parked: string }>(
        'outbox-totals',
        `select
          coalesce(sum(case jsonb_typeof(coalesce(payload->'ids', payload)) when 'array'
            then jsonb_array_length(coalesce(payload->'ids', payload)) else 1 end) filter (where not dead), 0) as waiting,
          coalesce(greatest(extract(epoch from now() - min(${dueSince}) filter (where not dead and ${isUrgent})), 0), 0)::float8 as "oldestSeconds",
          count(*) filter (where dead) as parked
        from outbox where kind <> 'lembretes'`,
        [],
      )
      const reasons = await query<{ reason: string; deliveries: number }>(
        'outbox-reasons',
        `select reason, count(*)::int as deliveries from outbox where reason is not null
        group by reason order by 2 desc, 1 limit 10`,
        [],
      )
      const [away = null] = await query<{ at: Date; reason: string }>('emails-away', lastUnreachable, [])
      return {
        emailsAway: away,
        heldEmails: await heldFirstEmails({ query }),
        waiting: Number(totals?.waiting),
        oldestSeconds: totals?.oldestSeconds ?? 0,
        parked: Number(totals?.parked),
        reasons,
      }
    },
    /** Dead letters, the latest first. */
    async parked(limit = 100): Promise<DeadDelivery[]> {
      const rows = await query<DeadDelivery>(
        'outbox-parked',
        `select id, kind as tipo, coalesce(reason, '') as reason, attempts as tries, "createdAt"
        from outbox where dead order by id desc limit $1`,
        [limit],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) }))
    },
    /** False if the delivery is not a dead letter, or no longer is. */
    resend(id: number, audit: Audit): Promise<boolean> {
      return transaction(async (tx) => {
        const { rowCount } = await requeue(tx, sql`${id}::bigint`)
        if (rowCount) await audit(tx, `nº ${id}`)
        return Boolean(rowCount)
      })
    },
    /** Returns the number of deliveries that were queued again. */
    async resendAll(audit: Audit): Promise<number> {
      let resent = 0
      for (;;) {
        const batch = await transaction(async (tx) => {
          const { rowCount } = await requeue(tx, sql`select id from outbox where dead limit ${resendBatchSize}`)
          const n = rowCount ?? 0
          if (n > 0 || resent === 0) await audit(tx, adminMessages.system.deliveries(n))
          return n
        })
        resent += batch
        if (batch < resendBatchSize) return resent
      }
    },
  }
}
