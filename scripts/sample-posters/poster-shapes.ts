import { paper } from '#server/adapters/share-card/colors.ts'
import { type Box, points, polar, round } from '#server/adapters/share-card/geometry.ts'
import { seededRandom } from '#server/adapters/share-card/seeded-random.ts'
import { height, width } from './poster-size.ts'

export function star(cx: number, cy: number, spikes: number, outer: number, inner: number): string {
  return points(
    Array.from({ length: spikes * 2 }, (_, i) => polar(cx, cy, i % 2 ? inner : outer, (i * Math.PI) / spikes - 1.4)),
  )
}

/** Halftone dots on a grid rotated by 45 degrees. `size` maps a position in the box (0 to 1) to a dot size (0 to 1). */
export function dots(box: Box, step: number, fill: string, size: (u: number, v: number) => number): string {
  let d = ''
  for (let row = 0; row * step <= box.h * 2; row++) {
    for (let column = 0; column * step <= box.w; column++) {
      const x = column * step + (row % 2 ? step / 2 : 0)
      const y = (row * step) / 2
      const radius = round(size(x / box.w, y / box.h) * step * 0.5)
      if (y <= box.h && radius > 1)
        d += `M${round(box.x + x - radius)} ${round(box.y + y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
    }
  }
  return `<path d="${d}" fill="${fill}"/>`
}

/** The unprinted margin of the sheet, with an uneven edge. */
export function margin(seed: number): string {
  const next = seededRandom(seed)
  const jitter = () => 30 + next() * 5
  const top = Array.from({ length: 40 }, (_, i) => [30 + (i * 1020) / 39, jitter()] as const)
  const right = Array.from({ length: 50 }, (_, i) => [width - jitter(), 30 + (i * 1290) / 49] as const)
  const bottom = top.map(([x]) => [width - x, height - jitter()] as const)
  const left = right.map(([, y]) => [jitter(), height - y] as const)
  const inner = points([...top, ...right, ...bottom, ...left]).replaceAll(' ', 'L')
  return `<path d="M0 0H${width}V${height}H0ZM${inner}Z" fill="${paper}" fill-rule="evenodd"/>`
}
