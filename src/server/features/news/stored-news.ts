// News as administrators edit them. An outdated edit is refused. Only drafts can be deleted.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import type {
  NewsFields,
  NewsSegment,
  NewsStatus,
  NewsSummary,
  SendProgress,
  StoredNews,
} from '#contract/admin/news.ts'
import { newsPerPage } from '#contract/admin/news.ts'
import type { AdminRole } from '#contract/admin/roles.ts'
import { auditChanges } from '#server/core/audit-changes.ts'
import { minuteOf } from '#server/core/brazil-time.ts'
import { type Cursors, cursorPage } from '#server/core/cursor-page.ts'
import { AppError } from '#server/core/errors.ts'
import { isBlank, sanitizeRichText } from '#server/core/rich-text.ts'
import type { Audit } from '#server/db/audit.ts'
import type { Database, Orm } from '#server/db/database.ts'
import { dropUnusedImage, imagesInHtml, lockImages, storedImages } from '#server/db/media.ts'
import { storedSegment } from '#server/features/news/segment-conditions.ts'
import type { SendState } from '#server/features/news/send-state.ts'

const { news: texts } = adminMessages

export interface NewsRow {
  id: number
  campaignId: number
  slug: string
  titulo: string
  number: number | null
  title: string
  html: string
  imageUrl: string | null
  status: NewsStatus
  onPage: boolean
  byEmail: boolean
  segment: NewsSegment
  publishAt: Date | null
  publishedAt: Date | null
  revision: number
  author: string
  updatedAt: Date
}

const columns = `n.id::int, n."campaignId"::int, c.slug, c.titulo, n.number, n.title, n.html, n."imageUrl", n.status, n."onPage", n."byEmail",
  n.segment, n."publishAt", n."publishedAt", n.revision, n.author, n."updatedAt"`
const fromNews = 'from news n join campaigns c on c.id = n."campaignId"'

export interface Editor {
  role: AdminRole
  audit: Audit
}

export interface Author extends Editor {
  username: string
}

/** E-mails reach people, so only `coordenacao` may write, change or publish news that are sent. */
function checkRole(role: AdminRole, { byEmail }: { byEmail: boolean }): void {
  if (byEmail && role !== 'coordenacao') throw new AppError('forbidden', texts.emailRole)
}

const refusal = (field: keyof NewsFields | 'campanha', message: string) =>
  new AppError('invalid', message, { errors: { [field]: message } })

export const newsNotFound = () => new AppError('not-found', texts.notFound)

/** Serialises the changes of one news item. */
export async function lockNews(tx: Orm, id: number): Promise<NewsRow> {
  const { rows } = await tx.execute<NewsRow & Record<string, unknown>>(
    sql`select ${sql.raw(columns)} ${sql.raw(fromNews)} where n.id = ${id} for update of n`,
  )
  const [row] = rows
  if (!row) throw newsNotFound()
  return withDates(row)
}

/** Transactions return times as text. */
function withDates(row: NewsRow): NewsRow {
  const asDate = (value: Date | string | null) => (value === null ? null : new Date(value))
  return {
    ...row,
    publishAt: asDate(row.publishAt),
    publishedAt: asDate(row.publishedAt),
    updatedAt: new Date(row.updatedAt),
  }
}

const summaryOf = (row: NewsRow, envio: SendProgress | undefined): NewsSummary => ({
  ...{ id: row.id, n: row.number, titulo: row.title, status: row.status },
  campanha: { id: row.campaignId, slug: row.slug, titulo: row.titulo },
  ...{ naPagina: row.onPage, porEmail: row.byEmail, autor: row.author },
  agendadaPara: row.publishAt && minuteOf(row.publishAt),
  publicadaEm: row.publishedAt?.toISOString() ?? null,
  alteradaEm: row.updatedAt.toISOString(),
  envio: envio ?? null,
})

const labels = {
  titulo: 'Título',
  html: 'Texto',
  imagem: 'Imagem',
  naPagina: 'Na página da campanha',
  porEmail: 'Por e-mail',
  segmento: 'Destinatários',
} as const satisfies Record<keyof NewsFields, string>

