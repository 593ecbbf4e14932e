import { ink, paper, white } from '#server/adapters/share-card/colors.ts'
import { points, polar, type Size } from '#server/adapters/share-card/geometry.ts'
import { seededRandom } from '#server/adapters/share-card/seeded-random.ts'

/** A strip of torn paper from `y` to the bottom of the sheet, inclined by `slope`. */
export function tornFoot(y: number, slope: number, fill: string, seed: number, sheet: Size): string {
  const { width, height } = sheet
  const next = seededRandom(seed)
  const edge = Array.from({ length: Math.ceil(width / 18) + 1 }, (_, i) => {
    const x = i * 18
    return [x, y + slope * (x / width) + Math.sin(x / 97 + seed) * 7 + (next() - 0.5) * 14] as const
  })
  const lifted = edge.map(([x, y]) => [x + 4, y - 7 - next() * 11] as const)
  const close = [
    [width + 20, edge.at(-1)?.[1] ?? y],
    [width + 20, height],
    [-20, height],
    [-20, y],
  ] as const
  return `<polygon points="${points([...lifted.map(([x, y]) => [x, y - 9] as const), ...close])}" fill="${ink}" opacity=".28"/>
    <polygon points="${points([...lifted, ...close])}" fill="${fill === white ? paper : white}"/>
    <polygon points="${points([...edge, ...close])}" fill="${fill}"/>`
}

/** Flecks without ink in the given area. It must exclude small type, where flecks look like punctuation. */
export function wear(seed: number, fill: string, { width, height }: Size): string {
  const next = seededRandom(seed)
  const flecks = Array.from({ length: 130 }, () => {
    const [x, y, size] = [next() * width, next() * height, 1.2 + next() ** 5 * 5]
    return `M${points([0, 1, 2, 3, 4, 5].map((i) => polar(x, y, size * (0.4 + next()), i + next())))}Z`
  })
  return `<path d="${flecks.join('')}" fill="${fill}" opacity=".8"/>`
}
