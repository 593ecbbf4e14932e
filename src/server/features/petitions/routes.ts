// The two petitions with addresses of their own: signing them and reading their counters.
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
import type { Site } from '#contract/site.ts'
import { onceFor } from '#server/core/once-for.ts'
import type { Signatures } from '#server/features/petitions/signatures.ts'
import type { Tallies, Tally } from '#server/features/petitions/tallies.ts'
import { type App, mount } from '#server/http/mount.ts'

export interface PetitionServices {
  signatures: Signatures
  tallies: Tallies
}

export function petitionRoutes(app: App, services: PetitionServices, site: Site): void {
  const petitions = [
    { slug: interestRatePetition.slug, signing: signPetition, counting: countPetition },
    { slug: deputyCampaign(site.deputado.slug), signing: signDeputyPetition, counting: countDeputyPetition },
  ]
  for (const { slug, signing, counting } of petitions) {
    mount(app, signing, (signature, { requestId }) => sign(services, slug, signature, requestId))

    mount(app, counting, async () => shownCount(await services.tallies.of(slug)))
  }
}

const shownCount = onceFor(({ baseCount, signatures }: Tally) => ({ success: true, count: baseCount + signatures }))
const signed = { success: true, message: messages.petition.signed }

/** A page from a node that has heard of a change before this one: what is known here is read again, but not for every liar. */
const hearsayMs = 200

export async function sign(
  { signatures, tallies }: PetitionServices,
  campanha: string,
  signature: Signature,
  requestId: string,
) {
  const { versaoManifesto: shown = 0, honeypot } = signature
  let tally = tallies.known(campanha) ?? (await tallies.of(campanha))
  if (shown > tally.versaoManifesto) tally = await tallies.fresh(campanha, hearsayMs)
  const { slug, versaoManifesto: present } = tally
  // The version that the page showed; where it says none, or one that does not exist, the present one.
  const versaoManifesto = shown > 0 && shown <= present ? shown : present
  // A robot is told that it succeeded, so that it does not try another way.
  if (!honeypot) await signatures.record({ campanha: slug, signature, versaoManifesto, requestId })
  return signed
}
