// Re-encodes an image into the formats the site serves: upright, without metadata, never larger than the page needs.
// What may be uploaded at all is for the caller to decide.
import { createHash } from 'node:crypto'
import sharp, { type OutputInfo } from 'sharp'
import { imageLimits } from '#contract/admin/images.ts'
import { sharePhoto } from '#contract/share.ts'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'

/** Cameras leave small faults that every program forgives; what is cut short or beyond the limit is refused. */
const reading = { failOn: 'error', limitInputPixels: imageLimits.pixels } as const

let turn: Promise<unknown> = Promise.resolve()

/** One decode at a time: a photograph of 25 megapixels takes 100 MB while it is being read. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work)
  turn = done.catch(() => undefined)
  return done
}

export const encodeImage = (source: Buffer): Promise<EncodedImage> => inTurn(() => encode(source))

const messengersTake = 250 * 1024

/** As a shared link shows it; what is lively loses a little more, so that no messenger finds it too heavy. */
export function encodeForSharing(source: Buffer): Promise<ImageFormat> {
  const { width, height, type: tipo } = sharePhoto
  return inTurn(async () => {
    const picture = sharp(source, reading).resize({ width, height, fit: 'cover' }).flatten({ background: '#fff' })
    let dados = Buffer.alloc(0)
    for (const quality of [82, 65, 45, 25]) {
      dados = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer()
      if (dados.length <= messengersTake) break
    }
    return { formato: 'og.jpg', tipo, largura: width, altura: height, dados }
  })
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
