// What stands in Google's spreadsheet: which tabs there are, and what is in their first rows. Remembered for a while, because people may change it at any time.
import type { GoogleCalls } from '#server/adapters/sheets/google-calls.ts'
import { placesOf, type Tab } from '#server/adapters/sheets/spreadsheet.ts'

/** Google keeps the id of a tab that people rename, and gives a copy another one. */
export interface Sheet {
  sheetId: number
  title: string
  /** How many it has, whether or not anything stands in them. */
  columns: number
}

export interface GoogleTabs {
  /** Whether what is said of tabs now may be as old as a while. */
  isKnown(): boolean
  find(tab: Tab): Promise<Sheet | undefined>
  /** All of them, asked now; urgent: without waiting for its turn. */
  list(turn?: 'urgent'): Promise<Sheet[]>
  /** The titles of its columns. */
  head(sheet: Sheet): Promise<string[]>
  /** What stands under our first title, in every row, asked now. */
  ids(tab: Tab, sheet: Sheet): Promise<string[]>
  /** Whether nothing stands in the given columns, the first row included. */
  isEmpty(sheet: Sheet, from: number, columns: number): Promise<boolean>
  /** Its titles were written by us. */
  titled(sheet: Sheet, head: readonly string[]): void
  /** It was made by us. */
  made(sheet: Sheet, head: readonly string[]): void
  widened(sheet: Sheet, columns: number): void
  forget(): void
}

export interface GoogleTabsOptions {
  calls: Pick<GoogleCalls, 'read'>
  /** Of the spreadsheet. */
  path: string
  lookAgainMs: number
}

interface Head {
  titles: string[]
  goodUntil: number
}

export function createGoogleTabs({ calls, path, lookAgainMs }: GoogleTabsOptions): GoogleTabs {
  let listed: Sheet[] = []
  let listGoodUntil = 0
  const heads = new Map<number, Head>()

  const isKnown = () => listGoodUntil > Date.now()

  async function list(turn?: 'urgent'): Promise<Sheet[]> {
    type Properties = Omit<Sheet, 'columns'> & { sheetType?: string; gridProperties?: { columnCount: number } }
    const { sheets = [] } = await calls.read<{ sheets?: { properties: Properties }[] }>(
      `${path}?fields=sheets.properties(sheetId,title,sheetType,gridProperties.columnCount)`,
      turn,
    )
    listed = sheets.flatMap(({ properties: { sheetId, title, sheetType = 'GRID', gridProperties } }) =>
      // Charts have a place of their own and no cells.
      sheetType === 'GRID' && gridProperties ? { sheetId, title, columns: gridProperties.columnCount } : [],
    )
    listGoodUntil = Date.now() + lookAgainMs
    return listed
  }

  /** The first row, and what stands in one column of every row. */
  async function read({ title, sheetId }: Sheet, column: number): Promise<{ titles: string[]; cells: string[] }> {
    const name = columnName(column)
    const ranges = ['1:1', `${name}:${name}`].map((range) => ['ranges', `'${title.replaceAll("'", "''")}'!${range}`])
    const { valueRanges } = await calls.read<{ valueRanges: { values?: unknown[][] }[] }>(
      `${path}/values:batchGet?${new URLSearchParams(ranges)}`,
    )
    const [first, rows] = valueRanges
    const titles = (first?.values?.[0] ?? []).map(String)
    remember(sheetId, titles)
    return { titles, cells: (rows?.values ?? []).map(([cell = '']) => String(cell)) }
  }

  /** As it stands, not as one of our tables reads it: the tab may be looked at for the sake of another. */
  function remember(sheetId: number, titles: readonly string[]): void {
    heads.set(sheetId, { titles: [...titles], goodUntil: Date.now() + lookAgainMs })
  }

  return {
    isKnown,
    list,
    async find({ title }) {
      // To Google, titles that differ in capitals alone are the same.
      const isMeant = (sheet: Sheet) => sheet.title.toLowerCase() === title.toLowerCase()
      // One that is missing may have been made by another node, with rows that must not be sent again.
      return (isKnown() ? listed.find(isMeant) : undefined) ?? (await list()).find(isMeant)
    },
    async head(sheet) {
      const known = heads.get(sheet.sheetId)
      return known && known.goodUntil > Date.now() ? known.titles : (await read(sheet, 0)).titles
    },
    async ids(tab, sheet) {
      const known = heads.get(sheet.sheetId)
      const likely = known ? placesOf(tab, known.titles).id : 0
      const column = likely < sheet.columns ? likely : 0
      const { titles, cells } = await read(sheet, column)
      const { id } = placesOf(tab, titles)
      if (id === column) return cells
      // Beyond the last column nothing stands, and Google refuses the question.
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
    titled(sheet, head) {
      remember(sheet.sheetId, head)
    },
    widened(sheet, columns) {
      sheet.columns = columns
    },
    made(sheet, head) {
      listed = [...listed, sheet]
      remember(sheet.sheetId, head)
    },
    forget() {
      listGoodUntil = 0
      heads.clear()
    },
  }
}

/** 0 is A, 26 is AA. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}
