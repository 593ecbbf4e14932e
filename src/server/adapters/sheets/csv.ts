// Spreadsheet without an account: one CSV file per tab, in the data folder.
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { byteOrderMark, csvRecord } from '#contract/csv.ts'
import { type CsvRecord, cellsIn, quote, recordsIn } from '#server/adapters/sheets/csv-file.ts'
import { reasons } from '#server/adapters/sheets/reasons.ts'
import {
  arrangeRow,
  type BeforeWrite,
  type CellUpdate,
  type ColumnPositions,
  columnsToAdd,
  currentCells,
  findIds,
  isOurId,
  locateColumns,
  SheetFailure,
  type Spreadsheet,
  type Tab,
  titlesWithAdded,
} from '#server/adapters/sheets/spreadsheet.ts'

interface CsvSpreadsheetOptions {
  folder: string
  beforeWrite: BeforeWrite
}

export function openCsvSpreadsheet({ folder, beforeWrite }: CsvSpreadsheetOptions): Spreadsheet {
  const fileOf = ({ title }: Tab) => join(folder, `${fileName(title)}.csv`)

  return {
    kind: 'csv',
    name: 'csv',
    address: folder,
    writesPerMinute: undefined,
    async append(tab, rows) {
      await beforeWrite()
      return withSheetFailures(folder, async () => {
        // Only the owner of the data folder may read these files.
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = fileOf(tab)
        const head = await withAllColumns(file, tab)
        const positions = locateColumns(tab, head ?? tab.columns)
        const text = rows.map((row) => csvRecord(arrangeRow(row, positions))).join('')
        if (!head) {
          await createFile(file, headOf(tab) + text)
          return []
        }
        // An incomplete record of a killed process would absorb the next rows, because its quotes are not closed.
        const { ids = [], incomplete } = (await lastBytes(file)) === '\r\n' ? {} : await readIds(file, positions)
        if (incomplete) await truncateBy(file, incomplete.bytes)
        await appendTo(file, text)
        return incomplete && isOurId(incomplete.id) && !ids.includes(incomplete.id) ? [incomplete.id] : []
      })
    },
    async update(tab, rows) {
      await beforeWrite()
      return withSheetFailures(folder, async () => {
        const file = fileOf(tab)
        const wanted = new Map(rows.map((row) => [row[0] ?? '', row]))
        const { present, read } = await findRecords(file, tab, wanted)
        if (present.size > 0) {
          const positions = locateColumns(tab, (await withAllColumns(file, tab)) ?? tab.columns)
          await rewrite(file, (record) => {
            const row = wanted.get(idIn(record, positions))
            return row ? withUpdatedCells(record.bytes, currentCells(tab, row, positions)) : record.bytes
          })
        }
        return { absent: [...wanted.keys()].filter((id) => !present.has(id)), disturbed: [], read }
      })
    },
    tidy: (tab, surplus) =>
      withSheetFailures(folder, async () => {
        const file = fileOf(tab)
        const head = await readHead(file, tab)
        if (!head) return { present: new Set(), removed: new Set(), lost: [] }
        const { ids, incomplete } = await readIds(file, locateColumns(tab, head))
        if (incomplete) await truncateBy(file, incomplete.bytes)
        const { present, removed, positions } = findIds(ids, surplus)
        const surplusRows = new Set(positions)
        if (positions.length > 0)
          await rewrite(file, ({ bytes }, position) => (surplusRows.has(position) ? undefined : bytes))
        const lost =
          incomplete && isOurId(incomplete.id) && !present.has(incomplete.id) && !surplus.erased.has(incomplete.id)
            ? [incomplete.id]
            : []
        return { present, removed, lost }
      }),
    titles: () =>
      withSheetFailures(folder, async () => {
        const files = await readdir(folder).catch(emptyIfMissing)
        return files.filter((file) => file.endsWith('.csv')).map((file) => titleOf(file.slice(0, -4)))
      }),
  }
}

