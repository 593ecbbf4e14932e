/** The next of 100, 200, 500, 1,000, 2,000, 5,000… above the count. */
export function nextMilestone(count: number): number {
  for (let step = 100; ; step *= 10) for (const times of [1, 2, 5]) if (step * times > count) return step * times
}

/** The goal above the count: that of the campaign until it is reached, then the next round number. */
export const goalAbove = (count: number, meta: number | null) => (meta && meta > count ? meta : nextMilestone(count))
