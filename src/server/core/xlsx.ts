// Streams an Excel workbook of any length, with as many sheets as the rows need.
import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { localTime } from '#server/core/brazil-time.ts'

export type Cell = string | Date | null

interface Workbook {
  title: string
  header: string[]
  rows: AsyncIterable<Cell[][]>
  /** Only for tests. Default: the limit of Excel. */
  maxRows?: number
}

const excelRows = 1_048_576
const headingStyle = 1
const timeStyle = 2

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const frozenHeader =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

export async function* writeXlsx({ title, header, rows, maxRows = excelRows }: Workbook): AsyncGenerator<Buffer> {
  const archive = new ZipFile()
  // Its declared type lacks `destroy`.
  const output = archive.outputStream as PassThrough
  let content: Readable | undefined
  const source = rows[Symbol.asyncIterator]()
  let batch: Cell[][] = []
  let isDone = false

  /** Loads the next rows, so that a sheet is started only if it has rows. */
  async function ensureRows(): Promise<void> {
    while (batch.length === 0 && !isDone) {
      const { value, done } = await source.next()
      isDone = Boolean(done)
      batch = value ?? []
    }
  }

  function addSheet(number: number): void {
    content = Readable.from(sheet(number)).on('error', (error) => output.destroy(error))
    archive.addReadStream(content, `xl/worksheets/sheet${number}.xml`, { compressionLevel: 5 })
  }

  async function* sheet(number: number): AsyncGenerator<string> {
    const columns = header.map((_, index) => `<col min="${index + 1}" max="${index + 1}" width="24" customWidth="1"/>`)
    yield `${xml}<worksheet xmlns="${main}">${frozenHeader}<cols>${columns.join('')}</cols><sheetData>`
    yield rowOf(1, header, headingStyle)
    for (let written = 1; written < maxRows; ) {
      await ensureRows()
      if (isDone) break
      const fitting = batch.slice(0, maxRows - written)
      batch = batch.slice(fitting.length)
      const first = written + 1
      written += fitting.length
      yield fitting.map((cells, index) => rowOf(first + index, cells)).join('')
    }
    yield '</sheetData></worksheet>'
    await ensureRows()
    if (!isDone) return addSheet(number + 1)
    for (const [name, text] of Object.entries(workbookFiles(number, title)))
      archive.addBuffer(Buffer.from(xml + text), name)
    archive.end()
  }

  addSheet(1)
  try {
    yield* output
  } finally {
    content?.destroy()
    await source.return?.()
  }
}

const plain = 'fillId="0" borderId="0" xfId="0"'
const styles = [
  `<styleSheet xmlns="${main}">`,
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd\\ hh:mm:ss"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="3"><xf numFmtId="0" fontId="0" ${plain}/><xf numFmtId="0" fontId="1" ${plain} applyFont="1"/>`,
  `<xf numFmtId="164" fontId="0" ${plain} applyNumberFormat="1"/></cellXfs></styleSheet>`,
].join('')

function workbookFiles(sheets: number, title: string): Record<string, string> {
  const each = (write: (number: number) => string) =>
    Array.from({ length: sheets }, (_, index) => write(index + 1)).join('')
  const name = (number: number) => escaped(number === 1 ? title : `${title} ${number}`)
  return {
    'xl/styles.xml': styles,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${each((number) => `<sheet name="${name(number)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${each((number) => `<Relationship Id="rId${number}" Type="${relationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${each((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${sheetType}.worksheet+xml"/>`)}</Types>`,
  }
}

// Cell addresses are optional in the format, but some programs need them.
function rowOf(number: number, cells: Cell[], style?: number): string {
  return `<row r="${number}">${cells.map((cell, index) => cellOf(cell, `${letterOf(index)}${number}`, style)).join('')}</row>`
}

/** No list has more than 26 columns. */
const letterOf = (column: number) => String.fromCharCode(65 + column)

/** An inline string cannot become a formula, whatever its first character. */
function cellOf(value: Cell, address: string, style = 0): string {
  if (value === null || value === '') return ''
  if (value instanceof Date) return `<c r="${address}" s="${timeStyle}"><v>${serialOf(value)}</v></c>`
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`
}

/** Excel date: days since 1899-12-30, in Brazilian local time. */
function serialOf(time: Date): number {
  return Date.parse(`${localTime(time).replace(' ', 'T')}Z`) / 86_400_000 + 25_569
}

// Characters that XML cannot contain.
const invalidInXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(invalidInXml, '').replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
