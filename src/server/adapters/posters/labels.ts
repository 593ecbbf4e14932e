// The small print every poster carries: the category's sticker, and the foot with the call and the movement's mark.
import { type Box, round, width } from '#server/adapters/posters/geometry.ts'
import { stack } from '#server/adapters/posters/headline.ts'
import { ink, paper, red, yellow } from '#server/adapters/posters/inks.ts'
import { capitals, outline, place } from '#server/adapters/posters/lettering.ts'
import { outlined, turned } from '#server/adapters/posters/shapes.ts'
import type { Poster } from '#server/core/poster.ts'

interface Mark {
  type: string
  mark: string
  onMark: string
}

export const light: Mark = { type: ink, mark: red, onMark: paper }
export const dark: Mark = { type: paper, mark: yellow, onMark: ink }

export async function foot({ chamada, movimento }: Poster, paint: Mark, middle = 1258): Promise<string> {
  const small = { fontFamily: 'Figtree', fontSize: 42, lineHeight: 1.25, width: 640, whiteSpace: 'pre-wrap' }
  const call = await outline(chamada ?? '', small)
  // Three lines shrink into the place of two.
  const scale = Math.min(1, 100 / (call.bottom - call.top))
  const y = middle - ((call.top + call.bottom) / 2) * scale
  return [
    chamada
      ? `<path d="${call.d}" fill="${paint.type}" transform="translate(76 ${round(y)}) scale(${round(scale, 1000)})"/>`
      : '',
    await signature(movimento, { x: 752, y: middle - 42, w: 252, h: 84 }, paint),
  ].join('')
}

/** The mark, and the movement's name in as many lines as its length asks for. */
export async function signature(movimento: string, { x, y, w, h }: Box, { type, mark, onMark }: Mark): Promise<string> {
  const name = { x: x + h + 12, y, w: w - h - 12, h }
  return logo(x, y, h, mark, onMark) + (await stack(movimento, name, { fill: type, align: 'left', leading: 8 }))
}

export async function sticker(text: string, left: number, y: number, degrees: number, ground: string, type: string) {
  const { svg, w } = await plate(text, ground, type)
  const x = Math.min(left, width - 70 - w)
  return turned(degrees, x + w / 2, y + 43, `<g transform="translate(${round(x)} ${y})">${svg}</g>`)
}

/** A label, 86 high and as wide as its text asks for. */
export async function plate(text: string, ground: string, type: string): Promise<{ svg: string; w: number }> {
  const label = await capitals(text)
  const scale = 0.5
  const w = (label.right - label.left) * scale + 60
  const shape = (dx: number, fill: string) =>
    `<rect x="${dx}" y="${dx}" width="${round(w)}" height="86" rx="10" ${outlined(fill, 9)}/>`
  return { w, svg: shape(9, ink) + shape(0, ground) + place(label, 30, 22, scale, { fill: type }) }
}

function logo(x: number, y: number, size: number, balloon: string, horn: string): string {
  return `<g transform="translate(${x} ${y}) scale(${size / 100})">
    <path d="M50 4C77 4 96 21 96 44S77 84 50 84c-5 0-10-.6-14-1.7L12 97l6-23C9 66 4 56 4 44 4 21 23 4 50 4Z" fill="${balloon}"/>
    <path d="M26 36h11L66 20v48L37 53H26ZM34 57h10l5 15H39ZM72 33q12 11 0 23Z" fill="${horn}" stroke="${horn}" stroke-width="4" stroke-linejoin="round"/>
  </g>`
}
