// Type as outlines: text set by satori in the poster's two fonts, and put on the sheet in one ink or two.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import satori from 'satori'
import { height, round } from '#server/adapters/posters/geometry.ts'

const resolve = createRequire(import.meta.url).resolve
const woff = (path: string) => readFileSync(resolve(`@fontsource/${path}-normal.woff`))
const fonts = [
  { name: 'Anton', data: woff('anton/files/anton-latin-400'), weight: 400 as const, style: 'normal' as const },
  { name: 'Figtree', data: woff('figtree/files/figtree-latin-800'), weight: 800 as const, style: 'normal' as const },
]

export interface Setting {
  d: string
  left: number
  right: number
  top: number
  bottom: number
}

/** Text that the two fonts can print: the Latin letters and signs they hold, without the invisible marks that turn text about. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(/[^\n -~\u00a0-\u00ac\u00ae-\u00ffŒœ–—‘’‚“”„•…€™]+/gu, ' ')
}

/** Text as one outline with its true bounds: accents and cedillas count, side bearings do not. */
export async function outline(text: string, style: Record<string, string | number>): Promise<Setting> {
  const box = { boxSizing: 'border-box', lineHeight: 1.5, ...style }
  const element = { type: 'div', key: null, props: { style: box, children: printable(text) } }
  const svg = await satori(element, { fonts, height })
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
  /** A hard shadow, as of a second ink printed out of register. */
  shadow?: string
  edge?: string
  align?: 'left' | 'middle'
  /** The gap between lines, where the sheet's own is too wide. */
  leading?: number
}

// Anton at 100 px on a line of 1.5.
export const capTop = 31
export const baseline = 117

export function place(type: Setting, x: number, y: number, scale: number, { fill, shadow, edge }: Paint): string {
  const at = (offset: number, attributes: string) =>
    `<path d="${type.d}" transform="translate(${round(x + offset)} ${round(y + offset)}) scale(${round(scale, 1000)}) translate(${round(-type.left)} ${-capTop})" ${attributes}/>`
  // Small type takes thinner ink, or its counters fill up.
  const stroke = edge
    ? `stroke="${edge}" stroke-width="${round(Math.min(16 / scale, 10))}" stroke-linejoin="round"`
    : ''
  return [
    shadow ? at(Math.min(9, scale * 6), `fill="${shadow}" ${stroke}`) : '',
    edge ? at(0, `fill="${edge}" ${stroke}`) : '',
    at(0, `fill="${fill}"`),
  ].join('')
}
