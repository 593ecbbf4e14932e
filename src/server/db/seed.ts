// Fills an empty database with the movement's campaigns and sample material, so that a fresh site is never bare.
import { deputyCampaign } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import type { Poster } from '#server/core/poster.ts'
import { keepManifesto } from '#server/db/manifestos.ts'
import { keepImage } from '#server/db/media.ts'
import type { SchemaDatabase } from '#server/db/migrate.ts'
import { sampleCampaigns } from '#server/db/sample-campaigns.ts'
import { sampleContents } from '#server/db/sample-contents.ts'
import { campaigns, carouselContents } from '#server/db/schema.ts'

export type PrintPoster = (poster: Poster) => Promise<EncodedImage>

/** Campaigns are switched off, never deleted: where there is one, the operator has taken over and nothing is touched. */
export async function seed(orm: SchemaDatabase, site: Site, print: PrintPoster): Promise<void> {
  if ((await orm.$count(campaigns)) > 0) return addDeputyCampaign(orm, site)
  const contents = await Promise.all(
    sampleContents.map(async (content) => ({
      content,
      image: await print({ ...content.poster, movimento: site.movimento }),
    })),
  )

  await orm.transaction(async (tx) => {
    for (const row of await tx.insert(campaigns).values(sampleCampaigns(site.deputado)).returning())
      await keepManifesto(tx, row)
    for (const { content, image } of contents) {
      const { poster: _, ...fields } = content
      await tx.insert(carouselContents).values({ ...fields, imagemUrl: await keepImage(tx, image) })
    }
  })
}

/** The header leads to the campaign of the deputy that the site settings name; a new name brings its campaign. */
async function addDeputyCampaign(orm: SchemaDatabase, { deputado }: Site): Promise<void> {
  const missing = sampleCampaigns(deputado).filter(({ slug }) => slug === deputyCampaign(deputado.slug))
  for (const row of await orm.insert(campaigns).values(missing).onConflictDoNothing().returning())
    await keepManifesto(orm, row)
}
