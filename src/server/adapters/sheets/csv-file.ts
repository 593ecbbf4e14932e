// One CSV file, record by record, without ever holding it whole: what people's programs saved is read too, and what a killed process left half-written is known.
import { createReadStream } from 'node:fs'

export interface CsvRecord {
  /** As it stands in the file, its line end included. */
  bytes: Buffer
  /** Whether a line end closes it; only the last one may be without. */
  closed: boolean
}

export const quote = 0x22
const lineFeed = 0x0a

/** Records in their order; none, if there is no file. A line end within quotes belongs to its cell. */
export async function* recordsIn(file: string): AsyncGenerator<CsvRecord> {
  let rest: Buffer = Buffer.alloc(0)
  let quoted = false
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      const bytes: Buffer = Buffer.concat([rest, chunk])
      let start = 0
      for (let at = rest.length; at < bytes.length; at++) {
        if (bytes[at] === quote) quoted = !quoted
        else if (bytes[at] === lineFeed && !quoted) {
          yield { bytes: bytes.subarray(start, at + 1), closed: true }
          start = at + 1
        }
      }
      rest = bytes.subarray(start)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (rest.length > 0) yield { bytes: rest, closed: false }
}

/** Quotes are optional, as other programs leave them out. As latin1, each character of a cell is one byte of the file. */
export function cellsIn(bytes: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  const text = bytes
    .toString(encoding)
    .replace(encoding === 'utf8' ? /^\uFEFF/ : /^\u00EF\u00BB\u00BF/, '')
    .replace(/\r?\n$/, '')
  const cells = [...text.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)]
  return cells.map(([, quotedText, plain = '']) => quotedText?.replaceAll('""', '"') ?? plain)
}
