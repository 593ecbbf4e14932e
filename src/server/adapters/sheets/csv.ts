// A spreadsheet without an account anywhere: one CSV file for each tab, in the data folder.
import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { cellsIn, recordsIn } from '#server/adapters/sheets/csv-file.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import {
  type BeforeWrite,
  findIds,
  isOurId,
  type Places,
  placeCells,
  placesOf,
  SheetFailure,
  type Spreadsheet,
  type Tab,
} from '#server/adapters/sheets/spreadsheet.ts'
import { byteOrderMark, csvRecord } from '#server/core/csv.ts'

export interface CsvSpreadsheetOptions {
  folder: string
  beforeWrite: BeforeWrite
}

export function openCsvSpreadsheet({ folder, beforeWrite }: CsvSpreadsheetOptions): Spreadsheet {
  const fileOf = ({ title }: Tab) => join(folder, `${fileName(title)}.csv`)

  return {
    kind: 'csv',
    name: 'csv',
    address: folder,
    writesAMinute: undefined,
    async append(tab, rows) {
      await beforeWrite()
      await telling(folder, async () => {
        // What is in here is for the owner of the data folder alone.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = fileOf(tab)
        const head = await readHead(file, tab)
        const places = placesOf(tab.columns, head ?? tab.columns)
        const text = rows.map((row) => csvRecord(placeCells(row, places))).join('')
        if (head) {
          // What a killed process left would swallow what follows it: the quotes would be out of step.
          const { torn } = (await endOf(file)) === '\r\n' ? {} : await readIds(file, places)
          if (torn) await shorten(file, torn.bytes)
          await appendTo(file, text)
        } else await beginWith(file, headOf(tab) + text)
      })
    },
    tidy: (tab, surplus) =>
      telling(folder, async () => {
        const file = fileOf(tab)
        const head = await readHead(file, tab)
        if (!head) return { present: new Set(), removed: new Set(), lost: [] }
        const { ids, torn } = await readIds(file, placesOf(tab.columns, head))
        if (torn) await shorten(file, torn.bytes)
        const { present, removed, positions } = findIds(ids, surplus)
        if (positions.length > 0) await rewrite(file, new Set(positions))
        const lost = torn && isOurId(torn.id) && !present.has(torn.id) && !surplus.erased.has(torn.id) ? [torn.id] : []
        return { present, removed, lost }
      }),
    titles: () =>
      telling(folder, async () => {
        const files = await readdir(folder).catch(noneIfMissing)
        return files.filter((file) => file.endsWith('.csv')).map((file) => titleOf(file.slice(0, -4)))
      }),
  }
}

/** Letters and digits of any language stay readable; what means something to a file system does not get there. */
function fileName(title: string): string {
  return title.replace(/[^\p{L}\p{N} _-]/gu, (character) => encodeURIComponent(character).replaceAll('.', '%2E'))
}

function titleOf(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // Not a file of ours.
    return name
  }
}

const headOf = ({ columns }: Tab) => byteOrderMark + csvRecord(columns)

/** The titles; undefined if there is no file, or one whose titles were cut off. */
async function readHead(file: string, tab: Tab): Promise<string[] | undefined> {
  for await (const { bytes, closed } of recordsIn(file)) {
    if (closed) return cellsIn(bytes)
    return bytes.length < Buffer.byteLength(headOf(tab)) ? undefined : []
  }
  return undefined
}

interface Ids {
  ids: string[]
  /** What a killed process left of its last record. */
  torn?: { id: string; bytes: number }
}

async function readIds(file: string, places: Places): Promise<Ids> {
  const found: Ids = { ids: [] }
  for await (const { bytes, closed } of recordsIn(file)) {
    const id = cellsIn(bytes)[places.id]
    // Our records have no line end inside: one that seems to is a quote that somebody typed, with whole records behind it.
    if (closed || !isCutOff(id) || bytes.includes('\r\n')) found.ids.push(id ?? '')
    else found.torn = { id: id ?? '', bytes: bytes.length }
  }
  return found
}

/** Whether a last record without a line end is what a killed process left of one of ours; people's programs leave such lines as well. */
function isCutOff(id: string | undefined): boolean {
  return id === undefined || /^("|"?[0-9a-f-]+)$/.test(id)
}

/** On the disk before it resolves: the queue forgets these rows next. */
async function beginWith(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function appendTo(file: string, text: string): Promise<void> {
  const beginning = (await endOf(file)).endsWith('\n') ? '' : '\r\n'
  const handle = await open(file, 'a')
  try {
    await handle.appendFile(beginning + text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Its last two bytes. CR LF ends a record; LF alone may stand within one. */
async function endOf(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, size - 2)
    return buffer.toString('latin1')
  } finally {
    await handle.close()
  }
}

async function shorten(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate((await handle.stat()).size - bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** All records but those at the given positions, in a new file that takes the place of the old one at once. */
async function rewrite(file: string, without: ReadonlySet<number>): Promise<void> {
  const handle = await open(`${file}.novo`, 'w', 0o600)
  try {
    let position = 0
    for await (const { bytes } of recordsIn(file)) {
      if (!without.has(position)) await handle.appendFile(bytes)
      position += 1
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.novo`, file)
}

function noneIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function telling<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const full = code === 'ENOSPC' || code === 'EDQUOT'
    throw new SheetFailure(full ? reasons.diskFull : reasons.fileRefused(folder), { unknown: true }, error)
  }
}
