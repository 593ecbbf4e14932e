import { changedPaths, type SiteFields, type SitePath, valueAt } from '#contract/admin/site.ts'

/** A copy of the settings with another value at a path. `undefined` removes the key. */
export function withValue(settings: SiteFields, path: string, value: unknown): SiteFields {
  const copy = structuredClone(settings)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let target = copy as Record<string, unknown>
  for (const name of names) {
    target[name] ??= {}
    target = target[name] as Record<string, unknown>
  }
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}

interface Sides {
  base: SiteFields
  mine: SiteFields
  stored: SiteFields
}

/** The settings that both changed, to different values. */
export function contested({ base, mine, stored }: Sides): SitePath[] {
  const different = new Set(changedPaths(mine, stored))
  const theirs = new Set(changedPaths(base, stored))
  return changedPaths(base, mine).filter((path) => theirs.has(path) && different.has(path))
}

/** Three-way merge: the stored settings, with every value that I changed. */
export function mergeMine({ base, mine, stored }: Sides): SiteFields {
  return changedPaths(base, mine).reduce((merged, path) => withValue(merged, path, valueAt(mine, path)), stored)
}
