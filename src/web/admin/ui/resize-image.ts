// Makes a chosen photo fit the upload limits: decoded, rotated, reduced and encoded again in the browser.
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'

const { image: texts } = adminMessages

/** 1.5 times the largest width that the site displays. */
const reducedWidth = 1_620
const quality = 0.88
/** More than any phone camera produces. Decoding it would exhaust the memory of most phones. */
const maxPixels = 150_000_000

/** A file that cannot be used. The message is displayed to the user. */
export class ImageProblem extends Error {}

/** Returns a file that already fits unchanged. */
export async function resizeImage(file: File): Promise<File> {
  const isHeic = /^image\/hei[cf]$/.test(file.type) || /\.hei[cf]$/i.test(file.name)
  const isAccepted = (imageLimits.types as readonly string[]).includes(file.type)
  if (!isAccepted && !isHeic) throw new ImageProblem(texts.format)
  if (file.size > imageLimits.photoBytes) throw new ImageProblem(texts.photoTooLarge)
  const url = URL.createObjectURL(file)
  try {
    const image = await load(url).catch(() => {
      throw new ImageProblem(isHeic ? texts.heic : texts.broken)
    })
    if (image.naturalWidth * image.naturalHeight > maxPixels) throw new ImageProblem(texts.photoPixels)
    if (isAccepted && file.size <= imageLimits.bytes && fits(image)) return file
    return await reduce(image, file)
  } finally {
    URL.revokeObjectURL(url)
  }
}

function load(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = reject
    image.src = url
  })
}

/** Width and height as displayed: browsers have already rotated the image. */
function fits({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): boolean {
  const { side, pixels } = imageLimits
  return width <= side && height <= side && width * height <= pixels
}

async function reduce(image: HTMLImageElement, { name, type }: File): Promise<File> {
  const { naturalWidth: width, naturalHeight: height } = image
  const { side, pixels, bytes } = imageLimits
  // PNG and WebP may be transparent, so they become WebP. A browser that cannot encode WebP produces PNG instead.
  const targetType = type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  let scale = Math.min(1, reducedWidth / width, side / height, Math.sqrt(pixels / (width * height)))
  for (; width * scale >= 1 && height * scale >= 1; scale *= 0.75) {
    const encoded = await draw(image, scale, targetType)
    if (!encoded) break
    if (encoded.size <= bytes)
      return new File([encoded], name.replace(/\.\w+$/, `.${encoded.type.slice('image/'.length)}`), {
        type: encoded.type,
      })
  }
  throw new ImageProblem(texts.broken)
}

async function draw(image: HTMLImageElement, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(image.naturalWidth * scale)
  canvas.height = Math.floor(image.naturalHeight * scale)
  const context = canvas.getContext('2d')
  if (!context) return null
  context.imageSmoothingQuality = 'high'
  // A transparent image may be declared as a photo, and JPEG would make it black.
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  // iOS keeps the memory of a canvas until garbage collection, and stops drawing when there are too many.
  canvas.width = 0
  canvas.height = 0
  return encoded
}
