// Signatures by campaign, origin and day in bounded memory: anyone can invent origins, so rare ones are combined.
import { directOrigin, maxOrigins, otherOrigins } from '#contract/admin/numbers.ts'

/** Signatures by day, counted from 1970. */
type DayCounts = Map<number, number>

export interface OriginCell {
  campaign: string
  /** A label, `directOrigin` or `otherOrigins`. */
  origin: string
  day: number
  signatures: number
}

/** About 50 bytes for each origin and day of a campaign. */
const maxCells = 250_000

export type OriginCounts = ReturnType<typeof createOriginCounts>

export function createOriginCounts(limits: { origins?: number; cells?: number } = {}) {
  const { origins = maxOrigins, cells: cellLimit = maxCells } = limits
  const byCampaign = new Map<string, Map<string, DayCounts>>()
  /** Number of labels that a campaign keeps when it has too many. */
  let kept = origins

  function combineRare(counts: Map<string, DayCounts>): void {
    const labels = [...counts].filter(([origin]) => isLabel(origin)).map(([origin, days]) => ({ origin, days }))
    const rare = labels.sort((one, other) => sumOf(other.days) - sumOf(one.days)).slice(kept)
    for (const { origin, days } of rare) {
      counts.delete(origin)
      for (const [day, n] of days) addTo(counts, otherOrigins, day, n)
    }
  }

  const countCells = () =>
    [...byCampaign.values()].reduce((sum, counts) => sum + [...counts.values()].reduce((n, { size }) => n + size, 0), 0)

  return {
    add({ campaign, origin, day, signatures }: Omit<OriginCell, 'origin'> & { origin: string | null }): void {
      const counts = byCampaign.get(campaign) ?? new Map<string, DayCounts>()
      byCampaign.set(campaign, counts)
      addTo(counts, origin ?? directOrigin, day, signatures)
    },
    /** After each part of the count. Twice the limit is allowed meanwhile, because an origin may still grow. */
    limit(): void {
      for (const counts of byCampaign.values()) if (counts.size > 2 * kept) combineRare(counts)
      while (kept > 1 && countCells() > cellLimit) {
        kept = Math.floor(kept / 2)
        for (const counts of byCampaign.values()) combineRare(counts)
      }
    },
    finish(): void {
      for (const counts of byCampaign.values()) combineRare(counts)
    },
    *cells(): Generator<OriginCell> {
      for (const [campaign, counts] of byCampaign)
        for (const [origin, days] of counts)
          for (const [day, signatures] of days) yield { campaign, origin, day, signatures }
    },
  }
}

const isLabel = (origin: string) => origin !== directOrigin && origin !== otherOrigins

const sumOf = (days: DayCounts) => [...days.values()].reduce((sum, n) => sum + n, 0)

function addTo(counts: Map<string, DayCounts>, origin: string, day: number, n: number): void {
  const days = counts.get(origin) ?? new Map<number, number>()
  counts.set(origin, days)
  days.set(day, (days.get(day) ?? 0) + n)
}
