// Routes of the two petitions that have their own addresses: signing and counts.
import { messages } from '#contract/messages.ts'
import {
  countDeputyPetition,
  countPetition,
  deputyCampaign,
  interestRatePetition,
  type Signature,
  signDeputyPetition,
  signPetition,
} from '#contract/petitions.ts'
import { signingClosed } from '#server/core/errors.ts'
import type { Deps } from '#server/deps.ts'
import { type CampaignCounts, createCampaignCounts } from '#server/features/petitions/campaign-counts.ts'
import { createSignatureRemoval, type RemoveSignature } from '#server/features/petitions/removal.ts'
import { createSignatures, type Signatures } from '#server/features/petitions/signatures.ts'
import { type App, mount } from '#server/http/mount.ts'

export interface PetitionServices {
  signatures: Signatures
  counts: CampaignCounts
  removeSignature: RemoveSignature
}

export function registerPetitions(app: App, deps: Deps, { refreshMs }: { refreshMs: number }): PetitionServices {
  const { site, database, log, metrics, throttle, deliveries } = deps
  const { admitMailbox } = app
  const services = {
    signatures: createSignatures({ database, log, metrics, admitMailbox, throttle, onQueued: deliveries.wake }),
    // The response cache adds as much again.
    counts: createCampaignCounts(database, log, refreshMs / 2),
    removeSignature: createSignatureRemoval(deps),
  }
  const { counts } = services
  // Accepted signatures are committed before the connections close.
  app.addHook('onClose', () => services.signatures.close())
  const petitions = [
    { slug: interestRatePetition.slug, signing: signPetition, counting: countPetition },
    { slug: deputyCampaign(site.deputado.slug), signing: signDeputyPetition, counting: countDeputyPetition },
  ]
  for (const { slug, signing, counting } of petitions) {
    mount(app, signing, (signature, { requestId }) => sign(services, slug, signature, requestId))

    mount(app, counting, async () => {
      const [{ baseCount, counted }, hoje] = await Promise.all([counts.of(slug), counts.today(slug)])
      return { success: true, count: baseCount + counted, hoje }
    })
  }
  return services
}

const signedReply = { success: true, message: messages.petition.signed }

/**
 * A page can come from a node that already has a newer version of the manifesto. The counts are then read again, but
 * only if they are older than this: clients that send wrong versions must not cause a query each.
 */
const maxAgeForNewerVersionMs = 200

export async function sign(
  { signatures, counts }: Pick<PetitionServices, 'signatures' | 'counts'>,
  campanha: string,
  signature: Signature,
  requestId: string,
) {
  const { versaoManifesto: displayed = 0, honeypot } = signature
  let count = counts.cached(campanha) ?? (await counts.of(campanha))
  if (displayed > count.versaoManifesto) count = await counts.fresh(campanha, maxAgeForNewerVersionMs)
  const { slug, status, versaoManifesto: current } = count
  if (status !== 'live') {
    // It may have arrived in time, and only the reply was lost.
    if (await signatures.isStored({ campanha: slug, email: signature.email, requestId })) return signedReply
    throw signingClosed
  }
  // The version that the page displayed, or the current one if the request has no version or one that does not exist.
  const versaoManifesto = displayed > 0 && displayed <= current ? displayed : current
  // A bot also gets a success reply, so that it does not try another way.
  if (!honeypot) await signatures.record({ campanha: slug, signature, versaoManifesto, requestId })
  return signedReply
}
