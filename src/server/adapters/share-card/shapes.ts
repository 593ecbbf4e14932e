import { ink } from '#server/adapters/share-card/colors.ts'
import { points, polar } from '#server/adapters/share-card/geometry.ts'

export const outlined = (fill: string, weight = 14) =>
  `fill="${fill}" stroke="${ink}" stroke-width="${weight}" stroke-linejoin="round" stroke-linecap="round"`

export const rotated = (degrees: number, x: number, y: number, svg: string) =>
  `<g transform="rotate(${degrees} ${x} ${y})">${svg}</g>`

export function rays(cx: number, cy: number, count: number, fill: string): string {
  const step = (2 * Math.PI) / count
  return Array.from({ length: count }, (_, i) => {
    const wedge = [[cx, cy] as const, polar(cx, cy, 1900, (i - 0.25) * step), polar(cx, cy, 1900, (i + 0.25) * step)]
    return `<polygon points="${points(wedge)}" fill="${fill}"/>`
  }).join('')
}
