// Interface of spreadsheets (Google, CSV), their failures, and the mapping of our columns to the columns of a tab.

export interface Tab {
  title: string
  /** Column titles; the first column holds the id of the record. */
  columns: readonly string[]
  /** Columns that older tabs lack. They are found only by title, and added after all other columns if missing. */
  added?: readonly string[]
  /** Columns that are updated in existing rows. People may correct all other columns. */
  current?: readonly string[]
}

export interface Spreadsheet {
  kind: 'google' | 'csv'
  /** Unique name of the spreadsheet: each has one writer at a time. */
  name: string
  /** Where people open it. */
  address: string
  /** Limit for the writes of all nodes together; undefined for files, which have no limit. */
  writesPerMinute: number | undefined
  /**
   * Adds rows, with cells in the order of `Tab.columns`. Creates a missing tab. Returns the ids of incomplete rows that
   * were removed: the caller must add them again, unless they are queued anyway.
   */
  append(tab: Tab, rows: readonly (readonly string[])[]): Promise<string[]>
  /** Updates the `current` columns of the rows with the given ids, at any position. Adds columns, but no rows. */
  update(tab: Tab, rows: readonly (readonly string[])[]): Promise<UpdateResult>
  /** Removes surplus rows at any position. A missing tab has no rows. */
  tidy(tab: Tab, surplus: Surplus): Promise<TidyResult>
  /** Titles of all tabs, including tabs that people created. */
  titles(): Promise<string[]>
}

interface UpdateResult {
  /** Ids without a row in the tab. */
  absent: string[]
  /** Ids with uncertain cells, because rows were moved during the update. They must be updated again. */
  disturbed: string[]
  /** Number of rows that were read. */
  read: number
}

export interface Surplus {
  /** Ids that must not have a row. */
  erased: ReadonlySet<string>
  /** Whether duplicates are removed too. In tabs that people created, duplicates may be intended. */
  copies: 'remove' | 'keep'
}

export interface TidyResult {
  /** Ids that have a row. */
  present: Set<string>
  /** Erased ids whose row was removed. */
  removed: Set<string>
  /** Ids that lost their row by mistake: rows were moved during the deletion, or the row was incomplete. */
  lost: string[]
}

/** Called before each write; resolves when the write may be sent. */
export type BeforeWrite = () => Promise<void>

interface FailureKind {
  /** Only the operator can fix it; a retry soon is useless. */
  permanent?: boolean
  /** The write may or may not have been made. */
  unknown?: boolean
  /** Minimum time before the next attempt. */
  pauseMs?: number
}

/** The message is a text for the operator. */
export class SheetFailure extends Error {
  readonly permanent: boolean
  readonly unknown: boolean
  readonly pauseMs: number

  constructor(reason: string, { permanent = false, unknown = false, pauseMs = 0 }: FailureKind, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'SheetFailure'
    this.permanent = permanent
    this.unknown = unknown
    this.pauseMs = pauseMs
  }
}

export const isOurId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

interface IdsFound {
  present: Set<string>
  removed: Set<string>
  /** Positions of the rows to remove, in ascending order. */
  positions: number[]
}

/** People may sort, copy and insert rows. Only rows with one of our ids are ours. */
export function findIds(ids: readonly string[], { erased, copies }: Surplus): IdsFound {
  const found: IdsFound = { present: new Set(), removed: new Set(), positions: [] }
  for (const [position, id] of ids.entries()) {
    if (!isOurId(id)) continue
    if (erased.has(id)) found.removed.add(id)
    const isSurplus = erased.has(id) || (found.present.has(id) && copies === 'remove')
    if (isSurplus) found.positions.push(position)
    else found.present.add(id)
  }
  return found
}

/** Indexes of our columns in a tab; undefined for a column that people deleted. */
export interface ColumnPositions {
  id: number
  cells: (number | undefined)[]
}

/**
 * Finds our columns by the current titles of a tab. A missing title was renamed: its column keeps the original index,
 * unless another column of ours is there now. Then the column was deleted.
 * Rows cannot be found without ids: if the id column was deleted, it moves after the last column.
 */
export function locateColumns(
  { columns, added = [] }: Pick<Tab, 'columns' | 'added'>,
  titles: readonly string[],
): ColumnPositions {
  const normalized = titles.map(normalizeTitle)
  const found = columns.map((column) => normalized.indexOf(normalizeTitle(column)))
  const positions = found.map((position, index) => {
    if (position >= 0) return position
    return found.includes(index) || added.includes(columns[index] ?? '') ? undefined : index
  })
  const id = positions[0] ?? titles.length
  return { id, cells: [id, ...positions.slice(1)] }
}

/** Columns to add, and the first index after all columns that are known to be in use. */
export function columnsToAdd(tab: Tab, titles: readonly string[]): { missing: string[]; firstFree: number } {
  const { cells } = locateColumns(tab, titles)
  const missing = (tab.added ?? []).filter((title) => cells[tab.columns.indexOf(title)] === undefined)
  return { missing, firstFree: Math.max(titles.length, ...cells.map((position) => (position ?? -1) + 1)) }
}

/** Titles after columns were added from an index on. */
export function titlesWithAdded(titles: readonly string[], missing: readonly string[], from: number): string[] {
  return [...titles, ...Array<string>(Math.max(0, from - titles.length)).fill(''), ...missing]
}

export interface CellUpdate {
  column: number
  text: string
}

/** New texts for the `current` columns of a row, from left to right. */
export function currentCells(tab: Tab, row: readonly string[], { cells }: ColumnPositions): CellUpdate[] {
  return (tab.current ?? [])
    .map((title) => tab.columns.indexOf(title))
    .flatMap((index) => {
      const column = cells[index]
      return column === undefined ? [] : [{ column, text: row[index] ?? '' }]
    })
    .toSorted((a, b) => a.column - b.column)
}

const normalizeTitle = (title: string) => title.trim().toLocaleLowerCase('pt-BR')

/** Arranges a row for the columns of the tab; other columns stay empty. */
export function arrangeRow(row: readonly string[], { cells }: ColumnPositions): string[] {
  const width = 1 + Math.max(...cells.map((position) => position ?? 0))
  const arranged = new Array<string>(width).fill('')
  cells.forEach((position, index) => {
    if (position !== undefined) arranged[position] = row[index] ?? ''
  })
  return arranged
}
