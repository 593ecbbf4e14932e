// Deliberate errors in the server. Each must make at least one of its tests fail.
import { limitMutations } from '#tests/mutants/limits.ts'
import type { Area, Mutant, Mutation } from '#tests/mutants/mutation.ts'
import { newsMutations } from '#tests/mutants/news.ts'
import { outboxMutations } from '#tests/mutants/outbox.ts'
import { sanitisingMutations } from '#tests/mutants/sanitising.ts'
import { sessionMutations } from '#tests/mutants/sessions.ts'
import { signingMutations } from '#tests/mutants/signing.ts'

const inArea = (area: Area, mutations: Mutation[]): Mutant[] => mutations.map((mutation) => ({ area, ...mutation }))

export const mutants: Mutant[] = [
  ...inArea('signing', signingMutations),
  ...inArea('limits', limitMutations),
  ...inArea('sessions', sessionMutations),
  ...inArea('outbox', outboxMutations),
  ...inArea('news', newsMutations),
  ...inArea('sanitising', sanitisingMutations),
]
