// Re-encodes images for the site: upright, without metadata, no larger than pages need. The caller checks uploads.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { imageLimits } from '#contract/admin/images.ts'
import { sharePhoto } from '#contract/share.ts'
import type { EncodedImage, ImageFormat } from '#server/core/encoded-image.ts'

/** Small faults by cameras are accepted, as in all programs. Truncated or oversized images are rejected. */
const decodeOptions = { failOn: 'error', limitInputPixels: imageLimits.pixels } as const

let lastDecode: Promise<unknown> = Promise.resolve()

/** One decode at a time: decoding a photo of 25 megapixels takes 100 MB. */
function limited<T>(work: () => Promise<T>): Promise<T> {
  const done = lastDecode.then(work)
  lastDecode = done.catch(() => undefined)
  return done
}

export const encodeImage = (source: Buffer): Promise<EncodedImage> => limited(() => encode(source))

/** Messengers may reject larger images. */
const maxShareBytes = 250 * 1024

/** Image for share links. Detailed images get a lower quality, so that they stay within the limit. */
export function encodeForSharing(source: Buffer): Promise<ImageFormat> {
  const { width, height, type: contentType } = sharePhoto
  return limited(async () => {
    const picture = sharp(source, decodeOptions).resize({ width, height, fit: 'cover' }).flatten({ background: '#fff' })
    let bytes = Buffer.alloc(0)
    for (const quality of [82, 65, 45, 25]) {
      bytes = await picture.clone().jpeg({ quality, mozjpeg: true }).toBuffer()
      if (bytes.length <= maxShareBytes) break
    }
    return { format: 'og.jpg', contentType, width, height, bytes }
  })
}

/** A square with transparent edges, twice as large as pages show it, and sharp on share images. */
const logoSide = 192

export function encodeLogo(source: Buffer): Promise<ImageFormat> {
  const size = { width: logoSide, height: logoSide }
  return limited(async () => {
    const picture = sharp(source, decodeOptions).resize({ ...size, fit: 'contain', background: '#0000' })
    return {
      format: 'logo.webp',
      contentType: 'image/webp',
      ...size,
      bytes: await picture.webp({ quality: 85 }).toBuffer(),
    }
  })
}

async function encode(source: Buffer): Promise<EncodedImage> {
  const { isPalette } = await sharp(source, decodeOptions).metadata()
  const { data, info } = await sharp(source, decodeOptions)
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
  // Lossless flat art, such as our posters, is often smaller and always sharper. A lossless photo is never smaller.
  const webp = lossless && lossless.data.length < lossy.data.length ? lossless : lossy
  const sized = ({ data: bytes, info: { width, height } }: typeof webp) => ({ width, height, bytes })

  return {
    sha256: createHash('sha256').update(webp.data).digest('hex'),
    width: webp.info.width,
    height: webp.info.height,
    formats: [
      { format: 'webp', contentType: 'image/webp', ...sized(webp) },
      { format: '640.webp', contentType: 'image/webp', ...sized(small) },
      { format: 'png', contentType: 'image/png', ...sized(png) },
    ],
  }
}
