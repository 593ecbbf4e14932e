// Streams a zip archive: each entry is compressed while it is generated, and nothing is kept in memory.
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

// Bit 3: sizes follow the content, because they are not known before it. Bit 11: names are UTF-8.
const flags = 0x0808
const deflated = 8
const version = 20
/** 1980-01-01, the first date of the format. */
const noDate = 0x0021
/** Limit of the format without Zip64. */
const maxBytes = 0xffff_ffff

interface WrittenEntry {
  name: Buffer
  crc: number
  compressed: number
  size: number
  offset: number
}

export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = []
  let offset = 0
  const counted = (bytes: Buffer) => {
    offset += bytes.length
    if (offset > maxBytes) throw new Error('the archive is too large for its format')
    return bytes
  }
  for await (const { name, content } of entries) {
    const entry: WrittenEntry = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, offset }
    yield counted(Buffer.concat([fields([4, 0x04034b50], ...common(entry, { sizesKnown: false }), [2, 0]), entry.name]))
    const deflate = createDeflateRaw({ level: 5 })
    // Errors are thrown by the loop below.
    pipeline(Readable.from(measured(content, entry), { highWaterMark: 1 }), deflate, () => {})
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.compressed += chunk.length
      yield counted(chunk)
    }
    yield counted(fields([4, 0x08074b50], [4, entry.crc], [4, entry.compressed], [4, entry.size]))
    written.push(entry)
  }
  const directoryStart = offset
  for (const entry of written) {
    const head = [[4, 0x02014b50], [2, version], ...common(entry, { sizesKnown: true })] as Field[]
    const rest = [
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, entry.offset],
    ] as Field[]
    yield counted(Buffer.concat([fields(...head, ...rest), entry.name]))
  }
  const count = written.length
  yield fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, offset - directoryStart],
    [4, directoryStart],
    [2, 0],
  )
}

async function* measured(content: ZipEntry['content'], entry: WrittenEntry): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    if (entry.size > maxBytes) throw new Error('a file is too large for the format of the archive')
    yield bytes
  }
}

type Field = [bytes: 2 | 4, value: number]

/** Fields that local headers and the central directory share. */
function common({ name, crc, compressed, size }: WrittenEntry, { sizesKnown }: { sizesKnown: boolean }): Field[] {
  const [checksum, packed, unpacked] = sizesKnown ? [crc, compressed, size] : [0, 0, 0]
  const head: Field[] = [
    [2, version],
    [2, flags],
    [2, deflated],
    [2, 0],
    [2, noDate],
  ]
  return [...head, [4, checksum], [4, packed], [4, unpacked], [2, name.length]]
}

function fields(...all: Field[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0))
  let offset = 0
  for (const [bytes, value] of all) offset = buffer.writeUIntLE(value, offset, bytes)
  return buffer
}