const yesOrNo = (value: boolean) => (value ? 'sim' : 'não')
const auditValues = ({ naPagina, porEmail, segmento, ...fields }: NewsFields) => ({
  ...fields,
  ...{ naPagina: yesOrNo(naPagina), porEmail: yesOrNo(porEmail), segmento: JSON.stringify(storedSegment(segmento)) },
})
const fieldsOf = (row: NewsRow): NewsFields => ({
  ...{ titulo: row.title, html: row.html, imagem: row.imageUrl },
  ...{ naPagina: row.onPage, porEmail: row.byEmail, segmento: row.segment },
})

const imagesOf = ({ html, imagem }: Pick<NewsFields, 'html' | 'imagem'>) => [
  ...(imagem ? [imagem] : []),
  ...imagesInHtml(html),
]

/** Call while the images are locked, otherwise one could be deleted before the news item refers to it. */
async function checkImages(tx: Orm, fields: NewsFields): Promise<void> {
  const stored = await storedImages(tx, imagesOf(fields))
  if (fields.imagem && !stored.has(fields.imagem)) throw refusal('imagem', texts.imageGone)
  if (!imagesInHtml(fields.html).every((url) => stored.has(url))) throw refusal('html', texts.imageGone)
}

async function checkSegment(tx: Orm, { segmento: { campanhas, semRecebedoresDe } }: NewsFields): Promise<void> {
  const { rows } = await tx.execute<{ campaigns: number; hasNews: boolean }>(sql`
    select (select count(*)::int from campaigns where to_jsonb(id) <@ ${JSON.stringify(campanhas)}::jsonb) as campaigns,
      exists (select from news where id = ${semRecebedoresDe ?? null}) as "hasNews"`)
  const [found] = rows
  if ((found?.campaigns ?? 0) < new Set(campanhas).size) throw refusal('segmento', texts.segmentCampaign)
  if (semRecebedoresDe !== undefined && !found?.hasNews) throw refusal('segmento', texts.segmentNews)
}

function sanitize(fields: NewsFields): NewsFields {
  const html = sanitizeRichText(fields.html)
  if (isBlank(html)) throw refusal('html', texts.html)
  return { ...fields, html, segmento: storedSegment(fields.segmento) }
}

interface StoredNewsDeps {
  database: Database
  sends: Pick<SendState, 'of'>
  /** Called after the commit of a change that public pages show. */
  onPublicChange(): void
}

export type StoredNewsService = ReturnType<typeof createStoredNews>

