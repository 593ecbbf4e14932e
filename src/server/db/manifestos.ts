// Every text that people were asked to sign stays as it was.
import type { Database } from '#server/db/database.ts'
import { type campaigns, manifestos } from '#server/db/schema.ts'

type Campaign = typeof campaigns.$inferSelect

/** Puts the present manifesto of a campaign away under its version; to be called in the transaction that wrote it. */
export async function keepManifesto(tx: Pick<Database['orm'], 'insert'>, campaign: Campaign): Promise<void> {
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
