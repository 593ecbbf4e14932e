// A file that somebody sent, taken for an image only after its header was believed: nothing is decoded before that.
import sharp from 'sharp'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { encodeImage } from '#server/adapters/images.ts'
import type { EncodedImage } from '#server/core/encoded-image.ts'
import { AppError, type RefusalKind } from '#server/core/errors.ts'

const { image: sentences } = adminMessages

export async function readUploadedImage(file: Buffer): Promise<EncodedImage> {
  const problem = formats.find(({ recognises }) => recognises(file))?.problem
  // Before any library looks at it: those read dozens of formats, SVG among them.
  if (!problem) throw refusal('unsupported', sentences.format)
  const sentence = problem(file)
  if (sentence) throw refusal('invalid', sentence)
  const { width, height, pages = 1 } = await sharp(file, { limitInputPixels: false }).metadata().catch(unreadable)
  const { pixels, side } = imageLimits
  if (width > side || height > side || width * height > pixels) throw refusal('too-large', sentences.pixels)
  if (pages > 1) throw refusal('invalid', sentences.animated)
  return encodeImage(file).catch(unreadable)
}

interface Format {
  recognises(file: Buffer): boolean
  /** What the file's own account of its parts says is wrong with it. */
  problem(file: Buffer): string | undefined
}

const startsWith = (file: Buffer, bytes: string, at = 0) => file.toString('latin1', at, at + bytes.length) === bytes

const formats: Format[] = [
  {
    // Phones append a film or a second exposure to their photographs, so what follows the image is left to the encoding, which drops it.
    recognises: (file) => startsWith(file, '\xff\xd8\xff'),
    problem: () => undefined,
  },
  { recognises: (file) => startsWith(file, '\x89PNG\r\n\x1a\n'), problem: problemOfPng },
  { recognises: (file) => startsWith(file, 'RIFF') && startsWith(file, 'WEBP', 8), problem: problemOfWebp },
]

/** The library shows the first picture of an animation, and takes no notice of what comes after the last chunk. */
function problemOfPng(file: Buffer): string | undefined {
  for (let at = 8; at + 12 <= file.length; ) {
    const chunk = file.toString('latin1', at + 4, at + 8)
    if (chunk === 'acTL') return sentences.animated
    at += 12 + file.readUInt32BE(at)
    if (chunk === 'IEND' && at <= file.length) return at === file.length ? undefined : sentences.foreign
  }
  return sentences.broken
}

function problemOfWebp(file: Buffer): string | undefined {
  const length = 8 + file.readUInt32LE(4)
  if (length > file.length) return sentences.broken
  return length + (length % 2) < file.length ? sentences.foreign : undefined
}

function unreadable(): never {
  throw refusal('invalid', sentences.broken)
}

function refusal(kind: RefusalKind, sentence: string): AppError {
  return new AppError(kind, sentence, { imagem: sentence })
}
