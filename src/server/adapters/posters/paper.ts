// What makes it paper on a wall: the torn strip at the foot, the unprinted margin, the flecks of wear.
import { chance } from '#server/adapters/posters/chance.ts'
import { height, points, polar, poster, type Size, width } from '#server/adapters/posters/geometry.ts'
import { ink, paper, white } from '#server/adapters/posters/inks.ts'

/** A strip of torn paper from `y` to the foot of the sheet, falling by `slope` to the right. */
export function tornFoot(y: number, slope: number, fill: string, seed: number, sheet: Size = poster): string {
  const { width, height } = sheet
  const next = chance(seed)
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

/** The unprinted margin of the sheet, with the uneven edge of a hurried print. */
export function margin(seed: number): string {
  const next = chance(seed)
  const jitter = () => 30 + next() * 5
  const top = Array.from({ length: 40 }, (_, i) => [30 + (i * 1020) / 39, jitter()] as const)
  const right = Array.from({ length: 50 }, (_, i) => [width - jitter(), 30 + (i * 1290) / 49] as const)
  const bottom = top.map(([x]) => [width - x, height - jitter()] as const)
  const left = right.map(([, y]) => [jitter(), height - y] as const)
  const inner = points([...top, ...right, ...bottom, ...left]).replaceAll(' ', 'L')
  return `<path d="M0 0H${width}V${height}H0ZM${inner}Z" fill="${paper}" fill-rule="evenodd"/>`
}

/** Flecks where the ink did not take; none near the small type, where they would read as points. */
export function wear(seed: number, fill: string, { width, height }: Size = { ...poster, height: 1150 }): string {
  const next = chance(seed)
  const flecks = Array.from({ length: 130 }, () => {
    const [x, y, size] = [next() * width, next() * height, 1.2 + next() ** 5 * 5]
    return `M${points([0, 1, 2, 3, 4, 5].map((i) => polar(x, y, size * (0.4 + next()), i + next())))}Z`
  })
  return `<path d="${flecks.join('')}" fill="${fill}" opacity=".8"/>`
}