export function createStoredNews({ database, sends, onPublicChange }: StoredNewsDeps) {
  async function one(id: number): Promise<StoredNews> {
    const [row] = await database.query<NewsRow & object>('', `select ${columns} ${fromNews} where n.id = $1`, [id])
    if (!row) throw newsNotFound()
    const progress = await sends.of([id])
    return {
      ...summaryOf(row, progress.get(id)),
      ...{ html: row.html, imagem: row.imageUrl, revisao: row.revision },
      // Absent lists of segments that were written directly into the database.
      segmento: { ...{ campanhas: [], estados: [], etiquetas: [] }, ...row.segment },
    }
  }

  /** Runs a change in a transaction, and returns the news item after it. */
  async function change(
    id: number,
    role: AdminRole,
    work: (tx: Orm, row: NewsRow) => Promise<void>,
  ): Promise<StoredNews> {
    try {
      await database.transaction(async (tx) => {
        const row = await lockNews(tx, id)
        checkRole(role, row)
        await work(tx, row)
      })
    } catch (error) {
      // Read after the transaction: the embedded database runs no other query while a transaction is open.
      if (error instanceof NewsConflict) throw new AppError('conflict', texts.conflict, { current: await one(id) })
      throw error
    }
    onPublicChange()
    return one(id)
  }

  return {
    one,
    change,

    async list({ antes, depois }: Cursors) {
      const read = await database.query<NewsRow & object>(
        '',
        `select ${columns} ${fromNews}
        where ($1::bigint is null or n.id < $1) and ($2::bigint is null or n.id > $2)
        order by n.id ${depois ? 'asc' : 'desc'} limit ${newsPerPage + 1}`,
        [antes ?? null, depois ?? null],
      )
      const page = cursorPage(read, { size: newsPerPage, isFirst: !antes, depois }, ({ id }) => String(id))
      const progress = await sends.of(page.rows.map(({ id }) => id))
      return {
        novidades: page.rows.map((row) => summaryOf(row, progress.get(row.id))),
        ...{ antes: page.antes, depois: page.depois },
      }
    },

    async create(
      { campanha, ...given }: NewsFields & { campanha: number },
      { username, role, audit }: Author,
    ): Promise<StoredNews> {
      checkRole(role, { byEmail: given.porEmail })
      const fields = sanitize(given)
      const id = await database.transaction(async (tx) => {
        const { rows: found } = await tx.execute(sql`select 1 from campaigns where id = ${campanha} for key share`)
        if (found.length === 0) throw refusal('campanha', texts.campaign)
        await lockImages(tx, imagesOf(fields))
        await checkImages(tx, fields)
        await checkSegment(tx, fields)
        const { rows } = await tx.execute<{ id: number }>(sql`
          insert into news ("campaignId", title, html, "imageUrl", "onPage", "byEmail", segment, author)
          values (${campanha}, ${fields.titulo}, ${fields.html}, ${fields.imagem}, ${fields.naPagina}, ${fields.porEmail},
            ${JSON.stringify(fields.segmento)}::jsonb, ${username}) returning id::int`)
        await audit(tx, fields.titulo)
        return Number(rows[0]?.id)
      })
      return one(id)
    },

    async update(
      id: number,
      { revisao, ...given }: NewsFields & { revisao: number },
      { username, role, audit }: Author,
    ): Promise<StoredNews> {
      checkRole(role, { byEmail: given.porEmail })
      const fields = sanitize(given)
      return change(id, role, async (tx, row) => {
        const before = fieldsOf(row)
        const isUnchanged = isDeepStrictEqual({ ...before, segmento: storedSegment(before.segmento) }, fields)
        // A retry after a lost answer is not refused as a conflict.
        if (isUnchanged && row.author === username) return audit(tx, row.title)
        if (row.revision !== revisao) throw new NewsConflict()
        if (row.status === 'published') checkFixed(row, fields)
        else if (!fields.naPagina && !fields.porEmail) throw refusal('porEmail', texts.destination)
        const dropped = imagesOf(before)
        await lockImages(tx, [...imagesOf(fields), ...dropped])
        await checkImages(tx, fields)
        // The segment of a published item cannot change, also if something that it names was deleted.
        if (row.status !== 'published') await checkSegment(tx, fields)
        await tx.execute(sql`
          update news set title = ${fields.titulo}, html = ${fields.html}, "imageUrl" = ${fields.imagem},
            "onPage" = ${fields.naPagina}, "byEmail" = ${fields.porEmail}, segment = ${JSON.stringify(fields.segmento)}::jsonb,
            revision = revision + 1, author = ${username}, "updatedAt" = now() where id = ${id}`)
        for (const url of dropped) await dropUnusedImage(tx, url)
        await audit(tx, fields.titulo, auditChanges(labels, auditValues(before), auditValues(fields)))
      })
    },

    async remove(id: number, { role, audit }: Editor): Promise<void> {
      await database.transaction(async (tx) => {
        const row = await lockNews(tx, id)
        checkRole(role, row)
        if (row.status !== 'draft') throw new AppError('conflict', texts.deletePublished)
        const images = imagesOf(fieldsOf(row))
        await lockImages(tx, images)
        // Its recipients are deleted in the background: there may be a million.
        await tx.execute(sql`delete from news where id = ${id}`)
        for (const url of images) await dropUnusedImage(tx, url)
        await audit(tx, row.title)
      })
    },
  }
}

/** Another administrator changed the news item after this edit began. */
export class NewsConflict extends Error {}

/** People have already received it, or followed its address. */
function checkFixed(row: NewsRow, { naPagina, porEmail, segmento }: NewsFields): void {
  if (row.onPage !== naPagina || row.byEmail !== porEmail) throw refusal('porEmail', texts.destinationFixed)
  if (row.byEmail && !isDeepStrictEqual(storedSegment(row.segment), storedSegment(segmento)))
    throw refusal('segmento', texts.segmentFixed)
}
