// Repeatable random numbers: a run prints its seed, and CHAOS_SEED=… repeats it.

/** The seed of every property test. fast-check prints it when a property fails; TEST_SEED=… tries other values. */
export const seed = Number(process.env.TEST_SEED ?? 20_261_115)

export interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
}

export function seededRandom(purpose: string): Random {
  let state = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${purpose}: CHAOS_SEED=${state}`)
  // mulberry32
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { between: (min, max) => min + Math.floor(draw() * (max - min + 1)) }
}
