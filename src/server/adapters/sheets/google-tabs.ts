// Tabs of a Google spreadsheet and their column titles, cached for a short time, because people may change them.
import type { GoogleCalls } from '#server/adapters/sheets/google-calls.ts'
import { locateColumns, type Tab } from '#server/adapters/sheets/spreadsheet.ts'

/** A renamed tab keeps its `sheetId`; a copy gets a new one. */
export interface Sheet {
  sheetId: number
  title: string
  /** Number of columns, including empty ones. */
  columns: number
}

interface GoogleTabs {
  /** Whether the list of tabs is cached, so that it may be outdated. */
  isCached(): boolean
  find(tab: Tab): Promise<Sheet | undefined>
  /** All tabs, not from the cache. Urgent: without waiting for the rate limit. */
  list(priority?: 'urgent'): Promise<Sheet[]>
  /** Column titles. */
  head(sheet: Sheet): Promise<string[]>
  /** Cells of our id column in every row, not from the cache. */
  ids(tab: Tab, sheet: Sheet): Promise<string[]>
  /** Whether the given columns are empty, including the first row. */
  isEmpty(sheet: Sheet, from: number, columns: number): Promise<boolean>
  /** Caches titles that we wrote. */
  setHead(sheet: Sheet, head: readonly string[]): void
  /** Caches a tab that we created. */
  addCreated(sheet: Sheet, head: readonly string[]): void
  setColumns(sheet: Sheet, columns: number): void
  clearCache(): void
}

interface GoogleTabsOptions {
  calls: Pick<GoogleCalls, 'read'>
  /** API path of the spreadsheet. */
  path: string
  cacheMs: number
}

interface Head {
  titles: string[]
  validUntil: number
}

export function createGoogleTabs({ calls, path, cacheMs }: GoogleTabsOptions): GoogleTabs {
  let listed: Sheet[] = []
  let listValidUntil = 0
  const heads = new Map<number, Head>()

  const isCached = () => listValidUntil > Date.now()

  async function list(priority?: 'urgent'): Promise<Sheet[]> {
    type Properties = Omit<Sheet, 'columns'> & { sheetType?: string; gridProperties?: { columnCount: number } }
    const { sheets = [] } = await calls.read<{ sheets?: { properties: Properties }[] }>(
      `${path}?fields=sheets.properties(sheetId,title,sheetType,gridProperties.columnCount)`,
      priority,
    )
    listed = sheets.flatMap(({ properties: { sheetId, title, sheetType = 'GRID', gridProperties } }) =>
      // Tabs with only a chart have no cells.
      sheetType === 'GRID' && gridProperties ? { sheetId, title, columns: gridProperties.columnCount } : [],
    )
    listValidUntil = Date.now() + cacheMs
    return listed
  }

  /** The first row, and the cells of one column. */
  async function read({ title, sheetId }: Sheet, column: number): Promise<{ titles: string[]; cells: string[] }> {
    const name = columnName(column)
    const ranges = ['1:1', `${name}:${name}`].map((range) => ['ranges', `'${title.replaceAll("'", "''")}'!${range}`])
    const { valueRanges } = await calls.read<{ valueRanges: { values?: unknown[][] }[] }>(
      `${path}/values:batchGet?${new URLSearchParams(ranges)}`,
    )
    const [first, rows] = valueRanges
    const titles = (first?.values?.[0] ?? []).map(String)
    cacheHead(sheetId, titles)
    return { titles, cells: (rows?.values ?? []).map(([cell = '']) => String(cell)) }
  }

  /** Caches the original titles, because several of our tables may use the same tab. */
  function cacheHead(sheetId: number, titles: readonly string[]): void {
    heads.set(sheetId, { titles: [...titles], validUntil: Date.now() + cacheMs })
  }

  return {
    isCached,
    list,
    async find({ title }) {
      // Google ignores case in the titles of tabs.
      const matches = (sheet: Sheet) => sheet.title.toLowerCase() === title.toLowerCase()
      // Another node may have created a missing tab, with rows that must not be sent again.
      return (isCached() ? listed.find(matches) : undefined) ?? (await list()).find(matches)
    },
    async head(sheet) {
      const cached = heads.get(sheet.sheetId)
      return cached && cached.validUntil > Date.now() ? cached.titles : (await read(sheet, 0)).titles
    },
    async ids(tab, sheet) {
      const cached = heads.get(sheet.sheetId)
      const likely = cached ? locateColumns(tab, cached.titles).id : 0
      const column = likely < sheet.columns ? likely : 0
      const { titles, cells } = await read(sheet, column)
      const { id } = locateColumns(tab, titles)
      if (id === column) return cells
      // Google rejects a range beyond the last column.
      return id < Math.max(sheet.columns, titles.length) ? (await read(sheet, id)).cells : []
    },
    async isEmpty({ title, columns: width }, from, columns) {
      const last = Math.min(from + columns, width) - 1
      if (last < from) return true
      const range = `'${title.replaceAll("'", "''")}'!${columnName(from)}:${columnName(last)}`
      const { valueRanges } = await calls.read<{ valueRanges: { values?: unknown[][] }[] }>(
        `${path}/values:batchGet?${new URLSearchParams({ ranges: range })}`,
      )
      return (valueRanges[0]?.values ?? []).every((row) => row.every((cell) => cell === ''))
    },
    setHead(sheet, head) {
      cacheHead(sheet.sheetId, head)
    },
    setColumns(sheet, columns) {
      sheet.columns = columns
    },
    addCreated(sheet, head) {
      listed = [...listed, sheet]
      cacheHead(sheet.sheetId, head)
    },
    clearCache() {
      listValidUntil = 0
      heads.clear()
    },
  }
}

/** 0 is `A`, 26 is `AA`. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}
