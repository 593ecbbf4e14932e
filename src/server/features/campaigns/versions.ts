// Versions of a manifesto, and how many people signed each.
import { and, desc, eq } from 'drizzle-orm'
import type { listVersions } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { AppError, campaignNotFound } from '#server/core/errors.ts'
import { sanitizeRichText } from '#server/core/rich-text.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns, manifestos } from '#server/db/schema.ts'
import type { CampaignCounts } from '#server/features/petitions/campaign-counts.ts'

type VersionList = Omit<ReplyOf<typeof listVersions>, 'success'>

/** Signatures by version, with the time of the count. Undefined before the first count has ended. */
export interface SignedVersions {
  of(slug: string): Promise<{ at: Date; signatures: number; byVersion: ReadonlyMap<number, number> } | undefined>
}

interface VersionsDeps {
  database: Database
  counts: CampaignCounts
  breakdown: SignedVersions
}

export type Versions = ReturnType<typeof createVersions>

export function createVersions({ database, counts, breakdown }: VersionsDeps) {
  const { orm } = database

  return {
    /** The current version first. */
    async of(id: number): Promise<VersionList> {
      const [campaign] = await orm.select({ slug: campaigns.slug }).from(campaigns).where(eq(campaigns.id, id))
      if (!campaign) throw campaignNotFound()
      const { versao, autor, createdAt } = manifestos
      const rows = await orm
        .select({ versao, autor, createdAt })
        .from(manifestos)
        .where(eq(manifestos.campaignId, id))
        .orderBy(desc(versao))
      const isOnly = rows.length <= 1
      const counted = isOnly ? undefined : await breakdown.of(campaign.slug)
      const { signatures: signed } = await counts.stored(campaign.slug)
      return {
        counted: counted ? { at: counted.at.toISOString(), uncounted: signed - counted.signatures } : null,
        versions: rows.map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
          signatures: isOnly ? signed : counted ? (counted.byVersion.get(row.versao) ?? 0) : null,
        })),
      }
    },
    async text(id: number, versao: number): Promise<string> {
      const [row] = await orm
        .select({ html: manifestos.html })
        .from(manifestos)
        .where(and(eq(manifestos.campaignId, id), eq(manifestos.versao, versao)))
      if (!row) throw new AppError('not-found', adminMessages.campaign.versao)
      return sanitizeRichText(row.html)
    },
  }
}
