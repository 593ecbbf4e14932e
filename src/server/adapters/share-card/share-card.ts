// Draws the preview image of a shared link. The same card always gives the same bytes.
import sharp from 'sharp'
import { shareSize } from '#contract/share.ts'
import { ink, type Palette, palettes, paper } from '#server/adapters/share-card/colors.ts'
import { type Box, round, type Size } from '#server/adapters/share-card/geometry.ts'
import { stack } from '#server/adapters/share-card/headline.ts'
import { image, light, plate, signature } from '#server/adapters/share-card/labels.ts'
import { outline, printable } from '#server/adapters/share-card/lettering.ts'
import { tornFoot, wear } from '#server/adapters/share-card/paper.ts'
import { rays, rotated } from '#server/adapters/share-card/shapes.ts'
import type { ShareCard } from '#server/core/share-card.ts'

const sheet: Size = shareSize
const middle = sheet.width / 2
const footTop = 478

export async function drawShareCard(card: ShareCard): Promise<Buffer> {
  const { width, height } = sheet
  const palette = palettes[card.tema]
  const headline = { x: 60, y: 44, w: 1080, h: card.destaque ? 326 : 380 }
  // A title without any printable character would leave the card empty.
  const titulo = printable(card.titulo).trim() ? card.titulo : card.movimento
  const art = [
    rays(middle, 240, 26, palette.shade),
    await stack(titulo, headline, { fill: palette.type, shadow: palette.cast, leading: 14 }),
    wear(7, paper, { width, height: footTop }),
    tornFoot(footTop, -10, paper, 8, sheet),
    await badge(card, palette),
    await foot(card, palette),
  ]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${palette.ground}"/>${art.join('')}</svg>`
  return sharp(Buffer.from(svg))
    .png({ palette: true, colours: card.logo ? 128 : 48, dither: 0, effort: 4 })
    .toBuffer()
}

async function badge({ destaque }: ShareCard, { accent, onAccent }: Palette): Promise<string> {
  if (!destaque) return ''
  const { svg, w } = await plate(destaque, accent, onAccent)
  return rotated(-2, middle, 440, `<g transform="translate(${round(middle - w * 0.6)} 388) scale(1.2)">${svg}</g>`)
}

async function foot({ lema, chamada, movimento, logo }: ShareCard, { ground, type }: Palette): Promise<string> {
  const call = await plate(chamada, ground, type)
  const name = { x: 60, y: 528, w: 400, h: 66 }
  const picture = logo && (await embed(logo))
  const mottoStart = picture ? 60 + 92 + 20 : 60
  return [
    lema && picture ? image(picture, { x: 60, y: 512, w: 92, h: 92 }) : '',
    lema
      ? await motto(lema, { x: mottoStart, y: 512, w: 1090 - mottoStart - call.w, h: 92 })
      : await signature(movimento, name, { ...light, ...(picture && { picture }) }),
    `<g transform="translate(${round(1140 - call.w)} 514)">${call.svg}</g>`,
  ].join('')
}

/** The SVG renderer reads PNG, not WebP. */
async function embed(webp: string): Promise<string> {
  const png = await sharp(Buffer.from(webp, 'base64')).png().toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

/** The motto in the largest size that fits. */
async function motto(lema: string, { x, y, w, h }: Box): Promise<string> {
  for (let fontSize = 38; ; fontSize -= 4) {
    const text = await outline(lema, { fontFamily: 'Figtree', fontSize, lineHeight: 1.25, width: w })
    if (text.bottom - text.top > h && fontSize > 12) continue
    const top = y + (h - text.top - text.bottom) / 2
    return `<path d="${text.d}" fill="${ink}" transform="translate(${x} ${round(top)})"/>`
  }
}
