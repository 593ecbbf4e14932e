// Publishes news: now, or at their scheduled time by whichever node is first. Hides and shows them on the page.
import { type SQL, sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type { StoredNews } from '#contract/admin/news.ts'
import { minuteOf, timeOfMinute } from '#server/core/brazil-time.ts'
import { AppError } from '#server/core/errors.ts'
import type { Log } from '#server/core/log.ts'
import { createPeriodicTask } from '#server/core/periodic-task.ts'
import type { Database, Orm } from '#server/db/database.ts'
import type { SendState } from '#server/features/news/send-state.ts'
import {
  type Editor,
  lockNews,
  NewsConflict,
  type NewsRow,
  type StoredNewsService,
} from '#server/features/news/stored-news.ts'

const { news: texts, auditLog } = adminMessages

/** A campaign that returns to the air within this time still publishes what was due meanwhile. */
const maxDelay = '1 hour'

interface PublishingDeps {
  database: Database
  log: Log
  stored: Pick<StoredNewsService, 'change'>
  sends: Pick<SendState, 'prepare'>
  now: () => Date
  scheduleMs: number
  /** Called after the commit. */
  onPublished(): void
}

export type Publishing = ReturnType<typeof createPublishing>

export function createPublishing(deps: PublishingDeps) {
  const { database, log, stored, sends, now, scheduleMs, onPublished } = deps

  /** The lock makes the numbers of a campaign unique. Signing does not wait for it. Returns whether it is public. */
  async function lockCampaign(tx: Orm, { campaignId }: NewsRow): Promise<boolean> {
    const { rows } = await tx.execute<{ isPublic: boolean }>(sql`
      select "isActive" and status <> 'draft' as "isPublic" from campaigns where id = ${campaignId} for no key update`)
    return rows[0]?.isPublic ?? false
  }

  /** The number of the news item in its campaign: the next one, if it is shown for the first time. */
  const numberOf = ({ campaignId }: NewsRow, onPage: SQL) => sql`coalesce(number, case when ${onPage} then
    (select coalesce(max(number), 0) + 1 from news others where others."campaignId" = ${campaignId}) end)`

  async function publish(tx: Orm, row: NewsRow): Promise<void> {
    if (!(await lockCampaign(tx, row))) throw new AppError('conflict', texts.campaignOffline)
    await tx.execute(sql`
      update news set status = 'published', "publishedAt" = now(), "publishAt" = null, "updatedAt" = now(),
        revision = revision + 1, number = ${numberOf(row, sql`"onPage"`)}
      where id = ${row.id}`)
    if (row.byEmail) await sends.prepare(tx, row.id, row.segment, { send: true })
  }

  const write = (tx: Orm, id: number, values: { status: 'draft' | 'scheduled'; publishAt: Date | null }) =>
    tx.execute(sql`
      update news set status = ${values.status}, "publishAt" = ${values.publishAt?.toISOString() ?? null}::timestamptz,
        revision = revision + 1 where id = ${id}`)

  /** A news item whose campaign was off the air at its time is not published long afterwards without anybody asking. */
  const withdrawMissed = () =>
    database.query(
      'withdraw-missed-news',
      `with missed as (
        update news n set status = 'draft', "publishAt" = null, revision = revision + 1 from campaigns c
        where c.id = n."campaignId" and n.status = 'scheduled' and n."publishAt" <= $1::timestamptz - interval '${maxDelay}'
          and not (c."isActive" and c.status <> 'draft') returning n.title)
      insert into admin_actions (username, action, target, changes)
      select '${auditLog.schedule}', '${auditLog.newsWithdrawnBySchedule}', title, '[]'::jsonb from missed`,
      [now()],
    )

  async function publishDue(): Promise<void> {
    await withdrawMissed()
    const due = await database.query<{ id: number }>(
      'due-news',
      `select n.id::int from news n join campaigns c on c.id = n."campaignId"
      where n.status = 'scheduled' and n."publishAt" <= $1 and c."isActive" and c.status <> 'draft' order by n."publishAt"`,
      [now()],
    )
    for (const { id } of due)
      await database.transaction(async (tx) => {
        const row = await lockNews(tx, id)
        // Another node published it, or it is no longer scheduled.
        if (row.status !== 'scheduled' || row.publishAt === null || row.publishAt > now()) return
        await publish(tx, row)
        await tx.execute(sql`
          insert into admin_actions (username, action, target, changes)
          values (${auditLog.schedule}, ${auditLog.newsPublishedBySchedule}, ${row.title}, '[]'::jsonb)`)
      })
    if (due.length > 0) onPublished()
  }

  const schedule = createPeriodicTask({
    periodMs: scheduleMs,
    onFailure: (error) => log.warn({ err: error }, 'scheduled news not published'),
    work: publishDue,
  })

  return {
    schedule,

    async publish(id: number, revisao: number, { role, audit }: Editor): Promise<StoredNews> {
      const news = await stored.change(id, role, async (tx, row) => {
        if (row.status === 'published') throw new AppError('conflict', texts.notDraft)
        if (row.revision !== revisao) throw new NewsConflict()
        await publish(tx, row)
        await audit(tx, row.title)
      })
      onPublished()
      return news
    },

    async schedulePublication(
      id: number,
      { revisao, quando }: { revisao: number; quando: string },
      { role, audit }: Editor,
    ): Promise<StoredNews> {
      const publishAt = timeOfMinute(quando)
      return stored.change(id, role, async (tx, row) => {
        if (row.status === 'published') throw new AppError('conflict', texts.notDraft)
        if (row.revision !== revisao) throw new NewsConflict()
        if (publishAt <= now()) throw new AppError('invalid', texts.past, { errors: { quando: texts.past } })
        await write(tx, id, { status: 'scheduled', publishAt })
        const before = row.publishAt ? minuteOf(row.publishAt) : ''
        await audit(tx, row.title, [{ field: 'Publicar em', before, after: quando }])
      })
    },

    unschedule: (id: number, { role, audit }: Editor): Promise<StoredNews> =>
      stored.change(id, role, async (tx, row) => {
        if (row.status !== 'scheduled') throw new AppError('conflict', texts.notScheduled)
        await write(tx, id, { status: 'draft', publishAt: null })
        await audit(tx, row.title)
      }),

    show: (id: number, onPage: boolean, { role, audit }: Editor): Promise<StoredNews> =>
      stored.change(id, role, async (tx, row) => {
        if (row.status !== 'published') throw new AppError('conflict', texts.notPublished)
        await lockCampaign(tx, row)
        await tx.execute(sql`
          update news set "onPage" = ${onPage}, revision = revision + 1, number = ${numberOf(row, sql`${onPage}::boolean`)}
          where id = ${id}`)
        await audit(tx, row.title, [
          { field: 'Na página da campanha', before: row.onPage ? 'sim' : 'não', after: onPage ? 'sim' : 'não' },
        ])
      }),
  }
}
