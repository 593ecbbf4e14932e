// Draws the sample posters of a new site and writes them in all formats: node scripts/sample-posters/draw.ts
// Satori converts text to outlines, sharp renders the SVG. The same poster always gives the same bytes.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { palettes, paper } from '#server/adapters/share-card/colors.ts'
import { wear } from '#server/adapters/share-card/paper.ts'
import { sampleContents } from '#server/db/sample-contents.ts'
import type { Composition, Poster } from './composition.ts'
import { pictorial } from './pictorial-compositions.ts'
import { height, posterSize, width } from './poster-size.ts'
import { posters } from './posters.ts'
import { typographic } from './typographic-compositions.ts'

const folder = new URL('../../src/server/db/sample-posters/', import.meta.url)
const compositions: Record<Poster['arte'], Composition> = { ...typographic, ...pictorial }

export async function posterSvg(poster: Poster): Promise<string> {
  const palette = palettes[poster.tema]
  const art = await compositions[poster.arte](poster, palette)
  // No flecks over the small type at the bottom.
  const flecks = wear(7, paper, { ...posterSize, height: 1150 })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${palette.ground}"/>${art.join('')}${flecks}</svg>`
}

export async function drawPoster(poster: Poster): Promise<Buffer> {
  // Lossless compression works best with few colours and without dithering.
  const png = await sharp(Buffer.from(await posterSvg(poster)))
    .png({ palette: true, colours: 48, dither: 0 })
    .toBuffer()
  return sharp(png).webp({ lossless: true, effort: 6 }).toBuffer()
}

/** The other formats of a drawn poster. PNG with a palette has the same pixels: a poster has few colours. */
export async function encodeFormats(webp: Buffer): Promise<{ '640.webp': Buffer; png: Buffer }> {
  return {
    '640.webp': await sharp(webp).resize({ width: 640 }).webp({ quality: 80 }).toBuffer(),
    png: await sharp(webp).png({ palette: true, dither: 0, effort: 10 }).toBuffer(),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { imagem, categoria } of sampleContents) {
    const poster = posters[imagem]
    if (!poster) throw new Error(`no poster for ${imagem}`)
    const webp = await drawPoster({ ...poster, categoria })
    for (const [format, bytes] of Object.entries({ webp, ...(await encodeFormats(webp)) }))
      writeFileSync(new URL(`${imagem}.${format}`, folder), bytes)
  }
}
