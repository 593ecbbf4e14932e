// The sending of a news item by e-mail: starting, pausing, resuming, cancelling, and its progress.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { countIsFreshMinutes, type NewsSegment, type SendProgress, type SendStatus } from '#contract/admin/news.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import type { SiteService } from '#server/db/site-settings.ts'
import { storedSegment } from '#server/features/news/segment-conditions.ts'
import { changedAtOnce, resumedDueAt } from '#server/outbox/news/news-queue.ts'

const { news: texts } = adminMessages

/** More postponed recipients are not counted one by one. The remaining time is unknown then. */
const maxPostponed = 100_000

interface SendRow {
  newsId: string
  status: SendStatus
  recipients: number
  scanned: number
  toScan: number
  excluded: Record<string, number>
  accepted: number
  rejected: number
  skipped: number
  unsubscribed: number
  preparedAt: Date | null
  startedAt: Date | null
  endedAt: Date | null
  pauseReason: string | null
  isOutdated: boolean
  dead: number
  postponed: number
}

const readProgress = `
select s.*, s.segment is distinct from n.segment as "isOutdated",
  (select count(*)::int from outbox where dead and kind = 'novidade' and (payload->>'novidade')::bigint = n.id) as dead,
  case when s.status in ('sending', 'paused') then (
    select count(*)::int from (
      select 1 from outbox where kind = 'novidade' and not dead and attempts = 0 and (payload->>'novidade')::bigint = n.id
        and "dueAt" between now() + interval '10 minutes' and now() + interval '2 days' limit ${maxPostponed}) postponed)
    else 0 end as postponed
from news_sends s join news n on n.id = s."newsId" where s."newsId" = any($1::bigint[])`

interface SendStateDeps {
  database: Database
  emailsPerMinute: number
  site: Pick<SiteService, 'current'>
  /** Called after the commit of a change that a background task continues. */
  onChanged(): void
}

export type SendState = ReturnType<typeof createSendState>

export function createSendState({ database, emailsPerMinute, site, onChanged }: SendStateDeps) {
  function progressOf(row: SendRow): SendProgress {
    const remaining = row.recipients - row.accepted - row.rejected - row.skipped - row.dead - row.postponed
    const isKnown = row.status === 'sending' && row.postponed < maxPostponed
    return {
      ...{ status: row.status, lidos: row.scanned, aLer: Math.max(row.toScan, row.scanned) },
      ...{ destinatarios: row.recipients, excluidos: row.excluded },
      ...{ aceitos: row.accepted, recusados: row.rejected, dispensados: row.skipped },
      ...{ parados: row.dead, adiados: row.postponed, descadastros: row.unsubscribed },
      segundosRestantes: isKnown ? Math.ceil((Math.max(remaining, 0) / emailsPerMinute) * 60) : null,
      contadosEm: row.preparedAt?.toISOString() ?? null,
      comecouEm: row.startedAt?.toISOString() ?? null,
      terminouEm: row.endedAt?.toISOString() ?? null,
      motivoPausa: row.status === 'paused' ? row.pauseReason : null,
      desatualizada: row.isOutdated,
    }
  }

  /** Changes the status if it is one of `from`. The change of the deliveries is in the same transaction. */
  async function change(
    id: number,
    { from, to, refusal, deliveries }: StatusChange,
    { title, audit }: { title: string; audit: Audit },
  ): Promise<void> {
    await database.transaction(async (tx) => {
      const { rows } = await tx.execute(sql`
        update news_sends set status = ${to}, "endedAt" = ${to === 'cancelled' ? sql`now()` : null}, "pauseReason" = null
        where "newsId" = ${id} and status in ${from} and "sendsWhenPrepared" returning 1 as changed`)
      if (rows.length === 0) throw new AppError('conflict', refusal)
      // The next deliveries first. The outbox continues with the others.
      await tx.execute(
        deliveries(sql`id = any(array(
          select id from outbox where kind = 'novidade' and not dead and (payload->>'novidade')::bigint = ${id}
          order by "dueAt" limit ${changedAtOnce}))`),
      )
      await audit(tx, title)
    })
    onChanged()
  }

  return {
    async of(ids: number[]): Promise<Map<number, SendProgress>> {
      if (ids.length === 0) return new Map()
      const rows = await database.query<SendRow & object>('', readProgress, [ids])
      return new Map(rows.map((row) => [Number(row.newsId), progressOf(row)]))
    },

    /** Starts to collect the recipients, for a count or to send to them. To be called with the news item locked. */
    async prepare(tx: Orm, id: number, segment: NewsSegment, { send }: { send: boolean }): Promise<void> {
      const stored = storedSegment(segment)
      const { rows } = await tx.execute<{ status: SendStatus; segment: NewsSegment; isFresh: boolean }>(sql`
        select status, segment, coalesce("preparedAt" > now() - make_interval(mins => ${countIsFreshMinutes}), false) as "isFresh"
        from news_sends where "newsId" = ${id} for update`)
      const [current] = rows
      if (current && !['preparing', 'prepared'].includes(current.status))
        throw new AppError('conflict', texts.alreadySending)
      const isSame = current !== undefined && isDeepStrictEqual(current.segment, stored)
      const startedAt = send ? sql`now()` : null
      if (send && isSame && (current.status === 'preparing' || current.isFresh)) {
        await tx.execute(sql`
          update news_sends set "sendsWhenPrepared" = true, "startedAt" = now(),
            status = case status when 'prepared' then 'sending' else status end where "newsId" = ${id}`)
        return
      }
      await tx.execute(sql`delete from news_sends where "newsId" = ${id}`)
      await tx.execute(sql`
        insert into news_sends ("newsId", status, "sendsWhenPrepared", segment, "startedAt")
        values (${id}, 'preparing', ${send}, ${JSON.stringify(stored)}::jsonb, ${startedAt})`)
    },

    pause: (id: number, subject: Subject) =>
      change(
        id,
        {
          ...{ from: ['sending'], to: 'paused', refusal: texts.notSending },
          deliveries: (ofNews) => sql`update outbox set "dueAt" = 'infinity' where ${ofNews} and "leasedBy" is null`,
        },
        subject,
      ),

    async resume(id: number, subject: Subject): Promise<void> {
      const { novidadesPorDia } = await site.current()
      const dueAt = sql.raw(resumedDueAt(String(Number(novidadesPorDia))))
      await change(
        id,
        {
          ...{ from: ['paused'], to: 'sending', refusal: texts.notPaused },
          deliveries: (ofNews) => sql`update outbox set "dueAt" = ${dueAt} where ${ofNews} and "dueAt" = 'infinity'`,
        },
        subject,
      )
    },

    cancel: (id: number, subject: Subject) =>
      change(
        id,
        {
          ...{ from: ['preparing', 'sending', 'paused'], to: 'cancelled', refusal: texts.notActive },
          deliveries: (ofNews) => sql`delete from outbox where ${ofNews} and "leasedBy" is null`,
        },
        subject,
      ),
  }
}

interface Subject {
  title: string
  audit: Audit
}

interface StatusChange {
  from: SendStatus[]
  to: SendStatus
  /** The message if the status is another one. */
  refusal: string
  /** The statement for the queued deliveries. */
  deliveries(ofNews: ReturnType<typeof sql>): ReturnType<typeof sql>
}
