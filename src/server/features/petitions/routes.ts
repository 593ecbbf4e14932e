// The interest-rate petition: signing it and reading its counter.
import { messages } from '#contract/messages.ts'
import { countPetition, interestRatePetition, type Signature, signPetition } from '#contract/petitions.ts'
import type { Signatures } from '#server/features/petitions/signatures.ts'
import type { Tallies } from '#server/features/petitions/tallies.ts'
import { type App, mount } from '#server/http/mount.ts'

export interface PetitionServices {
  signatures: Signatures
  tallies: Tallies
}

export function petitionRoutes(app: App, services: PetitionServices): void {
  const { slug } = interestRatePetition
  mount(app, signPetition, (signature, { requestId }) => sign(services, slug, signature, requestId))

  mount(app, countPetition, async () => {
    const { baseCount, signatures } = await services.tallies.of(slug)
    return { success: true, count: baseCount + signatures }
  })
}

export async function sign(services: PetitionServices, campanha: string, signature: Signature, requestId: string) {
  await services.tallies.of(campanha)
  // A robot is told that it succeeded, so that it does not try another way.
  if (!signature.honeypot) await services.signatures.record(campanha, signature, requestId)
  return { success: true, message: messages.petition.signed }
}
