// What administrators see of the queue and may do about it: what waits, what is parked and why, and sending it again.
import { type SQL, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'

/** What was never tried has been due since it was written, however often its destination was away. */
export const dueSince = `case when tentativas = 0 and proxima <= now() then least(proxima, "createdAt") else proxima end`

export interface Summary {
  /** Mails and spreadsheet rows that wait or are under way. */
  waiting: number
  /** Since when the one that waits longest has been due, in seconds. */
  oldestSeconds: number
  parked: number
  /** Why deliveries failed, the most frequent reason first; of those that wait as well as of those parked. */
  reasons: { reason: string; deliveries: number }[]
  /** When the destination of e-mails was last away, if that was a moment ago. */
  emailsAway: { at: Date; reason: string } | null
}

export interface ParkedDelivery {
  id: number
  tipo: string
  reason: string
  tries: number
  createdAt: Date
}

export interface Overview {
  summary(): Promise<Summary>
  /** The latest first. */
  parked(most?: number): Promise<ParkedDelivery[]>
  /** False when it is not parked, or not any more. */
  resend(id: number, audit: Audit): Promise<boolean>
  /** Answers how many. */
  resendAll(audit: Audit): Promise<number>
}

const again = (tx: Orm, which: SQL) =>
  tx.execute(sql`
  update outbox set parada = false, tentativas = 0, proxima = now(), motivo = null where id in (${which}) and parada`)
// What comes back from a closed door keeps the reason and counts no try. A door that stays closed is tried every minute or so.
const doorClosed = `
  select least(proxima, now()) as at, motivo as reason from outbox
  where tipo = 'email' and not parada and reserva is null and tentativas = 0 and motivo is not null and proxima > now() - interval '3 minutes'
  order by 1 desc limit 1`
/** In one transaction, so that nobody who signs waits for all of them. */
const resentTogether = 1_000

export function createOverview({ query, transaction }: Database): Overview {
  return {
    async summary() {
      const [totals] = await query<{ waiting: string; oldestSeconds: number; parked: string }>(
        'outbox-totals',
        `select
          coalesce(sum(case jsonb_typeof(coalesce(dados->'ids', dados)) when 'array'
            then jsonb_array_length(coalesce(dados->'ids', dados)) else 1 end) filter (where not parada), 0) as waiting,
          coalesce(greatest(extract(epoch from now() - min(${dueSince}) filter (where not parada)), 0), 0)::float8 as "oldestSeconds",
          count(*) filter (where parada) as parked
        from outbox where tipo <> 'lembretes'`,
        [],
      )
      const reasons = await query<{ reason: string; deliveries: number }>(
        'outbox-reasons',
        `select motivo as reason, count(*)::int as deliveries from outbox where motivo is not null
        group by motivo order by 2 desc, 1 limit 10`,
        [],
      )
      const [away = null] = await query<{ at: Date; reason: string }>('emails-away', doorClosed, [])
      return {
        emailsAway: away,
        waiting: Number(totals?.waiting),
        oldestSeconds: totals?.oldestSeconds ?? 0,
        parked: Number(totals?.parked),
        reasons,
      }
    },
    async parked(most = 100) {
      const rows = await query<ParkedDelivery>(
        'outbox-parked',
        `select id, tipo, coalesce(motivo, '') as reason, tentativas as tries, "createdAt"
        from outbox where parada order by id desc limit $1`,
        [most],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) }))
    },
    resend(id, audit) {
      return transaction(async (tx) => {
        const { rowCount } = await again(tx, sql`${id}::bigint`)
        if (rowCount) await audit(tx, `nº ${id}`)
        return Boolean(rowCount)
      })
    },
    async resendAll(audit) {
      let resent = 0
      for (;;) {
        const some = await transaction(async (tx) => {
          const { rowCount } = await again(tx, sql`select id from outbox where parada limit ${resentTogether}`)
          const number = rowCount ?? 0
          if (number > 0 || resent === 0) await audit(tx, adminMessages.system.deliveries(number))
          return number
        })
        resent += some
        if (some < resentTogether) return resent
      }
    },
  }
}
