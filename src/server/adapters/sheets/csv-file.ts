// Reads a CSV file record by record, without loading it whole. Also reads files that other programs saved, and tells an
// incomplete last record, as a killed process leaves it.
import { createReadStream } from 'node:fs'

export interface CsvRecord {
  /** Bytes in the file, including the line end. */
  bytes: Buffer
  /** Whether the record has a line end; only the last one may lack it. */
  closed: boolean
}

export const quote = 0x22
const lineFeed = 0x0a

/** Records in file order; none if there is no file. A line end within quotes belongs to its cell. */
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

/** Quotes are optional, because other programs omit them. With latin1, each character is one byte of the file. */
export function cellsIn(bytes: Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string[] {
  const text = bytes
    .toString(encoding)
    .replace(encoding === 'utf8' ? /^\uFEFF/ : /^\u00EF\u00BB\u00BF/, '')
    .replace(/\r?\n$/, '')
  const cells = [...text.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)]
  return cells.map(([, quotedText, plain = '']) => quotedText?.replaceAll('""', '"') ?? plain)
}
