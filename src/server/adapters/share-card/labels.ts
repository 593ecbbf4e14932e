// Labels of a share image: the logo with the movement name, and plates with a text.
import { ink, paper, red, yellow } from '#server/adapters/share-card/colors.ts'
import { type Box, round } from '#server/adapters/share-card/geometry.ts'
import { stack } from '#server/adapters/share-card/headline.ts'
import { capitals, place } from '#server/adapters/share-card/lettering.ts'
import { outlined } from '#server/adapters/share-card/shapes.ts'

export interface Mark {
  type: string
  mark: string
  onMark: string
  /** Data URL of a logo that is shown instead of ours. */
  picture?: string
}

export const light: Mark = { type: ink, mark: red, onMark: paper }
export const dark: Mark = { type: paper, mark: yellow, onMark: ink }

/** The logo and the movement's name, in as many lines as its length needs. */
export async function signature(movimento: string, { x, y, w, h }: Box, paint: Mark): Promise<string> {
  const { type, mark, onMark, picture } = paint
  const name = { x: x + h + 12, y, w: w - h - 12, h }
  const drawn = picture ? image(picture, { x, y, w: h, h }) : logo(x, y, h, mark, onMark)
  return drawn + (await stack(movimento, name, { fill: type, align: 'left', leading: 8 }))
}

export const image = (url: string, { x, y, w, h }: Box) =>
  `<image href="${url}" x="${x}" y="${y}" width="${w}" height="${h}"/>`

/** A label of height 86, as wide as its text. */
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
