// News items that are stored directly: the screens of administrators have their own tests.
import { defaultSegment } from '#contract/admin/news.ts'

interface NewsRow {
  slug: string
  titulo?: string
  html?: string
  imagem?: string | null
  status?: 'draft' | 'scheduled' | 'published'
  onPage?: boolean
  publishedAt?: string
}

interface StoredNews {
  id: number
  n: number
}

/** Adds a news item to a campaign, with the next number. */
export async function addNews(
  { rows }: { rows(text: string, values: unknown[]): Promise<unknown[]> },
  { slug, titulo = 'Entregamos as assinaturas', html = '<p>Foi hoje.</p>', imagem = null, ...rest }: NewsRow,
): Promise<StoredNews> {
  const { status = 'published', onPage = true, publishedAt = new Date().toISOString() } = rest
  const [added] = await rows(
    `insert into news ("campaignId", number, title, html, "imageUrl", status, "onPage", segment, "publishedAt", author)
    select id, (select coalesce(max(number), 0) + 1 from news where "campaignId" = campaigns.id), $2, $3, $4, $5, $6, $7,
      $8, 'ana'
    from campaigns where slug = $1
    returning id::int, number as n`,
    [slug, titulo, html, imagem, status, onPage, JSON.stringify(defaultSegment(1)), publishedAt],
  )
  return added as StoredNews
}
