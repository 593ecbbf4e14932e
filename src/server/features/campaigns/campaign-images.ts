// Images that a campaign uses: locked and checked before they are referred to, dropped with their last use.
import { inArray, sql } from 'drizzle-orm'
import type { CampaignFields } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Orm } from '#server/db/database.ts'
import { media } from '#server/db/schema.ts'
import { refusal } from '#server/features/campaigns/campaign-changes.ts'

type ImageFields = Pick<CampaignFields, 'heroImageUrl' | 'ogImageUrl' | 'manifestoHtml' | 'resultHtml'>

/** The paths of the images in an HTML text. */
export const imagesInHtml = (html: string | null): string[] =>
  html?.match(/(?<=")\/media\/[0-9a-f]{64}\.[0-9a-z.]+/g) ?? []

function imagesByField({ heroImageUrl, ogImageUrl, manifestoHtml, resultHtml }: ImageFields) {
  return {
    heroImageUrl: heroImageUrl ? [heroImageUrl] : [],
    ogImageUrl: ogImageUrl ? [ogImageUrl] : [],
    manifestoHtml: imagesInHtml(manifestoHtml),
    resultHtml: imagesInHtml(resultHtml),
  }
}

export const imagesOf = (fields: ImageFields) => Object.values(imagesByField(fields)).flat()

/** Call while the images are locked, otherwise one could be deleted before the campaign refers to it. */
export async function checkImages(tx: Orm, fields: ImageFields): Promise<void> {
  const stored = await storedUrls(tx, imagesOf(fields))
  for (const [name, urls] of Object.entries(imagesByField(fields)) as [keyof ImageFields, string[]][])
    if (!urls.every((url) => stored.has(url))) throw refusal(name, adminMessages.campaign.imagemSumiu)
}

async function storedUrls(tx: Orm, urls: string[]): Promise<Set<string>> {
  if (urls.length === 0) return new Set()
  const rows = await tx
    .select({ url: sql<string>`'/media/' || ${media.sha256} || '.' || ${media.format}` })
    .from(media)
    .where(inArray(media.sha256, [...new Set(urls.map((url) => url.slice('/media/'.length).split('.', 1)[0] ?? ''))]))
  return new Set(rows.map(({ url }) => url))
}
