// Population of each state. Source: IBGE, Censo Demográfico 2022, população residente (table 4714, revised results:
// 203,080,756 in total).
import type { StateCode } from '#contract/states.ts'

export const populationSource = 'IBGE, Censo Demográfico 2022'

export const populations: Record<StateCode, number> = {
  AC: 830_018,
  AL: 3_127_683,
  AP: 733_759,
  AM: 3_941_613,
  BA: 14_141_626,
  CE: 8_794_957,
  DF: 2_817_381,
  ES: 3_833_712,
  GO: 7_056_495,
  MA: 6_776_699,
  MT: 3_658_649,
  MS: 2_757_013,
  MG: 20_539_989,
  PA: 8_120_131,
  PB: 3_974_687,
  PR: 11_444_380,
  PE: 9_058_931,
  PI: 3_271_199,
  RJ: 16_055_174,
  RN: 3_302_729,
  RS: 10_882_965,
  RO: 1_581_196,
  RR: 636_707,
  SC: 7_610_361,
  SP: 44_411_238,
  SE: 2_210_004,
  TO: 1_511_460,
}

/** Signatures per 100,000 inhabitants: one decimal, or two significant digits below 1. */
export function per100Thousand(state: StateCode, signatures: number): number {
  const rate = (signatures / populations[state]) * 100_000
  return rate < 1 ? Number(rate.toPrecision(2)) : Math.round(rate * 10) / 10
}
