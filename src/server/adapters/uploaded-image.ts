// Checks the header of an uploaded image before anything is decoded.
import sharp from 'sharp'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import type { RefusalKind } from '#contract/refusals.ts'
import { encodeImage } from '#server/adapters/images.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError } from '#server/core/errors.ts'

const { image: texts } = adminMessages

export async function readUploadedImage(file: Buffer): Promise<EncodedImage> {
  const problem = formats.find(({ recognises }) => recognises(file))?.problem
  // Checked before sharp reads the file, because sharp accepts dozens of formats, including SVG.
  if (!problem) throw refusal('unsupported', texts.format)
  const message = problem(file)
  if (message) throw refusal('invalid', message)
  const { width, height, pages = 1 } = await sharp(file, { limitInputPixels: false }).metadata().catch(unreadable)
  const { pixels, side } = imageLimits
  if (width > side || height > side || width * height > pixels) throw refusal('too-large', texts.pixels)
  if (pages > 1) throw refusal('invalid', texts.animated)
  return encodeImage(file).catch(unreadable)
}

interface Format {
  recognises(file: Buffer): boolean
  /** Error message if the structure of the file is wrong. */
  problem(file: Buffer): string | undefined
}

const startsWith = (file: Buffer, bytes: string, at = 0) => file.toString('latin1', at, at + bytes.length) === bytes

const formats: Format[] = [
  {
    // Phones append a video or a second exposure to photos. Data after the image is accepted: encoding drops it.
    recognises: (file) => startsWith(file, '\xff\xd8\xff'),
    problem: () => undefined,
  },
  { recognises: (file) => startsWith(file, '\x89PNG\r\n\x1a\n'), problem: problemOfPng },
  { recognises: (file) => startsWith(file, 'RIFF') && startsWith(file, 'WEBP', 8), problem: problemOfWebp },
]

/** sharp decodes only the first frame of an animation, and ignores data after the last chunk. */
function problemOfPng(file: Buffer): string | undefined {
  for (let offset = 8; offset + 12 <= file.length; ) {
    const chunk = file.toString('latin1', offset + 4, offset + 8)
    if (chunk === 'acTL') return texts.animated
    offset += 12 + file.readUInt32BE(offset)
    if (chunk === 'IEND' && offset <= file.length) return offset === file.length ? undefined : texts.foreign
  }
  return texts.broken
}

function problemOfWebp(file: Buffer): string | undefined {
  const length = 8 + file.readUInt32LE(4)
  if (length > file.length) return texts.broken
  return length + (length % 2) < file.length ? texts.foreign : undefined
}

function unreadable(): never {
  throw refusal('invalid', texts.broken)
}

function refusal(kind: RefusalKind, message: string): AppError {
  return new AppError(kind, message, { errors: { imagem: message } })
}
