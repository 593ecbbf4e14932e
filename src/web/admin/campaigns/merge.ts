// Two edits of the same campaign: what each changed since both began, and what becomes of it.
import { type CampaignValues, differences, type FieldName } from '#web/admin/campaigns/campaign-values.ts'

export interface Quarrel {
  /** Changed by the other alone: taken over. */
  theirs: FieldName[]
  /** Changed by both, in different ways: to be decided. */
  both: FieldName[]
}

interface Sides {
  base: CampaignValues
  mine: CampaignValues
  stored: CampaignValues
}

export function compare({ base, mine, stored }: Sides): Quarrel {
  const mineChanged = new Set(differences(base, mine))
  const theirsChanged = differences(base, stored)
  return {
    theirs: theirsChanged.filter((name) => !mineChanged.has(name)),
    both: theirsChanged.filter((name) => mineChanged.has(name) && mine[name] !== stored[name]),
  }
}

/** What I wrote, with what the other changed; where both did, what was chosen. */
export function merge({ base, mine, stored }: Sides, keepStored: ReadonlySet<FieldName>): CampaignValues {
  const { theirs, both } = compare({ base, mine, stored })
  const taken = [...theirs, ...both.filter((name) => keepStored.has(name))]
  return { ...mine, ...Object.fromEntries(taken.map((name) => [name, stored[name]])) }
}
