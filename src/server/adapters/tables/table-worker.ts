// The thread that reads an uploaded table: recognises the format, encoding and separator, and normalises the cells.
import { parentPort, workerData } from 'node:worker_threads'
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
  let parts = 0
  let isWorkbook = false
  try {
    unzipSync(file, {
      filter({ name, originalSize }) {
        bytes += originalSize
        parts += 1
        isWorkbook ||= name === 'xl/workbook.xml'
        return false
      },
    })
  } catch {
    throw new Refusal('broken')
  }
  if (!isWorkbook) throw new Refusal('format')
  if (bytes > maxUnzippedBytes || parts > maxParts) throw new Refusal('broken')
  try {
    return await readSheet(Uint8Array.from(file).buffer)
  } catch {
    throw new Refusal('broken')
  }
}

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

function textOf(value: unknown): string {
  const text = value instanceof Date ? dateText(value) : value === null || value === undefined ? '' : String(value)
  return text.trim().slice(0, maxCellLength)
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
  const lines: string[] = []
  for (const [index, row] of rows.entries()) {
    const cells = columns.map((_, column) => textOf(row[column]))
    if (cells.some(Boolean)) lines.push(stagedLine({ line: index + 2, cells }))
  }
  if (lines.length === 0) throw new Refusal('empty')
  return { table: { columns, total: lines.length, file: gzipSync(lines.join('')) } }
}

const result = await read(Buffer.from(workerData as Uint8Array)).catch((error): TableResult => {
  if (error instanceof Refusal) return { problem: error.problem }
  throw error
})
parentPort?.postMessage(result)
