// Simulates the tabs of a Google spreadsheet: validation of requests, atomic updates, text and formula cells.

export interface Cell {
  kind: 'text' | 'formula' | 'empty'
  text: string
}

export interface SheetTab {
  sheetId: number
  title: string
  rows: Cell[][]
  /** The number of columns, filled or not. */
  columns: number
}

/** An error response of Google. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface CellData {
  userEnteredValue?: { stringValue?: string; formulaValue?: string }
}

interface Request {
  addSheet?: { properties: { sheetId: number; title: string; gridProperties?: { columnCount: number } } }
  appendDimension?: { sheetId: number; dimension: string; length: number }
  appendCells?: { sheetId: number; rows: { values: CellData[] }[] }
  updateCells?: { start: { sheetId: number; rowIndex: number; columnIndex: number }; rows: { values: CellData[] }[] }
  deleteDimension?: { range: { sheetId: number; dimension: string; startIndex: number; endIndex: number } }
}

const empty: Cell = { kind: 'empty', text: '' }

export class SheetTabs {
  #tabs: SheetTab[] = []

  all(): SheetTab[] {
    return this.#tabs
  }

  tab(title: string): SheetTab | undefined {
    return this.#tabs.find((tab) => tab.title.toLowerCase() === title.toLowerCase())
  }

  /** The texts of a tab, row by row. The first row has the column titles. */
  texts(title: string): string[][] {
    return (this.tab(title)?.rows ?? []).map((row) => row.map(({ text }) => text))
  }

  remove(title: string): void {
    const removed = this.tab(title)
    this.#tabs = this.#tabs.filter((tab) => tab !== removed)
  }

  /** Applies all requests, or none if one is invalid. */
  update(requests: Request[]): void {
    const before = this.#tabs
    this.#tabs = before.map((tab) => ({ ...tab, rows: [...tab.rows] }))
    try {
      for (const request of requests) this.#apply(request)
    } catch (error) {
      this.#tabs = before
      throw error
    }
  }

  #apply({ addSheet, appendCells, appendDimension, deleteDimension, updateCells }: Request): void {
    if (addSheet) {
      const { sheetId, title, gridProperties } = addSheet.properties
      if (this.tab(title)) throw new Refusal(400, `A sheet with the name "${title}" already exists`)
      this.#tabs.push({ sheetId, title, rows: [], columns: gridProperties?.columnCount ?? 26 })
    } else if (appendCells) {
      // Google appends after the last row that is not empty, from column A.
      const { rows, columns } = this.#byId(appendCells.sheetId)
      if (appendCells.rows.some(({ values = [] }) => values.length > columns))
        throw new Refusal(400, 'Attempting to write beyond the last column')
      while (rows.at(-1)?.every(({ kind }) => kind === 'empty')) rows.pop()
      for (const { values = [] } of appendCells.rows) rows.push(values.map(cellOfData))
    } else if (appendDimension) {
      this.#byId(appendDimension.sheetId).columns += appendDimension.length
    } else if (updateCells) {
      const { sheetId, rowIndex, columnIndex } = updateCells.start
      const { rows, columns } = this.#byId(sheetId)
      for (const [index, { values = [] }] of updateCells.rows.entries()) {
        if (columnIndex + values.length > columns) throw new Refusal(400, 'Attempting to write beyond the last column')
        while (rows.length <= rowIndex + index) rows.push([])
        const row = [...(rows[rowIndex + index] ?? [])]
        while (row.length < columnIndex) row.push(empty)
        row.splice(columnIndex, values.length, ...values.map(cellOfData))
        rows[rowIndex + index] = row
      }
    } else if (deleteDimension) {
      const { sheetId, startIndex, endIndex } = deleteDimension.range
      const { rows } = this.#byId(sheetId)
      if (endIndex > Math.max(rows.length, 100)) throw new Refusal(400, 'INVALID_ARGUMENT')
      rows.splice(startIndex, endIndex - startIndex)
    } else throw new Refusal(400, 'unknown request')
  }

  #byId(sheetId: number): SheetTab {
    const tab = this.#tabs.find((one) => one.sheetId === sheetId)
    if (!tab) throw new Refusal(400, `No grid with id: ${sheetId}`)
    return tab
  }

  /** Reads `'tab'!1:1` or `'tab'!A:B`, row by row, without empty cells at the end. */
  valuesOf(range: string): { values?: string[][] } {
    const [, quotedTitle = '', from = '', to = ''] = /^'((?:[^']|'')+)'!(\w+):(\w+)$/.exec(range) ?? []
    const tab = this.tab(quotedTitle.replaceAll("''", "'"))
    if (!tab) throw new Refusal(400, `Unable to parse range: ${range}`)
    const row = /^\d+$/.test(from) ? Number(from) - 1 : undefined
    const [column = 0, last = 0] = [from, to].map(
      (name) => [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1,
    )
    if (row === undefined && last >= tab.columns) throw new Refusal(400, `Range (${range}) exceeds grid limits`)
    const values = (row === undefined ? tab.rows : tab.rows.slice(row, row + 1)).map((cells) =>
      trimEmptyEnd(
        (row === undefined
          ? Array.from({ length: last - column + 1 }, (_, index) => cells[column + index] ?? empty)
          : cells
        ).map(({ text }) => text),
      ),
    )
    while (values.at(-1)?.length === 0) values.pop()
    return values.length > 0 ? { values } : {}
  }
}

function trimEmptyEnd(texts: string[]): string[] {
  return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)
}

function cellOfData({ userEnteredValue: { stringValue, formulaValue } = {} }: CellData): Cell {
  if (formulaValue !== undefined) return { kind: 'formula', text: formulaValue }
  return stringValue === undefined ? empty : { kind: 'text', text: stringValue }
}
