import { type CampaignValues, differences, type FieldName } from '#web/admin/campaigns/campaign-values.ts'

interface FieldConflicts {
  /** Changed only by the other administrator: taken over. */
  theirs: FieldName[]
  /** Changed by both, to different values: the user decides. */
  both: FieldName[]
}

interface Sides {
  base: CampaignValues
  mine: CampaignValues
  stored: CampaignValues
}

export function compare({ base, mine, stored }: Sides): FieldConflicts {
  const mineChanged = new Set(differences(base, mine))
  const theirsChanged = differences(base, stored)
  return {
    theirs: theirsChanged.filter((name) => !mineChanged.has(name)),
    both: theirsChanged.filter((name) => mineChanged.has(name) && mine[name] !== stored[name]),
  }
}

/** Three-way merge: my values, with the changes of the other administrator. `keepStored` decides where both changed. */
export function merge({ base, mine, stored }: Sides, keepStored: ReadonlySet<FieldName>): CampaignValues {
  const { theirs, both } = compare({ base, mine, stored })
  const fromStored = [...theirs, ...both.filter((name) => keepStored.has(name))]
  return { ...mine, ...Object.fromEntries(fromStored.map((name) => [name, stored[name]])) }
}
