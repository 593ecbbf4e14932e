// The stored form of an uploaded table: compressed lines, each with the number of a row and its cells as JSON.
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

export interface StagedRow {
  /** As a spreadsheet program numbers it: the titles are line 1. */
  line: number
  cells: string[]
}

export interface StagedTable {
  columns: string[]
  total: number
  /** Compressed rows. */
  file: Buffer
}

/** `readline` also splits lines at U+2028 and U+2029. */
const escapeSeparators = (json: string) =>
  json.replace(/[\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16)}`)

export const stagedLine = ({ line, cells }: StagedRow) => `${escapeSeparators(JSON.stringify([line, ...cells]))}\n`

/** Decompresses while reading: only a few rows are in memory. */
export async function* readStagedRows(file: Buffer): AsyncGenerator<StagedRow> {
  const input = Readable.from([file]).pipe(createGunzip())
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [line, ...cells] = JSON.parse(text) as [number, ...string[]]
      yield { line, cells }
    }
  } finally {
    input.destroy()
  }
}
