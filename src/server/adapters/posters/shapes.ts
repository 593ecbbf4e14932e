// The printer's plain shapes: outlines, stars, rays and halftone dots, as SVG.
import { type Box, points, polar, round } from '#server/adapters/posters/geometry.ts'
import { ink } from '#server/adapters/posters/inks.ts'

export const outlined = (fill: string, weight = 14) =>
  `fill="${fill}" stroke="${ink}" stroke-width="${weight}" stroke-linejoin="round" stroke-linecap="round"`

export const turned = (degrees: number, x: number, y: number, svg: string) =>
  `<g transform="rotate(${degrees} ${x} ${y})">${svg}</g>`

export function star(cx: number, cy: number, spikes: number, outer: number, inner: number): string {
  return points(
    Array.from({ length: spikes * 2 }, (_, i) => polar(cx, cy, i % 2 ? inner : outer, (i * Math.PI) / spikes - 1.4)),
  )
}

export function rays(cx: number, cy: number, count: number, fill: string): string {
  const step = (2 * Math.PI) / count
  return Array.from({ length: count }, (_, i) => {
    const wedge = [[cx, cy] as const, polar(cx, cy, 1900, (i - 0.25) * step), polar(cx, cy, 1900, (i + 0.25) * step)]
    return `<polygon points="${points(wedge)}" fill="${fill}"/>`
  }).join('')
}

/** Dots on a grid turned by 45 degrees; `size` gets a place in the box from 0 to 1 and answers 0 to 1. */
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
