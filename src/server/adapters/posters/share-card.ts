// Draws the picture of a shared link with the posters' type, inks and paper; the same card always gives the same bytes.
import sharp from 'sharp'
import { shareSize } from '#contract/share.ts'
import { type Box, round, type Size } from '#server/adapters/posters/geometry.ts'
import { stack } from '#server/adapters/posters/headline.ts'
import { ink, paper, type Theme, themes } from '#server/adapters/posters/inks.ts'
import { light, plate, signature } from '#server/adapters/posters/labels.ts'
import { outline, printable } from '#server/adapters/posters/lettering.ts'
import { tornFoot, wear } from '#server/adapters/posters/paper.ts'
import { rays, turned } from '#server/adapters/posters/shapes.ts'
import type { ShareCard } from '#server/core/poster.ts'

const sheet: Size = shareSize
const middle = sheet.width / 2
const footTop = 478

export async function drawShareCard(card: ShareCard): Promise<Buffer> {
  const { width, height } = sheet
  const theme = themes[card.tema]
  const headline = { x: 60, y: 44, w: 1080, h: card.destaque ? 326 : 380 }
  // A title of signs that no font of ours holds would leave the sheet bare.
  const titulo = printable(card.titulo).trim() ? card.titulo : card.movimento
  const art = [
    rays(middle, 240, 26, theme.shade),
    await stack(titulo, headline, { fill: theme.type, shadow: theme.cast, leading: 14 }),
    wear(7, paper, { width, height: footTop }),
    tornFoot(footTop, -10, paper, 8, sheet),
    await badge(card, theme),
    await foot(card, theme),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${theme.ground}"/>${art.join('')}</svg>`
  return sharp(Buffer.from(svg)).png({ palette: true, colours: 48, dither: 0, effort: 4 }).toBuffer()
}

async function badge({ destaque }: ShareCard, { accent, onAccent }: Theme): Promise<string> {
  if (!destaque) return ''
  const { svg, w } = await plate(destaque, accent, onAccent)
  return turned(-2, middle, 440, `<g transform="translate(${round(middle - w * 0.6)} 388) scale(1.2)">${svg}</g>`)
}

async function foot({ lema, chamada, movimento }: ShareCard, { ground, type }: Theme): Promise<string> {
  const call = await plate(chamada, ground, type)
  const name = { x: 60, y: 528, w: 400, h: 66 }
  return [
    lema ? await motto(lema, { x: 60, y: 512, w: 1030 - call.w, h: 92 }) : await signature(movimento, name, light),
    `<g transform="translate(${round(1140 - call.w)} 514)">${call.svg}</g>`,
  ].join('')
}

/** In the largest type that its place takes. */
async function motto(lema: string, { x, y, w, h }: Box): Promise<string> {
  for (let fontSize = 38; ; fontSize -= 4) {
    const text = await outline(lema, { fontFamily: 'Figtree', fontSize, lineHeight: 1.25, width: w })
    if (text.bottom - text.top > h && fontSize > 12) continue
    const top = y + (h - text.top - text.bottom) / 2
    return `<path d="${text.d}" fill="${ink}" transform="translate(${x} ${round(top)})"/>`
  }
}