/** Keeps letters and digits of any language, and encodes characters that have a meaning in file systems. */
function fileName(title: string): string {
  const name = encodeCharacters(title, /[^\p{L}\p{N} _-]/gu)
  // An encoded emoji takes twelve bytes, a plain one four. Short names keep the first form, so that existing files
  // keep their names.
  return Buffer.byteLength(name) <= maxNameBytes ? name : encodeCharacters(title, /[%./\\:*?"<>|\p{Cc}]/gu)
}

/** File systems allow 255 bytes, including the file extensions. */
const maxNameBytes = 240

const encodeCharacters = (title: string, characters: RegExp) =>
  title.replace(characters, (character) => encodeURIComponent(character).replaceAll('.', '%2E'))

function titleOf(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // Not one of our files.
    return name
  }
}

const headOf = ({ columns }: Tab) => byteOrderMark + csvRecord(columns)

/** Column titles; undefined if there is no file, or if its title record is incomplete. */
async function readHead(file: string, tab: Tab): Promise<string[] | undefined> {
  for await (const { bytes, closed } of recordsIn(file)) {
    if (closed) return cellsIn(bytes)
    return bytes.length < Buffer.byteLength(headOf(tab)) ? undefined : []
  }
  return undefined
}

interface Ids {
  ids: string[]
  /** Incomplete last record, left by a killed process. */
  incomplete?: { id: string; bytes: number }
}

async function readIds(file: string, positions: ColumnPositions): Promise<Ids> {
  const found: Ids = { ids: [] }
  for await (const record of recordsIn(file)) {
    const id = cellsIn(record.bytes)[positions.id] ?? ''
    if (isIncomplete(record, positions)) found.incomplete = { id, bytes: record.bytes.length }
    else found.ids.push(id)
  }
  return found
}

/** Whether a record is an incomplete record of ours. Other programs may also save a last record without a line end. */
function isIncomplete({ bytes, closed }: CsvRecord, positions: ColumnPositions): boolean {
  // Our cells are quoted, and our records contain no CR LF. A record with CR LF has a quote that a person typed, and
  // contains complete records.
  if (closed || bytes[0] !== quote || bytes.includes('\r\n')) return false
  const id = cellsIn(bytes)[positions.id]
  return id === undefined || /^("|"?[0-9a-f-]+)$/.test(id)
}

const idLength = 36

/**
 * The id of a record; empty for an incomplete one. If the id is the first cell, the rest of the record is not parsed:
 * most records of a long file do not change.
 */
function idIn(record: CsvRecord, positions: ColumnPositions): string {
  if (!record.closed && isIncomplete(record, positions)) return ''
  const { bytes } = record
  if (positions.id > 0 || bytes[0] === markFirstByte) return cellsIn(bytes)[positions.id] ?? ''
  const start = bytes[0] === quote ? 1 : 0
  return bytes.toString('latin1', start, start + idLength)
}

/** First byte of the byte order mark. */
const markFirstByte = 0xef

/** The wanted ids that have a record, and the number of records. */
async function findRecords(file: string, tab: Tab, wanted: ReadonlyMap<string, unknown>) {
  const positions = locateColumns(tab, (await readHead(file, tab)) ?? tab.columns)
  const present = new Set<string>()
  let read = 0
  for await (const record of recordsIn(file)) {
    const id = idIn(record, positions)
    if (wanted.has(id)) present.add(id)
    read += 1
  }
  return { present, read }
}

/** Keeps the bytes of the other cells: Excel saves CSV in the Windows encoding. */
function withUpdatedCells(bytes: Buffer, updates: CellUpdate[]): Buffer {
  const cells = cellsIn(bytes, 'latin1')
  const width = Math.max(cells.length, ...updates.map(({ column }) => column + 1))
  const record = Array.from({ length: width }, (_, column) => cells[column] ?? '')
  for (const { column, text } of updates) record[column] = Buffer.from(text).toString('latin1')
  return Buffer.from(csvRecord(record), 'latin1')
}

/** Resolves after fsync, because the queue then deletes these rows. */
async function createFile(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function appendTo(file: string, text: string): Promise<void> {
  const separator = (await lastBytes(file)).endsWith('\n') ? '' : '\r\n'
  const handle = await open(file, 'a')
  try {
    await handle.appendFile(separator + text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The last two bytes. CR LF ends a record; LF alone may be part of a cell. */
async function lastBytes(file: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, size - 2)
    return buffer.toString('latin1')
  } finally {
    await handle.close()
  }
}

async function truncateBy(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate((await handle.stat()).size - bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Adds missing columns after the widest record, and returns the titles. */
async function withAllColumns(file: string, tab: Tab): Promise<string[] | undefined> {
  const head = await readHead(file, tab)
  const { missing, firstFree } = columnsToAdd(tab, head ?? tab.columns)
  // Without a complete title record, the first record may be anything.
  if (!head || head.length === 0 || missing.length === 0) return head
  let from = firstFree
  for await (const { bytes } of recordsIn(file)) from = Math.max(from, cellsIn(bytes).length)
  const titles = titlesWithAdded(head, missing, from)
  await rewrite(file, ({ bytes }, position) =>
    position === 0 ? Buffer.from(byteOrderMark + csvRecord(titles)) : bytes,
  )
  return titles
}

/** Replaces or removes (undefined) records, in a new file that replaces the old one atomically. */
async function rewrite(
  file: string,
  change: (record: CsvRecord, position: number) => Buffer | undefined,
): Promise<void> {
  const handle = await open(`${file}.novo`, 'w', 0o600)
  try {
    let position = 0
    let buffered: Buffer[] = []
    let bytes = 0
    const flush = async () => {
      await handle.appendFile(Buffer.concat(buffered))
      buffered = []
      bytes = 0
    }
    for await (const record of recordsIn(file)) {
      const changed = change(record, position)
      position += 1
      if (!changed) continue
      buffered.push(changed)
      bytes += changed.length
      if (bytes > maxBufferedBytes) await flush()
    }
    await flush()
    await handle.sync()
  } catch (error) {
    // On a full disk, the partial file would occupy space that is needed elsewhere.
    await rm(`${file}.novo`, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(`${file}.novo`, file)
}

const maxBufferedBytes = 1 << 20

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function withSheetFailures<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const full = code === 'ENOSPC' || code === 'EDQUOT'
    throw new SheetFailure(full ? reasons.diskFull : reasons.fileRefused(folder), { unknown: true }, error)
  }
}
