// A spreadsheet without an account anywhere: one CSV file for each tab, in the data folder.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CsvRecord, cellsIn, quote, recordsIn } from '#server/adapters/sheets/csv-file.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import {
  type BeforeWrite,
  columnsToAdd,
  currentCells,
  findIds,
  isOurId,
  type Places,
  placeCells,
  placesOf,
  SheetFailure,
  type Spreadsheet,
  type Tab,
  withAdded,
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
      return telling(folder, async () => {
        // What is in here is for the owner of the data folder alone.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = fileOf(tab)
        const head = await withAllColumns(file, tab)
        const places = placesOf(tab, head ?? tab.columns)
        const text = rows.map((row) => csvRecord(placeCells(row, places))).join('')
        if (!head) {
          await beginWith(file, headOf(tab) + text)
          return []
        }
        // What a killed process left would swallow what follows it: the quotes would be out of step.
        const { ids = [], torn } = (await endOf(file)) === '\r\n' ? {} : await readIds(file, places)
        if (torn) await shorten(file, torn.bytes)
        await appendTo(file, text)
        return torn && isOurId(torn.id) && !ids.includes(torn.id) ? [torn.id] : []
      })
    },
    async update(tab, rows) {
      await beforeWrite()
      return telling(folder, async () => {
        const file = fileOf(tab)
        const wanted = new Map(rows.map((row) => [row[0] ?? '', row]))
        const { present, read } = await idsAmong(file, tab, wanted)
        if (present.size > 0) {
          const places = placesOf(tab, (await withAllColumns(file, tab)) ?? tab.columns)
          await rewrite(file, (record) => {
            const row = wanted.get(idIn(record, places))
            return row ? withCurrentCells(record.bytes, currentCells(tab, row, places)) : record.bytes
          })
        }
        return { absent: [...wanted.keys()].filter((id) => !present.has(id)), disturbed: [], read }
      })
    },
    tidy: (tab, surplus) =>
      telling(folder, async () => {
        const file = fileOf(tab)
        const head = await readHead(file, tab)
        if (!head) return { present: new Set(), removed: new Set(), lost: [] }
        const { ids, torn } = await readIds(file, placesOf(tab, head))
        if (torn) await shorten(file, torn.bytes)
        const { present, removed, positions } = findIds(ids, surplus)
        const surplusRows = new Set(positions)
        if (positions.length > 0)
          await rewrite(file, ({ bytes }, position) => (surplusRows.has(position) ? undefined : bytes))
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
  const name = encodeSigns(title, /[^\p{L}\p{N} _-]/gu)
  // An emoji takes twelve bytes when it is encoded and four as it is. Names that were short enough stay as they were.
  return Buffer.byteLength(name) <= longestName ? name : encodeSigns(title, /[%./\\:*?"<>|\p{Cc}]/gu)
}

/** File systems take 255 bytes; endings come on top. */
const longestName = 240

const encodeSigns = (title: string, signs: RegExp) =>
  title.replace(signs, (character) => encodeURIComponent(character).replaceAll('.', '%2E'))

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
  for await (const record of recordsIn(file)) {
    const id = cellsIn(record.bytes)[places.id] ?? ''
    if (isTorn(record, places)) found.torn = { id, bytes: record.bytes.length }
    else found.ids.push(id)
  }
  return found
}

/** Whether a last record without a line end is what a killed process left of one of ours; people's programs leave such lines as well. */
function isTorn({ bytes, closed }: CsvRecord, places: Places): boolean {
  // Our cells are quoted, and our records have no line end inside: one that seems to is a quote that somebody typed, with whole records
  // behind it.
  if (closed || bytes[0] !== quote || bytes.includes('\r\n')) return false
  const id = cellsIn(bytes)[places.id]
  return id === undefined || /^("|"?[0-9a-f-]+)$/.test(id)
}

const idLength = 36

/**
 * The id of a record; none of one that was cut off. Nearly all of a long file stays as it is: where the id comes first, the rest of a
 * record is not read.
 */
function idIn(record: CsvRecord, places: Places): string {
  if (!record.closed && isTorn(record, places)) return ''
  const { bytes } = record
  if (places.id > 0 || bytes[0] === firstOfMark) return cellsIn(bytes)[places.id] ?? ''
  const start = bytes[0] === quote ? 1 : 0
  return bytes.toString('latin1', start, start + idLength)
}

/** Of the byte order mark. */
const firstOfMark = 0xef

/** Those of the ids that have a record, and how many records there are. */
async function idsAmong(file: string, tab: Tab, wanted: ReadonlyMap<string, unknown>) {
  const places = placesOf(tab, (await readHead(file, tab)) ?? tab.columns)
  const present = new Set<string>()
  let read = 0
  for await (const record of recordsIn(file)) {
    const id = idIn(record, places)
    if (wanted.has(id)) present.add(id)
    read += 1
  }
  return { present, read }
}

/** Bytes of the other cells stay as they are: Excel saves CSV in the encoding of Windows. */
function withCurrentCells(bytes: Buffer, current: { place: number; text: string }[]): Buffer {
  const cells = cellsIn(bytes, 'latin1')
  const width = Math.max(cells.length, ...current.map(({ place }) => place + 1))
  const record = Array.from({ length: width }, (_, place) => cells[place] ?? '')
  for (const { place, text } of current) record[place] = Buffer.from(text).toString('latin1')
  return Buffer.from(csvRecord(record), 'latin1')
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

/** The titles, after columns that the file does not have yet were added behind its widest record. */
async function withAllColumns(file: string, tab: Tab): Promise<string[] | undefined> {
  const head = await readHead(file, tab)
  const { missing, behind } = columnsToAdd(tab, head ?? tab.columns)
  // Without titles that are closed, the first record may be anything.
  if (!head || head.length === 0 || missing.length === 0) return head
  let from = behind
  for await (const { bytes } of recordsIn(file)) from = Math.max(from, cellsIn(bytes).length)
  const titles = withAdded(head, missing, from)
  await rewrite(file, ({ bytes }, position) =>
    position === 0 ? Buffer.from(byteOrderMark + csvRecord(titles)) : bytes,
  )
  return titles
}

/** Every record as it becomes, or without those that become nothing, in a new file that takes the place of the old one at once. */
async function rewrite(
  file: string,
  become: (record: CsvRecord, position: number) => Buffer | undefined,
): Promise<void> {
  const handle = await open(`${file}.novo`, 'w', 0o600)
  try {
    let position = 0
    let waiting: Buffer[] = []
    let bytes = 0
    const flush = async () => {
      await handle.appendFile(Buffer.concat(waiting))
      waiting = []
      bytes = 0
    }
    for await (const record of recordsIn(file)) {
      const written = become(record, position)
      position += 1
      if (!written) continue
      waiting.push(written)
      bytes += written.length
      if (bytes > writtenTogether) await flush()
    }
    await flush()
    await handle.sync()
  } catch (error) {
    // On a full disk it would keep the space that others need.
    await rm(`${file}.novo`, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(`${file}.novo`, file)
}

const writtenTogether = 1 << 20

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
