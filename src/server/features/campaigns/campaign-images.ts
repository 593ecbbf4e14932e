// Images that a campaign uses: locked and checked before they are referred to, dropped with their last use.
import type { CampaignFields } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { Orm } from '#server/db/database.ts'
import { imagesInHtml, storedImages } from '#server/db/media.ts'
import { refusal } from '#server/features/campaigns/campaign-changes.ts'

type ImageFields = Pick<CampaignFields, 'heroImageUrl' | 'ogImageUrl' | 'manifestoHtml' | 'resultHtml'>

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
  const stored = await storedImages(tx, imagesOf(fields))
  for (const [name, urls] of Object.entries(imagesByField(fields)) as [keyof ImageFields, string[]][])
    if (!urls.every((url) => stored.has(url))) throw refusal(name, adminMessages.campaign.imagemSumiu)
}
