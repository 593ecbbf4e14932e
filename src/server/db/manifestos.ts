import type { Database } from '#server/db/database.ts'
import { type campaigns, manifestos } from '#server/db/schema.ts'

type Campaign = typeof campaigns.$inferSelect

/**
 * Stores the current manifesto of a campaign under its version, so that every text that people signed stays unchanged.
 * Must be called in the transaction that wrote the manifesto.
 */
export async function storeManifestoVersion(tx: Pick<Database['orm'], 'insert'>, campaign: Campaign): Promise<void> {
  const { id, versaoManifesto, manifestoHtml, alteradaPor, updatedAt } = campaign
  await tx
    .insert(manifestos)
    .values({
      campaignId: id,
      versao: versaoManifesto,
      html: manifestoHtml,
      autor: alteradaPor,
      createdAt: updatedAt,
    })
    .onConflictDoNothing()
}
