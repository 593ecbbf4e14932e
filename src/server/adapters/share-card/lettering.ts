// Converts text to SVG outlines with satori, in the two fonts of the site.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import satori from 'satori'
import { round } from '#server/adapters/share-card/geometry.ts'

const resolve = createRequire(import.meta.url).resolve
const woff = (path: string) => readFileSync(resolve(`@fontsource/${path}-normal.woff`))
const fonts = [
  { name: 'Anton', data: woff('anton/files/anton-latin-400'), weight: 400 as const, style: 'normal' as const },
  { name: 'Figtree', data: woff('figtree/files/figtree-latin-800'), weight: 800 as const, style: 'normal' as const },
]

/** Larger than any text. */
const canvasHeight = 1350

export interface Setting {
  d: string
  left: number
  right: number
  top: number
  bottom: number
}

/** Removes characters that the two fonts lack, and invisible marks that reverse text. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(/[^\n -~\u00a0-\u00ac\u00ae-\u00ffŒœ–—‘’‚“”„•…€™]+/gu, ' ')
}

/** Text as one outline with its exact bounds: accents and cedillas count, side bearings do not. */
export async function outline(text: string, style: Record<string, string | number>): Promise<Setting> {
  const box = { boxSizing: 'border-box', lineHeight: 1.5, ...style }
  const element = { type: 'div', key: null, props: { style: box, children: printable(text) } }
  const svg = await satori(element, { fonts, height: canvasHeight })
  const d = [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]).join('')
  const pairs = [...d.matchAll(/(-?[\d.]+)[ ,](-?[\d.]+)/g)].map(
    (match) => [Number(match[1]), Number(match[2])] as const,
  )
  const xs = pairs.map(([x]) => x)
  const ys = pairs.map(([, y]) => y)
  if (!d) return { d, left: 0, right: 0, top: 0, bottom: 0 }
  return { d, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

export const capitals = (text: string) =>
  outline(text.toLocaleUpperCase('pt-BR'), { fontFamily: 'Anton', fontSize: 100, whiteSpace: 'nowrap' })

export interface Paint {
  fill: string
  /** Colour of a hard shadow. */
  shadow?: string
  edge?: string
  align?: 'left' | 'middle'
  /** Gap between lines, if not the default. */
  leading?: number
}

// Metrics of Anton at 100 px with a line height of 1.5.
export const capTop = 31
export const baseline = 117

export function place(type: Setting, x: number, y: number, scale: number, { fill, shadow, edge }: Paint): string {
  const at = (offset: number, attributes: string) =>
    `<path d="${type.d}" transform="translate(${round(x + offset)} ${round(y + offset)}) scale(${round(scale, 1000)}) translate(${round(-type.left)} ${-capTop})" ${attributes}/>`
  // Small type gets a thinner stroke, otherwise the openings in its letters close.
  const stroke = edge
    ? `stroke="${edge}" stroke-width="${round(Math.min(16 / scale, 10))}" stroke-linejoin="round"`
    : ''
  return [
    shadow ? at(Math.min(9, scale * 6), `fill="${shadow}" ${stroke}`) : '',
    edge ? at(0, `fill="${edge}" ${stroke}`) : '',
    at(0, `fill="${fill}"`),
  ].join('')
}
