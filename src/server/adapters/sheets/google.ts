// Google spreadsheet. Cells are written as string values, which Google never reads as a formula or a number.
import { randomInt } from 'node:crypto'
import { readAccount } from '#server/adapters/sheets/google-account.ts'
import { createGoogleCalls, type ReadLimit } from '#server/adapters/sheets/google-calls.ts'
import { createGoogleTabs, type Sheet } from '#server/adapters/sheets/google-tabs.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import {
  arrangeRow,
  type BeforeWrite,
  type CellUpdate,
  columnsToAdd,
  currentCells,
  findIds,
  isOurId,
  locateColumns,
  SheetFailure,
  type Spreadsheet,
  type Tab,
  type TidyResult,
  titlesWithAdded,
} from '#server/adapters/sheets/spreadsheet.ts'

export interface GoogleSpreadsheetOptions {
  id: string
  /** URL where people open it. */
  address: string
  accountFile: string
  url: string
  beforeWrite: BeforeWrite
  /** Aborted when the process stops. */
  leaving(): AbortSignal
  /** How long tabs are cached; every read counts against Google's quota. */
  tabCacheMs?: number
  readLimit?: ReadLimit
}

/** Updated rows per write. */
const rowsPerUpdate = 500

/** A late deletion, executed after another one, would delete the wrong row. */
const afterUnknownDeletionMs = 60_000

