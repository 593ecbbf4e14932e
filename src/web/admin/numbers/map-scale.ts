const shades = 5

interface Step {
  end: number
  /** From 1 (lightest) to 5. */
  shade: number
}

/**
 * Ranges of the map legend, each given by its upper end. Their sizes grow: with equal sizes the largest state would
 * push all others into the first range. Ends that look equal when displayed are merged, so few signatures give few
 * ranges. `perOne`: resolution of the displayed values: 1 for whole numbers, 10 for one decimal.
 */
export function legendRanges(max: number, perOne: number): Step[] {
  const scaledMax = Math.round(max * perOne)
  const ends = new Set(
    Array.from({ length: shades }, (_, index) => Math.ceil((scaledMax * (index + 1) ** 2) / shades ** 2)),
  )
  return [...ends].map((end, index) => ({
    ...{ end: end / perOne, shade: Math.round(((index + 1) * shades) / ends.size) },
  }))
}

/** Resolution for a map of rates: the largest rate has at least two digits. */
export function rateResolution(max: number): number {
  return max > 0 && max < 1 ? 10 ** (1 + Math.ceil(-Math.log10(max))) : 10
}

/** 0 if there are no signatures. */
export function shadeOf(value: number, steps: Step[]): number {
  return value > 0 ? (steps.find(({ end }) => value <= end)?.shade ?? shades) : 0
}
