// Makes a chosen photo fit the limits of an upload: decoded, turned upright, reduced and encoded again in the browser.
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'

const { image: sentences } = adminMessages

/** Half as much again as the widest that the site shows. */
const reducedWidth = 1_620
const quality = 0.88
/** More than any phone takes; decoding it would exhaust the memory of most. */
const mostPixels = 150_000_000

/** Why a file cannot be taken, in a sentence for who chose it. */
export class ImageProblem extends Error {}

/** A file that fits already is returned unchanged. */
export async function fitImage(file: File): Promise<File> {
  const isHeic = /^image\/hei[cf]$/.test(file.type) || /\.hei[cf]$/i.test(file.name)
  const isTaken = (imageLimits.types as readonly string[]).includes(file.type)
  if (!isTaken && !isHeic) throw new ImageProblem(sentences.format)
  if (file.size > imageLimits.photoBytes) throw new ImageProblem(sentences.photoTooLarge)
  const address = URL.createObjectURL(file)
  try {
    const image = await load(address).catch(() => {
      throw new ImageProblem(isHeic ? sentences.heic : sentences.broken)
    })
    if (image.naturalWidth * image.naturalHeight > mostPixels) throw new ImageProblem(sentences.photoPixels)
    if (isTaken && file.size <= imageLimits.bytes && fits(image)) return file
    return await reduce(image, file)
  } finally {
    URL.revokeObjectURL(address)
  }
}

function load(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = reject
    image.src = address
  })
}

/** Width and height as they are shown: browsers have turned the image upright. */
function fits({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): boolean {
  const { side, pixels } = imageLimits
  return width <= side && height <= side && width * height <= pixels
}

async function reduce(image: HTMLImageElement, { name, type }: File): Promise<File> {
  const { naturalWidth: width, naturalHeight: height } = image
  const { side, pixels, bytes } = imageLimits
  // What may be transparent stays so. A browser that cannot write WebP writes PNG instead.
  const wanted = type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  let scale = Math.min(1, reducedWidth / width, side / height, Math.sqrt(pixels / (width * height)))
  for (; width * scale >= 1 && height * scale >= 1; scale *= 0.75) {
    const encoded = await draw(image, scale, wanted)
    if (!encoded) break
    if (encoded.size <= bytes)
      return new File([encoded], name.replace(/\.\w+$/, `.${encoded.type.slice('image/'.length)}`), {
        type: encoded.type,
      })
  }
  throw new ImageProblem(sentences.broken)
}

async function draw(image: HTMLImageElement, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(image.naturalWidth * scale)
  canvas.height = Math.floor(image.naturalHeight * scale)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  // A transparent image may be named like a photo, and JPEG would turn it black.
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  // iOS keeps the memory of a canvas until it is collected, and draws nothing any more once it has too many.
  canvas.width = 0
  canvas.height = 0
  return encoded
}