export function openGoogleSpreadsheet(options: GoogleSpreadsheetOptions): Spreadsheet {
  const { id, address, accountFile, url, beforeWrite, leaving, tabCacheMs = 60_000, readLimit } = options
  const calls = createGoogleCalls({ account: readAccount(accountFile), url, stopSignal: leaving, readLimit })
  const path = `/v4/spreadsheets/${encodeURIComponent(id)}`
  const tabs = createGoogleTabs({ calls, path, cacheMs: tabCacheMs })

  const send = (requests: object[]) => calls.write(`${path}:batchUpdate`, { requests })

  async function write(requests: object[]): Promise<void> {
    await beforeWrite()
    await send(requests)
  }

  /** Tries the cached tab. If Google rejects the call, people may have deleted or created the tab: finds it again. */
  async function onTab<T>(tab: Tab, work: (sheet: Sheet | undefined) => Promise<T>): Promise<T> {
    if (tabs.isCached()) {
      try {
        return await work(await tabs.find(tab))
      } catch (error) {
        if (!(error instanceof SheetFailure && error.permanent)) throw error
        tabs.clearCache()
      }
    }
    return work(await tabs.find(tab))
  }

  async function createTab({ title, columns }: Tab): Promise<Sheet> {
    const sheetId = randomInt(1, 2 ** 31)
    const gridProperties = { rowCount: 100, columnCount: columns.length, frozenRowCount: 1 }
    const cells = columns.map(titleCell)
    // One atomic batch: a tab always has its titles.
    await write([
      { addSheet: { properties: { sheetId, title, gridProperties } } },
      { appendCells: { sheetId, rows: [{ values: cells }], fields: 'userEnteredValue,userEnteredFormat.textFormat' } },
    ])
    const sheet = { sheetId, title, columns: columns.length }
    tabs.addCreated(sheet, columns)
    return sheet
  }

  /** Requests that add the missing columns after all content of the tab, and the resulting titles. */
  async function addedColumns(tab: Tab, sheet: Sheet): Promise<{ head: string[]; requests: object[]; width: number }> {
    const titles = await tabs.head(sheet)
    const { missing, firstFree } = columnsToAdd(tab, titles)
    if (missing.length === 0) return { head: titles, requests: [], width: 0 }
    // People may have written in columns without a title.
    const isFree = await tabs.isEmpty(sheet, firstFree, missing.length)
    const from = isFree ? firstFree : Math.max(firstFree, sheet.columns)
    const request = {
      start: { sheetId: sheet.sheetId, rowIndex: 0, columnIndex: from },
      rows: [{ values: missing.map(titleCell) }],
      fields: 'userEnteredValue,userEnteredFormat.textFormat',
    }
    const head = titlesWithAdded(titles, missing, from)
    return { head, requests: [{ updateCells: request }], width: head.length }
  }

  const widenTo = ({ sheetId, columns }: Sheet, width: number) =>
    width > columns ? [{ appendDimension: { sheetId, dimension: 'COLUMNS', length: width - columns } }] : []

  /** Cells are read by tab title and written by tab id. In between, another tab may have got the title. */
  async function isStillThere({ sheetId, title }: Pick<Sheet, 'sheetId' | 'title'>): Promise<boolean> {
    return (await tabs.list('urgent')).some((sheet) => sheet.sheetId === sheetId && sheet.title === title)
  }

  /** Returns false, without deleting, if the title that `positions` were read from now belongs to another tab. */
  async function deleteRows({ sheetId, title }: Sheet, positions: number[]): Promise<boolean> {
    // From the bottom up, so that a deletion does not shift the next positions.
    const requests = positions.toReversed().map((position) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: position, endIndex: position + 1 } },
    }))
    await beforeWrite()
    if (!(await isStillThere({ sheetId, title }))) return false
    try {
      await send(requests)
      return true
    } catch (error) {
      if (!(error instanceof SheetFailure && error.unknown)) throw error
      throw new SheetFailure(error.message, { unknown: true, pauseMs: afterUnknownDeletionMs }, error)
    }
  }

  return {
    kind: 'google',
    name: `google:${id}`,
    address,
    writesPerMinute: 55,
    append: (tab, rows) =>
      onTab(tab, async (found) => {
        const sheet = found ?? (await createTab(tab))
        const { sheetId } = sheet
        const { head, requests: added, width: headWidth } = await addedColumns(tab, sheet)
        const positions = locateColumns(tab, head)
        const arranged = rows.map((row) => arrangeRow(row, positions))
        const width = Math.max(headWidth, ...arranged.map((cells) => cells.length))
        const newRows = arranged.map((cells) => ({ values: cells.map(textCell) }))
        await write([
          ...widenTo(sheet, width),
          ...added,
          { appendCells: { sheetId, rows: newRows, fields: 'userEnteredValue' } },
        ])
        if (added.length > 0) tabs.setHead(sheet, head)
        if (width > sheet.columns) tabs.setColumns(sheet, width)
        return []
      }),
    update: (tab, rows) =>
      onTab(tab, async (sheet) => {
        const wanted = new Map(rows.map((row) => [row[0] ?? '', row]))
        if (!sheet) return { absent: [...wanted.keys()], disturbed: [], read: 0 }
        const ids = await tabs.ids(tab, sheet)
        // Includes the first row: people may have deleted the titles.
        const found = [...ids.entries()].filter(([, id]) => wanted.has(id))
        const present = new Set(found.map(([, id]) => id))
        const absent = [...wanted.keys()].filter((id) => !present.has(id))
        if (found.length === 0) return { absent, disturbed: [], read: ids.length }
        const { head, requests: added, width } = await addedColumns(tab, sheet)
        if (added.length > 0) {
          await write([...widenTo(sheet, width), ...added])
          tabs.setHead(sheet, head)
          if (width > sheet.columns) tabs.setColumns(sheet, width)
        }
        const positions = locateColumns(tab, head)
        if (!(await isStillThere(sheet))) throw new SheetFailure(reasons.unexpected, {})
        for (let from = 0; from < found.length; from += rowsPerUpdate) {
          const some = found.slice(from, from + rowsPerUpdate)
          await write(
            some.flatMap(([position, id]) =>
              updateCells(sheet, position, currentCells(tab, wanted.get(id) ?? [], positions)),
            ),
          )
        }
        // If rows were sorted in between, cells of one person are in the row of another.
        const now = await tabs.ids(tab, sheet)
        const moved = found.filter(([position, id]) => now[position] !== id)
        const disturbed = new Set(moved.flatMap(([position, id]) => [id, now[position] ?? '']).filter(isOurId))
        return { absent, disturbed: [...disturbed], read: ids.length }
      }),
    tidy: (tab, surplus) =>
      onTab(tab, async (found) => {
        let sheet = found
        let tidied = nothingTidied()
        // Reads again after each deletion: if rows were sorted during it, the wrong rows were deleted.
        while (sheet) {
          const { present, removed, positions } = findIds(await tabs.ids(tab, sheet), surplus)
          tidied.lost.push(...[...tidied.present].filter((one) => !present.has(one)))
          tidied.present = present
          for (const one of removed) tidied.removed.add(one)
          if (positions.length === 0) break
          if (await deleteRows(sheet, positions)) continue
          sheet = await tabs.find(tab)
          tidied = nothingTidied()
        }
        return tidied
      }),
    titles: async () => (await tabs.list()).map(({ title }) => title),
  }
}

const nothingTidied = (): TidyResult => ({ present: new Set(), removed: new Set(), lost: [] })

const titleCell = (title: string) => ({ ...textCell(title), userEnteredFormat: { textFormat: { bold: true } } })

/** One request for each group of adjacent cells in a row. */
function updateCells({ sheetId }: Sheet, rowIndex: number, cells: CellUpdate[]): object[] {
  const groups: { column: number; texts: string[] }[] = []
  for (const { column, text } of cells) {
    const last = groups.at(-1)
    if (last && last.column + last.texts.length === column) last.texts.push(text)
    else groups.push({ column, texts: [text] })
  }
  return groups.map(({ column, texts }) => ({
    updateCells: {
      start: { sheetId, rowIndex, columnIndex: column },
      rows: [{ values: texts.map(textCell) }],
      fields: 'userEnteredValue',
    },
  }))
}

const textCell = (text: string) => (text === '' ? {} : { userEnteredValue: { stringValue: text } })
