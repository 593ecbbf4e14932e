// Segments that the team has saved under a name.
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { type NewsSegment, newsLimits, type SavedSegment } from '#contract/admin/news.ts'
import { AppError } from '#server/core/errors.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database } from '#server/db/database.ts'
import { storedSegment } from '#server/features/news/segment-conditions.ts'

const { news: texts } = adminMessages

export function createSegments(database: Database) {
  return {
    async list(): Promise<SavedSegment[]> {
      const rows = await database.query<Omit<SavedSegment, 'id'> & { id: string }>(
        '',
        'select id, name as nome, segment as segmento, author as autor from news_segments order by lower(name), id',
        [],
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) }))
    },

    async save(
      { nome, segmento, author }: { nome: string; segmento: NewsSegment; author: string },
      audit: Audit,
    ): Promise<void> {
      await database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ total: number; isTaken: boolean }>(sql`
          select count(*)::int as total, coalesce(bool_or(name = ${nome}), false) as "isTaken" from news_segments`)
        if (rows[0]?.isTaken)
          throw new AppError('conflict', texts.segmentTaken, { errors: { nome: texts.segmentTaken } })
        if ((rows[0]?.total ?? 0) >= newsLimits.segments) throw new AppError('invalid', texts.segmentTooMany)
        const { rows: saved } = await tx.execute(sql`
          insert into news_segments (name, segment, author)
          values (${nome}, ${JSON.stringify(storedSegment(segmento))}::jsonb, ${author}) on conflict do nothing returning 1 as saved`)
        if (saved.length === 0)
          throw new AppError('conflict', texts.segmentTaken, { errors: { nome: texts.segmentTaken } })
        await audit(tx, nome)
      })
    },

    async remove(id: number, audit: Audit): Promise<void> {
      await database.transaction(async (tx) => {
        const { rows } = await tx.execute<{ name: string }>(
          sql`delete from news_segments where id = ${id} returning name`,
        )
        if (!rows[0]) throw new AppError('not-found', texts.segmentGone)
        await audit(tx, rows[0].name)
      })
    },
  }
}
