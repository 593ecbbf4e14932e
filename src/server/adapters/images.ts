// Re-encodes an image into the formats the site serves: upright, without metadata, never larger than the page needs.
// What may be uploaded at all is for the caller to decide.
import { createHash } from 'node:crypto'
import sharp, { type OutputInfo } from 'sharp'
import { imageLimits } from '#contract/admin/images.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'

/** Cameras leave small faults that every program forgives; what is cut short or beyond the limit is refused. */
const reading = { failOn: 'error', limitInputPixels: imageLimits.pixels } as const

let turn: Promise<unknown> = Promise.resolve()

/** One decode at a time: a photograph of 25 megapixels takes 100 MB while it is being read. */
export function encodeImage(source: Buffer): Promise<EncodedImage> {
  const encoded = turn.then(() => encode(source))
  turn = encoded.catch(() => undefined)
  return encoded
}

async function encode(source: Buffer): Promise<EncodedImage> {
  const { isPalette } = await sharp(source, reading).metadata()
  const { data, info } = await sharp(source, reading)
    .autoOrient()
    .resize({ width: 1080, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const pixels = () => sharp(data, { raw: info })

  const [lossy, lossless, small, png] = await Promise.all([
    pixels().webp({ quality: 80 }).toBuffer({ resolveWithObject: true }),
    isPalette ? pixels().webp({ lossless: true }).toBuffer({ resolveWithObject: true }) : undefined,
    pixels()
      .resize({ width: 640, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true }),
    pixels().png({ palette: true, effort: 4 }).toBuffer({ resolveWithObject: true }),
  ])
  // Flat art, as of our posters, is often smaller and always sharper without loss; a photograph never is.
  const webp = lossless && lossless.data.length < lossy.data.length ? lossless : lossy

  return {
    sha256: createHash('sha256').update(webp.data).digest('hex'),
    largura: info.width,
    altura: info.height,
    formatos: [
      { formato: 'webp', tipo: 'image/webp', ...sized(webp) },
      { formato: '640.webp', tipo: 'image/webp', ...sized(small) },
      { formato: 'png', tipo: 'image/png', ...sized(png) },
    ],
  }
}

function sized({ data, info }: { data: Buffer; info: OutputInfo }) {
  return { largura: info.width, altura: info.height, dados: data }
}
