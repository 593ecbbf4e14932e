// The versions of a manifesto, and how many people signed each.
import { and, desc, eq } from 'drizzle-orm'
import { adminMessages } from '#contract/admin/messages.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns, manifestos } from '#server/db/schema.ts'
import { sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'
import type { Tallies } from '#server/features/petitions/tallies.ts'

export interface Version {
  versao: number
  autor: string | null
  createdAt: string
  signatures: number
}

export interface Versions {
  /** The present one first. */
  of(id: number): Promise<Version[]>
  text(id: number, versao: number): Promise<string>
}

export function createVersions(database: Database, tallies: Tallies): Versions {
  const { orm } = database

  /** Reads every signature of the campaign, so only where there is something to tell apart. */
  async function signed(slug: string, versions: number): Promise<Map<number, number>> {
    if (versions <= 1) return new Map([[1, (await tallies.signatures()).get(slug) ?? 0]])
    const rows = await database.query<{ versao: number; signatures: string }>(
      'signed-versions',
      `select coalesce("versaoManifesto", 1) as versao, count(*) as signatures from peticoes where campanha = $1 group by 1`,
      [slug],
    )
    return new Map(rows.map(({ versao, signatures }) => [versao, Number(signatures)]))
  }

  return {
    async of(id) {
      const [campaign] = await orm.select({ slug: campaigns.slug }).from(campaigns).where(eq(campaigns.id, id))
      if (!campaign) throw new AppError('not-found', messages.campaign.notFound)
      const { versao, autor, createdAt } = manifestos
      const rows = await orm
        .select({ versao, autor, createdAt })
        .from(manifestos)
        .where(eq(manifestos.campaignId, id))
        .orderBy(desc(versao))
      const counts = await signed(campaign.slug, rows.length)
      return rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        signatures: counts.get(row.versao) ?? 0,
      }))
    },
    async text(id, versao) {
      const [row] = await orm
        .select({ html: manifestos.html })
        .from(manifestos)
        .where(and(eq(manifestos.campaignId, id), eq(manifestos.versao, versao)))
      if (!row) throw new AppError('not-found', adminMessages.campaign.versao)
      return sanitizeManifesto(row.html)
    },
  }
}
