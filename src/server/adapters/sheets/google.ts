// A spreadsheet of Google's. Rows are added as cells whose value is a text, which Google never reads as a formula or a number.
import { randomInt } from 'node:crypto'
import { readAccount } from '#server/adapters/sheets/google-account.ts'
import { createGoogleCalls, type ReadPace } from '#server/adapters/sheets/google-calls.ts'
import { createGoogleTabs, type Sheet } from '#server/adapters/sheets/google-tabs.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import {
  type BeforeWrite,
  columnsToAdd,
  currentCells,
  findIds,
  isOurId,
  placeCells,
  placesOf,
  SheetFailure,
  type Spreadsheet,
  type Tab,
  type Tidied,
  withAdded,
} from '#server/adapters/sheets/spreadsheet.ts'

export interface GoogleSpreadsheetOptions {
  id: string
  /** For people. */
  address: string
  accountFile: string
  url: string
  beforeWrite: BeforeWrite
  leaving(): AbortSignal
  /** How long what was seen of tabs is believed; every look counts against Google's quota. */
  lookAgainMs?: number
  readPace?: ReadPace
}

/** Of rows, in one write. */
const updatedTogether = 500

/** A deletion that is made late, after another one, would take the wrong row with it. */
const afterUnknownDeletionMs = 60_000

