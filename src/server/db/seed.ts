// Fills the database of a new site with campaigns and sample contents.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deputyCampaign } from '#contract/petitions.ts'
import type { Site } from '#contract/site.ts'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'
import { storeManifestoVersion } from '#server/db/manifestos.ts'
import { storeImage } from '#server/db/media.ts'
import type { SchemaDatabase } from '#server/db/migrate.ts'
import { sampleCampaigns } from '#server/db/sample-campaigns.ts'
import { sampleContents } from '#server/db/sample-contents.ts'
import { campaigns, carouselContents } from '#server/db/schema.ts'

const posterFolder = new URL('./sample-posters/', import.meta.url)

/**
 * Fills an empty database with the campaigns and sample contents, so that a new site is not empty. Campaigns are
 * deactivated, never deleted: if one exists, the operator manages the contents, and only the campaign of a new
 * deputy is added.
 */
export async function seed(orm: SchemaDatabase, site: Pick<Site, 'deputado'>): Promise<void> {
  if ((await orm.$count(campaigns)) > 0) return addDeputyCampaign(orm, site)
  await orm.transaction(async (tx) => {
    for (const row of await tx.insert(campaigns).values(sampleCampaigns(site.deputado)).returning())
      await storeManifestoVersion(tx, row)
    for (const [ordem, { imagem, ...fields }] of sampleContents.entries()) {
      await tx
        .insert(carouselContents)
        .values({ ...fields, ordem, imagemUrl: await storeImage(tx, readPoster(imagem)) })
    }
  })
}

/** The page header links to the campaign of the deputy in the site settings. A new deputy gets a new campaign. */
async function addDeputyCampaign(orm: SchemaDatabase, { deputado }: Pick<Site, 'deputado'>): Promise<void> {
  const missing = sampleCampaigns(deputado).filter(({ slug }) => slug === deputyCampaign(deputado.slug))
  for (const row of await orm.insert(campaigns).values(missing).onConflictDoNothing().returning())
    await storeManifestoVersion(orm, row)
}

/** Reads the formats of a sample poster, which scripts/sample-posters/draw.ts has encoded. */
export function readPoster(name: string): EncodedImage {
  const read = (format: ImageFormat['format']) => readFileSync(new URL(`${name}.${format}`, posterFolder))
  const full = { width: 1080, height: 1350 }
  const webp = read('webp')
  return {
    sha256: createHash('sha256').update(webp).digest('hex'),
    ...full,
    formats: [
      { format: 'webp', contentType: 'image/webp', ...full, bytes: webp },
      { format: '640.webp', contentType: 'image/webp', width: 640, height: 800, bytes: read('640.webp') },
      { format: 'png', contentType: 'image/png', ...full, bytes: read('png') },
    ],
  }
}
