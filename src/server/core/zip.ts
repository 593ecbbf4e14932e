// A zip archive as a stream: each entry is compressed while it is made, and nothing of it is kept.
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

// Sizes follow the content, because they are not known before it; names are UTF-8.
const flags = 0x0808
const deflated = 8
const version = 20
/** The first day that the format knows. */
const noDate = 0x0021
/** The format without its extension for giants. */
const mostBytes = 0xffff_ffff

interface Written {
  name: Buffer
  crc: number
  compressed: number
  size: number
  at: number
}

export async function* zip(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let at = 0
  const pass = (bytes: Buffer) => {
    at += bytes.length
    if (at > mostBytes) throw new Error('the archive is too large for its format')
    return bytes
  }
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, at }
    yield pass(Buffer.concat([fields([4, 0x04034b50], ...common(entry, { isKnown: false }), [2, 0]), entry.name]))
    const deflate = createDeflateRaw({ level: 5 })
    // What goes wrong is thrown by the loop.
    pipeline(Readable.from(measured(content, entry), { highWaterMark: 1 }), deflate, () => {})
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.compressed += chunk.length
      yield pass(chunk)
    }
    yield pass(fields([4, 0x08074b50], [4, entry.crc], [4, entry.compressed], [4, entry.size]))
    written.push(entry)
  }
  const start = at
  for (const entry of written) {
    const head = [[4, 0x02014b50], [2, version], ...common(entry, { isKnown: true })] as Field[]
    const rest = [
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, entry.at],
    ] as Field[]
    yield pass(Buffer.concat([fields(...head, ...rest), entry.name]))
  }
  const count = written.length
  yield fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, at - start], [4, start], [2, 0])
}

async function* measured(content: ZipEntry['content'], entry: Written): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    entry.crc = crc32(bytes, entry.crc)
    entry.size += bytes.length
    if (entry.size > mostBytes) throw new Error('a file is too large for the format of the archive')
    yield bytes
  }
}

type Field = [bytes: 2 | 4, value: number]

/** What stands before an entry and in the list of all entries alike. */
function common({ name, crc, compressed, size }: Written, { isKnown }: { isKnown: boolean }): Field[] {
  const [checksum, packed, unpacked] = isKnown ? [crc, compressed, size] : [0, 0, 0]
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
  let at = 0
  for (const [bytes, value] of all) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}