export function openGoogleSpreadsheet(options: GoogleSpreadsheetOptions): Spreadsheet {
  const { id, address, accountFile, url, beforeWrite, leaving, lookAgainMs = 60_000, readPace } = options
  const calls = createGoogleCalls({ account: readAccount(accountFile), url, leaving, readPace })
  const path = `/v4/spreadsheets/${encodeURIComponent(id)}`
  const tabs = createGoogleTabs({ calls, path, lookAgainMs })

  const send = (requests: object[]) => calls.write(`${path}:batchUpdate`, { requests })

  async function write(requests: object[]): Promise<void> {
    await beforeWrite()
    await send(requests)
  }

  /** Does it with the tab as last found; when that is refused, people may have deleted or made it, so it is looked for again. */
  async function onTab<T>(tab: Tab, work: (sheet: Sheet | undefined) => Promise<T>): Promise<T> {
    if (tabs.isKnown()) {
      try {
        return await work(await tabs.find(tab))
      } catch (error) {
        if (!(error instanceof SheetFailure && error.permanent)) throw error
        tabs.forget()
      }
    }
    return work(await tabs.find(tab))
  }

  async function createTab({ title, columns }: Tab): Promise<Sheet> {
    const sheetId = randomInt(1, 2 ** 31)
    const gridProperties = { rowCount: 100, columnCount: columns.length, frozenRowCount: 1 }
    const cells = columns.map(titleCell)
    // Together or not at all: no tab is ever without its titles.
    await write([
      { addSheet: { properties: { sheetId, title, gridProperties } } },
      { appendCells: { sheetId, rows: [{ values: cells }], fields: 'userEnteredValue,userEnteredFormat.textFormat' } },
    ])
    const sheet = { sheetId, title, columns: columns.length }
    tabs.made(sheet, columns)
    return sheet
  }

  /** What adds the columns that the tab does not have yet, behind everything that stands in it, and its titles with them. */
  async function addedColumns(tab: Tab, sheet: Sheet): Promise<{ head: string[]; requests: object[]; width: number }> {
    const titles = await tabs.head(sheet)
    const { missing, behind } = columnsToAdd(tab, titles)
    if (missing.length === 0) return { head: titles, requests: [], width: 0 }
    // People may have written where there is no title.
    const from = (await tabs.isEmpty(sheet, behind, missing.length)) ? behind : Math.max(behind, sheet.columns)
    const request = {
      start: { sheetId: sheet.sheetId, rowIndex: 0, columnIndex: from },
      rows: [{ values: missing.map(titleCell) }],
      fields: 'userEnteredValue,userEnteredFormat.textFormat',
    }
    const head = withAdded(titles, missing, from)
    return { head, requests: [{ updateCells: request }], width: head.length }
  }

  const widening = ({ sheetId, columns }: Sheet, width: number) =>
    width > columns ? [{ appendDimension: { sheetId, dimension: 'COLUMNS', length: width - columns } }] : []

  /** Cells are read by the name of a tab and written by its id: in between, another one may have taken the name. */
  async function isStillThere({ sheetId, title }: Pick<Sheet, 'sheetId' | 'title'>): Promise<boolean> {
    return (await tabs.list('urgent')).some((sheet) => sheet.sheetId === sheetId && sheet.title === title)
  }

  /** Says whether it was done: not if another tab has the name by now, under which the positions were read. */
  async function deleteRows({ sheetId, title }: Sheet, positions: number[]): Promise<boolean> {
    // From the bottom up, so that no deletion moves what the next one means.
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
    writesAMinute: 55,
    append: (tab, rows) =>
      onTab(tab, async (found) => {
        const sheet = found ?? (await createTab(tab))
        const { sheetId } = sheet
        const { head, requests: added, width: widened } = await addedColumns(tab, sheet)
        const places = placesOf(tab, head)
        const placed = rows.map((row) => placeCells(row, places))
        const width = Math.max(widened, ...placed.map((cells) => cells.length))
        const written = placed.map((cells) => ({ values: cells.map(textCell) }))
        await write([
          ...widening(sheet, width),
          ...added,
          { appendCells: { sheetId, rows: written, fields: 'userEnteredValue' } },
        ])
        if (added.length > 0) tabs.titled(sheet, head)
        if (width > sheet.columns) tabs.widened(sheet, width)
        return []
      }),
    update: (tab, rows) =>
      onTab(tab, async (sheet) => {
        const wanted = new Map(rows.map((row) => [row[0] ?? '', row]))
        if (!sheet) return { absent: [...wanted.keys()], disturbed: [], read: 0 }
        const ids = await tabs.ids(tab, sheet)
        // In the first row too: people may have deleted the titles.
        const found = [...ids.entries()].filter(([, id]) => wanted.has(id))
        const present = new Set(found.map(([, id]) => id))
        const absent = [...wanted.keys()].filter((id) => !present.has(id))
        if (found.length === 0) return { absent, disturbed: [], read: ids.length }
        const { head, requests: added, width } = await addedColumns(tab, sheet)
        if (added.length > 0) {
          await write([...widening(sheet, width), ...added])
          tabs.titled(sheet, head)
          if (width > sheet.columns) tabs.widened(sheet, width)
        }
        const places = placesOf(tab, head)
        if (!(await isStillThere(sheet))) throw new SheetFailure(reasons.unexpected, {})
        for (let from = 0; from < found.length; from += updatedTogether) {
          const some = found.slice(from, from + updatedTogether)
          await write(
            some.flatMap(([position, id]) => cellsAt(sheet, position, currentCells(tab, wanted.get(id) ?? [], places))),
          )
        }
        // Had somebody sorted in between, cells of one person would stand in the row of another.
        const now = await tabs.ids(tab, sheet)
        const moved = found.filter(([position, id]) => now[position] !== id)
        const disturbed = new Set(moved.flatMap(([position, id]) => [id, now[position] ?? '']).filter(isOurId))
        return { absent, disturbed: [...disturbed], read: ids.length }
      }),
    tidy: (tab, surplus) =>
      onTab(tab, async (found) => {
        let sheet = found
        let tidied = nothingTidied()
        // Read again after a deletion: had somebody sorted at that very moment, other rows would be gone.
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

const nothingTidied = (): Tidied => ({ present: new Set(), removed: new Set(), lost: [] })

const titleCell = (title: string) => ({ ...textCell(title), userEnteredFormat: { textFormat: { bold: true } } })

/** One request for each stretch of neighbouring cells in a row. */
function cellsAt({ sheetId }: Sheet, rowIndex: number, cells: { place: number; text: string }[]): object[] {
  const stretches: { place: number; texts: string[] }[] = []
  for (const { place, text } of cells) {
    const last = stretches.at(-1)
    if (last && last.place + last.texts.length === place) last.texts.push(text)
    else stretches.push({ place, texts: [text] })
  }
  return stretches.map(({ place, texts }) => ({
    updateCells: {
      start: { sheetId, rowIndex, columnIndex: place },
      rows: [{ values: texts.map(textCell) }],
      fields: 'userEnteredValue',
    },
  }))
}

const textCell = (text: string) => (text === '' ? {} : { userEnteredValue: { stringValue: text } })
