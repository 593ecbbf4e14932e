// A spreadsheet of Google's. Rows are added as cells whose value is a text, which Google never reads as a formula or a number.
import { randomInt } from 'node:crypto'
import { readAccount } from '#server/adapters/sheets/google-account.ts'
import { createGoogleCalls, type ReadPace } from '#server/adapters/sheets/google-calls.ts'
import { createGoogleTabs, type Sheet } from '#server/adapters/sheets/google-tabs.ts'
import {
  type BeforeWrite,
  findIds,
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
  /** How long what was seen of tabs is believed; every look counts against Google's quota. */
  lookAgainMs?: number
  readPace?: ReadPace
}

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
    const cells = columns.map((column) => ({ ...textCell(column), userEnteredFormat: { textFormat: { bold: true } } }))
    // Together or not at all: no tab is ever without its titles.
    await write([
      { addSheet: { properties: { sheetId, title, gridProperties } } },
      { appendCells: { sheetId, rows: [{ values: cells }], fields: 'userEnteredValue,userEnteredFormat.textFormat' } },
    ])
    const sheet = { sheetId, title, columns: columns.length }
    tabs.made(sheet, columns)
    return sheet
  }

  /** Says whether it was done: not if another tab has the name by now, under which the positions were read. */
  async function deleteRows({ sheetId, title }: Sheet, positions: number[]): Promise<boolean> {
    // From the bottom up, so that no deletion moves what the next one means.
    const requests = positions.toReversed().map((position) => ({
      deleteDimension: { range: { sheetId, dimension: 'ROWS', startIndex: position, endIndex: position + 1 } },
    }))
    await beforeWrite()
    const isStillThere = (await tabs.list('urgent')).some((sheet) => sheet.sheetId === sheetId && sheet.title === title)
    if (!isStillThere) return false
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
        const places = placesOf(tab.columns, await tabs.head(sheet))
        const placed = rows.map((row) => placeCells(row, places))
        const width = Math.max(...placed.map((cells) => cells.length))
        const missing = width - sheet.columns
        const written = placed.map((cells) => ({ values: cells.map(textCell) }))
        await write([
          // Somebody took columns away, and ours have their place behind the others.
          ...(missing > 0 ? [{ appendDimension: { sheetId, dimension: 'COLUMNS', length: missing } }] : []),
          { appendCells: { sheetId, rows: written, fields: 'userEnteredValue' } },
        ])
        if (missing > 0) tabs.widened(sheet, width)
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

const textCell = (text: string) => (text === '' ? {} : { userEnteredValue: { stringValue: text } })
