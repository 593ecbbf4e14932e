// The versions of a manifesto, and how many people signed each.
import { and, desc, eq } from 'drizzle-orm'
import type { listVersions } from '#contract/admin/campaigns.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { AppError } from '#server/core/errors.ts'
import type { Database } from '#server/db/database.ts'
import { campaigns, manifestos } from '#server/db/schema.ts'
import { sanitizeManifesto } from '#server/features/campaigns/manifesto.ts'
import type { Tallies } from '#server/features/petitions/tallies.ts'

type Listed = Omit<ReplyOf<typeof listVersions>, 'success'>

export interface Versions {
  /** The present one first. */
  of(id: number): Promise<Listed>
  text(id: number, versao: number): Promise<string>
}

/** Signatures counted one by one, with the moment when that ended; nothing before the first time. */
export interface SignedVersions {
  of(slug: string): Promise<{ at: Date; signatures: number; byVersion: ReadonlyMap<number, number> } | undefined>
}

export interface VersionsDeps {
  database: Database
  tallies: Tallies
  census: SignedVersions
}

export function createVersions({ database, tallies, census }: VersionsDeps): Versions {
  const { orm } = database

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
      const isOnly = rows.length <= 1
      const counted = isOnly ? undefined : await census.of(campaign.slug)
      const signed = (await tallies.signatures()).get(campaign.slug) ?? 0
      return {
        counted: counted ? { at: counted.at.toISOString(), uncounted: signed - counted.signatures } : null,
        versions: rows.map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
          signatures: isOnly ? signed : counted ? (counted.byVersion.get(row.versao) ?? 0) : null,
        })),
      }
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
