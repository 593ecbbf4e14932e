import { round } from '#server/adapters/share-card/geometry.ts'
import { type Mark, plate, signature } from '#server/adapters/share-card/labels.ts'
import { outline } from '#server/adapters/share-card/lettering.ts'
import { rotated } from '#server/adapters/share-card/shapes.ts'
import type { Poster } from './composition.ts'
import { width } from './poster-size.ts'

export async function foot({ chamada }: Poster, paint: Mark, middle = 1258): Promise<string> {
  const small = { fontFamily: 'Figtree', fontSize: 42, lineHeight: 1.25, width: 640, whiteSpace: 'pre-wrap' }
  const call = await outline(chamada ?? '', small)
  // Three lines are scaled down to the height of two.
  const scale = Math.min(1, 100 / (call.bottom - call.top))
  const y = middle - ((call.top + call.bottom) / 2) * scale
  return [
    chamada
      ? `<path d="${call.d}" fill="${paint.type}" transform="translate(76 ${round(y)}) scale(${round(scale, 1000)})"/>`
      : '',
    await signature('', { x: 920, y: middle - 42, w: 84, h: 84 }, paint),
  ].join('')
}

export async function sticker(text: string, left: number, y: number, degrees: number, ground: string, type: string) {
  const { svg, w } = await plate(text, ground, type)
  const x = Math.min(left, width - 70 - w)
  return rotated(degrees, x + w / 2, y + 43, `<g transform="translate(${round(x)} ${y})">${svg}</g>`)
}
