// Published news in memory: the list is read at most once per period and node, a text once per revision.
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { newsNotFound, type PublishedNews } from '#contract/news.ts'
import { asSharePhoto } from '#server/adapters/share-photos.ts'
import { AppError } from '#server/core/errors.ts'
import { beginningOf } from '#server/core/html-to-text.ts'
import type { Log } from '#server/core/log.ts'
import { sanitizeRichText } from '#server/core/rich-text.ts'
import { createSwrCache } from '#server/core/swr-cache.ts'
import type { Database } from '#server/db/database.ts'
import { media, news } from '#server/db/schema.ts'
import { withOrigin } from '#server/features/news/news-html.ts'

interface PublishedNewsParts {
  database: Database
  log: Log
  campaigns: {
    /** Also finds a campaign by a former slug. Fails for one that is not public. */
    active(slug: string): Promise<{ id: number }>
  }
  publicUrl: string
  refreshMs: number
}

/** What is made from the text and the image of a revision. */
interface Content {
  version: string
  html: string
  resumo: string
  imagemCartao: string | null
}

const maxContents = 500
const maxSummary = 160

/** The digest in `/media/{sha256}.webp`. */
const imageDigest = sql`substr(${news.imageUrl}, 8, 64)`

export type PublishedNewsService = ReturnType<typeof createPublishedNews>

export function createPublishedNews({ database, log, campaigns, publicUrl, refreshMs }: PublishedNewsParts) {
  const contents = new Map<number, Content>()

  /** Everything but the texts, which are long. */
  const readHeads = () =>
    database.orm
      .select({
        id: news.id,
        campaignId: news.campaignId,
        n: news.number,
        titulo: news.title,
        imagem: news.imageUrl,
        publishedAt: news.publishedAt,
        updatedAt: news.updatedAt,
        revision: news.revision,
        imagemTamanho: { largura: media.width, altura: media.height },
      })
      .from(news)
      .leftJoin(media, and(eq(media.sha256, imageDigest), eq(media.format, 'webp')))
      .where(and(eq(news.status, 'published'), news.onPage, isNotNull(news.number), isNotNull(news.publishedAt)))
      .orderBy(desc(news.publishedAt), desc(news.id))

  const published = createSwrCache(
    async () => {
      const heads = (await readHeads()).flatMap(({ n, publishedAt, ...head }) =>
        n !== null && publishedAt ? [{ ...head, n, publishedAt }] : [],
      )
      return { heads, byCampaign: Map.groupBy(heads, ({ campaignId }) => campaignId) }
    },
    { periodMs: refreshMs, onFailure: (error) => log.warn({ err: error }, 'news not refreshed') },
  )
  type Head = Awaited<ReturnType<typeof published.get>>['heads'][number]

  const versionOf = ({ revision, updatedAt }: Head) => `${revision} ${updatedAt.getTime()}`

  /** Messengers do not show every format. If the image cannot be converted now, it is shared as it is. */
  async function shareImageOf({ imagem }: Head): Promise<string | null> {
    try {
      return await asSharePhoto(database, imagem)
    } catch (error) {
      log.warn({ err: error }, 'share image of a news item not created')
      return imagem
    }
  }

  async function readContents(heads: Head[]): Promise<Map<number, Content>> {
    const ids = heads.map(({ id }) => id)
    const texts = await database.orm.select({ id: news.id, html: news.html }).from(news).where(inArray(news.id, ids))
    const htmlOf = new Map(texts.map(({ id, html }) => [id, html]))
    const read = new Map<number, Content>()
    for (const head of heads) {
      const html = sanitizeRichText(htmlOf.get(head.id) ?? '')
      read.set(head.id, {
        version: versionOf(head),
        html: withOrigin(html, head.id, publicUrl),
        resumo: beginningOf(html, maxSummary),
        imagemCartao: await shareImageOf(head),
      })
    }
    return read
  }

  async function complete(heads: Head[]): Promise<PublishedNews[]> {
    const missing = heads.filter((head) => contents.get(head.id)?.version !== versionOf(head))
    const read = missing.length > 0 ? await readContents(missing) : undefined
    if (read && contents.size + read.size > maxContents) contents.clear()
    for (const [id, content] of read ?? []) if (contents.size < maxContents) contents.set(id, content)
    return heads.flatMap((head) => {
      const content = read?.get(head.id) ?? contents.get(head.id)
      const times = { publicadaEm: head.publishedAt.toISOString(), alteradaEm: head.updatedAt.toISOString() }
      return content ? [{ ...head, ...content, ...times }] : []
    })
  }

  async function headsOf(slug: string): Promise<Head[]> {
    const [{ id }, { byCampaign }] = await Promise.all([campaigns.active(slug), published.get()])
    return byCampaign.get(id) ?? []
  }

  return {
    /** The news of a campaign, the newest first. With a limit: the newest ones. */
    list: async (slug: string, limit?: number): Promise<PublishedNews[]> =>
      complete((await headsOf(slug)).slice(0, limit)),
    async read(slug: string, n: number): Promise<PublishedNews> {
      const heads = await headsOf(slug)
      const [found] = await complete(heads.filter((head) => head.n === n))
      if (!found) throw new AppError('not-found', newsNotFound)
      return found
    },
    /** All published news, also those of campaigns that are not public. */
    async addresses(): Promise<{ campaignId: number; n: number; updatedAt: Date }[]> {
      return (await published.get()).heads
    },
    /** Call after a change: this node shows it at once, other nodes within a second. */
    expire: published.expire,
  }
}
