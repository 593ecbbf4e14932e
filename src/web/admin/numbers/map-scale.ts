// The steps of the map: up to where each goes, and how dark it is. Only steps that differ as they are told: few signatures make few.
const shades = 5

export interface Step {
  end: number
  /** From 1, the lightest, to 5. */
  shade: number
}

/** Steps grow: the largest state would leave all others in the first one. `perOne`: into how many parts one is told, 1 for whole numbers. */
export function stepsUpTo(most: number, perOne: number): Step[] {
  const whole = Math.round(most * perOne)
  const ends = new Set(
    Array.from({ length: shades }, (_, index) => Math.ceil((whole * (index + 1) ** 2) / shades ** 2)),
  )
  return [...ends].map((end, index) => ({
    ...{ end: end / perOne, shade: Math.round(((index + 1) * shades) / ends.size) },
  }))
}

/** Into how many parts one is told on a map of rates: the largest rate has at least two digits. */
export function partsOfOne(most: number): number {
  return most > 0 && most < 1 ? 10 ** (1 + Math.ceil(-Math.log10(most))) : 10
}

/** 0 for nothing at all. */
export function shadeOf(value: number, steps: Step[]): number {
  return value > 0 ? (steps.find(({ end }) => value <= end)?.shade ?? shades) : 0
}
