// A spreadsheet of Google's. Rows are added as cells whose value is a text, which Google never reads as a formula or a number.
import { randomInt } from 'node:crypto'
import { readAccount } from '#server/adapters/sheets/google-account.ts'
import { createGoogleCalls } from '#server/adapters/sheets/google-calls.ts'
import {
  type BeforeWrite,
  findIds,
  type Places,
  placeCells,
  placesOf,
  SheetFailure,
  type Spreadsheet,
  type Tab,
  type Tidied,
} from '#server/adapters/sheets/spreadsheet.ts'

export interface GoogleSpreadsheetOptions {
  id: string
  /** For people. */
  address: string
  accountFile: string
  url: string
  beforeWrite: BeforeWrite
  leaving(): AbortSignal
}

/** A tab as it was found: people may change its columns at any time, so it is looked at again after a while. */
interface FoundTab {
  sheetId: number
  title: string
  places: Places
  goodUntil: number
}

const foundForMs = 60_000
/** A deletion that is made late, after another one, would take the wrong row with it. */
const afterUnknownDeletionMs = 60_000

export function openGoogleSpreadsheet(options: GoogleSpreadsheetOptions): Spreadsheet {
  const { id, address, accountFile, url, beforeWrite, leaving } = options
  const calls = createGoogleCalls({ account: readAccount(accountFile), url, leaving })
  const path = `/v4/spreadsheets/${encodeURIComponent(id)}`
  const found = new Map<string, FoundTab>()

  async function write(requests: object[]): Promise<void> {
    await beforeWrite()
    await calls.write(`${path}:batchUpdate`, { requests })
  }

  /** The first row, and what stands in one column of every row. */
  async function readTab(title: string, column: number): Promise<{ titles: string[]; cells: string[] }> {
    const name = columnName(column)
    const ranges = ['1:1', `${name}:${name}`].map((range) => ['ranges', `'${title.replaceAll("'", "''")}'!${range}`])
    const { valueRanges } = await calls.read<{ valueRanges: { values?: unknown[][] }[] }>(
      `${path}/values:batchGet?${new URLSearchParams(ranges)}`,
    )
    const [first, rows] = valueRanges
    return {
      titles: (first?.values?.[0] ?? []).map(String),
      cells: (rows?.values ?? []).map(([cell = '']) => String(cell)),
    }
  }

  async function listTabs(): Promise<Pick<FoundTab, 'sheetId' | 'title'>[]> {
    // Charts have a place of their own and no cells.
    type Sheets = { sheets?: { properties: { sheetId: number; title: string; sheetType?: string } }[] }
    const { sheets = [] } = await calls.read<Sheets>(`${path}?fields=sheets.properties(sheetId,title,sheetType)`)
    return sheets.map(({ properties }) => properties).filter(({ sheetType = 'GRID' }) => sheetType === 'GRID')
  }

  async function findTab({ title }: Tab): Promise<FoundTab | undefined> {
    // To Google, titles that differ in capitals alone are the same.
    const sheet = (await listTabs()).find((one) => one.title.toLowerCase() === title.toLowerCase())
    return sheet && { ...sheet, places: { id: 0, cells: [] }, goodUntil: 0 }
  }

  function remember(tab: Tab, sheet: Pick<FoundTab, 'sheetId' | 'title'>, titles: readonly string[]): FoundTab {
    const known = { ...sheet, places: placesOf(tab.columns, titles), goodUntil: Date.now() + foundForMs }
    found.set(tab.title, known)
    return known
  }

  /** Does it with the tab as last found; when that is refused, people may have renamed or deleted it, so it is looked for again. */
  async function onTab<T>(tab: Tab, work: (sheet: FoundTab | undefined) => Promise<T>): Promise<T> {
    const known = found.get(tab.title)
    if (known) {
      try {
        return await work(known)
      } catch (error) {
        if (!(error instanceof SheetFailure && error.permanent)) throw error
        found.clear()
      }
    }
    return work(await findTab(tab))
  }

  async function createTab(tab: Tab): Promise<FoundTab> {
    const { title, columns } = tab
    const sheetId = randomInt(1, 2 ** 31)
    const gridProperties = { rowCount: 100, columnCount: columns.length, frozenRowCount: 1 }
    const cells = columns.map((column) => ({ ...textCell(column), userEnteredFormat: { textFormat: { bold: true } } }))
    // Together or not at all: no tab is ever without its titles.
    await write([
      { addSheet: { properties: { sheetId, title, gridProperties } } },
      { appendCells: { sheetId, rows: [{ values: cells }], fields: 'userEnteredValue,userEnteredFormat.textFormat' } },
    ])
    return remember(tab, { sheetId, title }, columns)
  }

  async function readPlaces(tab: Tab, sheet: FoundTab): Promise<FoundTab> {
    if (sheet.goodUntil > Date.now()) return sheet
    const { titles } = await readTab(sheet.title, 0)
    return remember(tab, sheet, titles)
  }

  async function readIds(tab: Tab, sheet: FoundTab): Promise<string[]> {
    const { titles, cells } = await readTab(sheet.title, sheet.places.id)
    const { places } = remember(tab, sheet, titles)
    return places.id === sheet.places.id ? cells : (await readTab(sheet.title, places.id)).cells
  }

  async function deleteRows(sheetId: number, positions: number[]): Promise<void> {
    // From the bottom up, so that no deletion moves what the next one means.
    const requests = positions.toReversed().map((position) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: position, endIndex: position + 1 } },
    }))
    try {
      await write(requests)
    } catch (error) {
      if (!(error instanceof SheetFailure && error.unknown)) throw error
      throw new SheetFailure(error.message, { unknown: true, pauseMs: afterUnknownDeletionMs }, error)
    }
  }

  return {
    kind: 'google',
    name: `google:${id}`,
    address,
    writesAMinute: 55,
    append: (tab, rows) =>
      onTab(tab, async (sheet) => {
        const { sheetId, places } = sheet ? await readPlaces(tab, sheet) : await createTab(tab)
        const written = rows.map((row) => ({ values: placeCells(row, places).map(textCell) }))
        await write([{ appendCells: { sheetId, rows: written, fields: 'userEnteredValue' } }])
      }),
    tidy: (tab, surplus) =>
      onTab(tab, async (sheet) => {
        const tidied: Tidied = { present: new Set(), removed: new Set(), lost: [] }
        // Read again after a deletion: had somebody sorted at that very moment, other rows would be gone.
        while (sheet) {
          const { present, removed, positions } = findIds(await readIds(tab, sheet), surplus)
          tidied.lost.push(...[...tidied.present].filter((id) => !present.has(id)))
          tidied.present = present
          for (const id of removed) tidied.removed.add(id)
          if (positions.length === 0) break
          await deleteRows(sheet.sheetId, positions)
        }
        return tidied
      }),
    titles: async () => (await listTabs()).map(({ title }) => title),
  }
}

const textCell = (text: string) => (text === '' ? {} : { userEnteredValue: { stringValue: text } })

/** 0 is A, 26 is AA. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last
}
