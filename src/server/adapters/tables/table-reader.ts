// The process that reads an uploaded table: recognises the format, encoding and separator, and normalises the cells.
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { importLimits } from '#contract/admin/people-import.ts'
import type { TableProblem, TableResult } from '#server/adapters/tables/read-table.ts'
import { stagedLine } from '#server/adapters/tables/staged-table.ts'

/** The declared size of all parts of a workbook. The unzip library never writes more than is declared. */
const maxUnzippedBytes = 300 * 1024 * 1024
const maxParts = 1_000
const maxCellLength = 5_000
/** The text of all cells, in characters. Cells that share a long text are small in the file and large when stored. */
const maxText = 60_000_000
const maxSheetRow = 1_048_576
const scanBytes = 2 ** 20
const maxTagLength = 300
const pieceLength = 2 ** 20

class Refusal extends Error {
  readonly problem: TableProblem
  constructor(problem: TableProblem) {
    super(problem)
    this.problem = problem
  }
}

const isZip = (file: Buffer) => file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))

async function readCells(file: Buffer): Promise<unknown[][]> {
  if (isZip(file)) return readWorkbook(file)
  return parseCsv(decode(file))
}

async function readWorkbook(file: Buffer): Promise<unknown[][]> {
  let bytes = 0
  const names: string[] = []
  try {
    unzipSync(file, {
      filter({ name, originalSize }) {
        bytes += originalSize
        names.push(name)
        return false
      },
    })
  } catch {
    throw new Refusal('broken')
  }
  if (!names.includes('xl/workbook.xml')) throw new Refusal('format')
  if (bytes > maxUnzippedBytes || names.length > maxParts) throw new Refusal('broken')
  for (const name of names) if (name.endsWith('.xml')) checkAddresses(unzipPart(file, name))
  try {
    return await readSheet(Uint8Array.from(file).buffer)
  } catch {
    throw new Refusal('broken')
  }
}

function unzipPart(file: Buffer, wanted: string): Uint8Array {
  try {
    return unzipSync(file, { filter: ({ name }) => name === wanted })[wanted] ?? new Uint8Array()
  } catch {
    throw new Refusal('broken')
  }
}

/** A row, or a cell with a value. Formatted cells without a value are self-closing, and may be anywhere. */
const address = /<(?:\w+:)?(?:row\b[^>]*?\sr\s*=\s*["'](\d+)|c\b[^>]*?\sr\s*=\s*["']([A-Za-z]+)(\d+)["'][^>]*(?<!\/)>)/g

/**
 * `readSheet` creates all rows and columns up to the last address. Few bytes can declare millions of them, so the
 * addresses are checked before, in pieces that overlap by the length of a tag.
 */
function checkAddresses(part: Uint8Array): void {
  const decoder = new TextDecoder('latin1')
  for (let start = 0; start < part.length; start += scanBytes) {
    const text = decoder.decode(part.subarray(start, start + scanBytes + maxTagLength))
    for (const [, row, column = '', cellRow] of text.matchAll(address)) {
      if (Number(row ?? 0) > maxSheetRow) throw new Refusal('broken')
      if (Number(cellRow ?? 0) > importLimits.rows + 1) throw new Refusal('tooManyRows')
      if (column && columnNumber(column) > importLimits.columns) throw new Refusal('tooManyColumns')
    }
  }
}

const columnNumber = (letters: string) =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

function decode(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file)
  // No text file contains a zero byte.
  if (file.includes(0)) throw new Refusal('format')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('windows-1252').decode(file)
  }
}

function parseCsv(text: string): string[][] {
  const [firstLine = ''] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/, 1)
  const unquoted = firstLine.replace(/"[^"]*"/g, '')
  const countOf = (separator: string) => unquoted.split(separator).length
  const [delimiter = ';'] = [';', ',', '\t'].toSorted((a, b) => countOf(b) - countOf(a))
  const options = { delimiter, bom: true, relax_column_count: true, to: importLimits.rows + 2 }
  try {
    return parse(text, options)
  } catch {
    // A stray quote: quotes are then ordinary characters.
    return parse(text, { ...options, quote: null })
  }
}

/** What the database cannot store as text. Tabs and line breaks may separate values. */
const unstorable = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu

function textOf(value: unknown): string {
  const text = value instanceof Date ? dateText(value) : value === null || value === undefined ? '' : String(value)
  return text.trim().slice(0, maxCellLength).replace(unstorable, '')
}

const dateText = (date: Date) =>
  date
    .toISOString()
    .replace('T', ' ')
    .slice(0, 19)
    .replace(/ 00:00:00$/, '')

async function read(file: Buffer): Promise<TableResult> {
  const [titles = [], ...rows] = await readCells(file)
  const columns = titles.map(textOf)
  if (columns.length > importLimits.columns) throw new Refusal('tooManyColumns')
  if (rows.length > importLimits.rows) throw new Refusal('tooManyRows')
  const pieces: Buffer[] = []
  let piece = ''
  let text = 0
  let total = 0
  for (const [index, row] of rows.entries()) {
    const cells = columns.map((_, column) => textOf(row[column]))
    if (!cells.some(Boolean)) continue
    total += 1
    for (const cell of cells) text += cell.length
    if (text > maxText) throw new Refusal('tooMuchText')
    piece += stagedLine({ line: index + 2, cells })
    if (piece.length < pieceLength) continue
    pieces.push(gzipSync(piece))
    piece = ''
  }
  if (total === 0) throw new Refusal('empty')
  return { table: { columns, total, file: Buffer.concat([...pieces, gzipSync(piece)]) } }
}

process.once('message', async (file: Uint8Array) => {
  const result = await read(Buffer.from(file)).catch((error): TableResult => {
    if (error instanceof Refusal) return { problem: error.problem }
    throw error
  })
  process.send?.(result)
})
