// Draws campaign posters in the manner of lambe-lambe: type set by satori, art in SVG, pixels by sharp.
// One composition per art; the same poster always gives the same bytes.
import sharp from 'sharp'
import type { Composition } from '#server/adapters/posters/composition.ts'
import { height, width } from '#server/adapters/posters/geometry.ts'
import { paper, themes } from '#server/adapters/posters/inks.ts'
import { wear } from '#server/adapters/posters/paper.ts'
import { pictorial } from '#server/adapters/posters/pictorial-compositions.ts'
import { typographic } from '#server/adapters/posters/typographic-compositions.ts'
import type { Poster } from '#server/core/poster.ts'

const compositions: Record<Poster['arte'], Composition> = { ...typographic, ...pictorial }

export async function drawPoster(poster: Poster): Promise<Buffer> {
  return sharp(Buffer.from(await posterSvg(poster)))
    .png({ palette: true, colours: 48, dither: 0, effort: 4 })
    .toBuffer()
}

export async function posterSvg(poster: Poster): Promise<string> {
  const theme = themes[poster.tema]
  const art = await compositions[poster.arte](poster, theme)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${theme.ground}"/>${art.join('')}${wear(7, paper)}</svg>`
}
