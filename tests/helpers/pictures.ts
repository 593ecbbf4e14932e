// Image files to upload: ordinary ones and malicious ones.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export interface PictureSize {
  width?: number
  height?: number
}

/** A picture of one colour. Each call uses another colour, so that two tests never upload the same image. */
export function aPicture(format: 'jpeg' | 'png' | 'webp' = 'png', { width = 60, height = 40 }: PictureSize = {}) {
  return sharp({ create: { width, height, channels: 3, background: anyColour() } })
    .toFormat(format)
    .toBuffer()
}

/** Noise cannot be compressed: the file has about three bytes per pixel. */
export function aHeavyPicture({ width, height }: Required<PictureSize>) {
  return sharp({
    create: { width, height, channels: 3, background: anyColour(), noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Like a photo of a phone held sideways: noise, with an EXIF orientation that rotates it upright. */
export function aPhonePhoto({ width, height }: Required<PictureSize>) {
  return sharp({
    create: { width, height, channels: 3, background: anyColour(), noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg({ quality: 92 })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

let colours = 0
function anyColour() {
  colours += 1
  return { r: (colours * 53) % 256, g: (colours * 97) % 256, b: Math.floor(Math.random() * 256) }
}

export function imageForm(file: Buffer, fields: Record<string, string> = {}, name = 'imagem.png'): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('imagem', new Blob([new Uint8Array(file)]), name)
  return form
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export function pngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** A PNG with one bit per pixel, all of one colour: a few thousand bytes at any size. */
export function flatPng(width: number, height: number, between: Buffer[] = [], after: Buffer[] = []): Buffer {
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  const header = Buffer.concat([numbers(width, height), Buffer.from([1, 0, 0, 0, 0])])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    ...between,
    pngChunk('IDAT', deflateSync(rows)),
    ...after,
    pngChunk('IEND'),
  ])
}

export function animatedPng(frames: number, side = 100): Buffer {
  const frame = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  const control = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([numbers(sequence, side, side, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]))
  const later = Array.from({ length: frames - 1 }, (_, index) => [
    control(index * 2 + 1),
    pngChunk('fdAT', Buffer.concat([numbers(index * 2 + 2), frame])),
  ])
  return flatPng(side, side, [pngChunk('acTL', numbers(frames, 0)), control(0)], later.flat())
}

/** A compressed comment that expands to this many bytes. */
export function packedComment(bytes: number): Buffer {
  return pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes), { level: 1 })]),
  )
}
