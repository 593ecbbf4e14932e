// What a spreadsheet must be able to do, wherever it is kept, and how it says that it could not.

export interface Tab {
  title: string
  /** Titles of the columns; the first is the record's id. */
  columns: readonly string[]
  /** Those that older tabs do not have: found by their title alone, and added behind all others where it is missing. */
  added?: readonly string[]
  /** Those that are kept current in rows that stand there already. The others are people's own to correct. */
  current?: readonly string[]
}

export interface Spreadsheet {
  kind: 'google' | 'csv'
  /** Tells it from every other one: each has one writer at a time. */
  name: string
  /** Where people find it. */
  address: string
  /** How many writes all nodes together may send; a file takes any number. */
  writesAMinute: number | undefined
  /**
   * Adds rows, whose cells are in the order of the tab's columns. A missing tab is made. Returns the ids of rows that had to be taken
   * out because they were cut off: they are to be added again, unless they wait anyway.
   */
  append(tab: Tab, rows: readonly (readonly string[])[]): Promise<string[]>
  /** Writes the current columns of rows that have one of the given ids, wherever people moved them. Adds columns, and no rows. */
  update(tab: Tab, rows: readonly (readonly string[])[]): Promise<Updated>
  /** Takes out what is too much, wherever people moved it. A missing tab has no rows. */
  tidy(tab: Tab, surplus: Surplus): Promise<Tidied>
  /** Of all tabs, people's own among them. */
  titles(): Promise<string[]>
}

export interface Updated {
  /** Ids that have no row here. */
  absent: string[]
  /** Ids whose cells are uncertain, because somebody moved rows at that very moment: to be updated again. */
  disturbed: string[]
  /** How many rows had to be gone through. */
  read: number
}

export interface Surplus {
  /** Ids that must not have a row. */
  erased: ReadonlySet<string>
  /** Second copies go as well; in tabs of people's own they may be meant. */
  copies: 'remove' | 'keep'
}

export interface Tidied {
  /** Ids that have a row. */
  present: Set<string>
  /** Ids whose row was taken out because they must not have one. */
  removed: Set<string>
  /** Ids that had one and should have one still: somebody moved rows at that very moment, or it was cut off half-way. */
  lost: string[]
}

/** A write is about to be sent: resolves when it may be. */
export type BeforeWrite = () => Promise<void>

interface FailureKind {
  /** Only the operator can end it; trying again soon is of no use. */
  permanent?: boolean
  /** Nobody knows whether a write was made. */
  unknown?: boolean
  /** Not to be tried before. */
  pauseMs?: number
}

/** The reason is a sentence for the operator. */
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

export interface IdsFound {
  present: Set<string>
  removed: Set<string>
  /** Where the rows are that should go, in rising order. */
  positions: number[]
}

/** People may have sorted the rows, copied some and written between them: only what bears an id of ours is ours. */
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

export interface Places {
  id: number
  cells: (number | undefined)[]
}

/**
 * Where each of our columns stands under the titles that the tab has now; undefined for one that people deleted.
 * A title that is not found was changed, and its column stands where it always did, unless another one of ours stands there now.
 * Without ids nothing can be found again: when their column was deleted they go beyond the last one.
 */
export function placesOf({ columns, added = [] }: Pick<Tab, 'columns' | 'added'>, titles: readonly string[]): Places {
  const tidied = titles.map(tidyTitle)
  const found = columns.map((column) => tidied.indexOf(tidyTitle(column)))
  const places = found.map((place, index) => {
    if (place >= 0) return place
    return found.includes(index) || added.includes(columns[index] ?? '') ? undefined : index
  })
  const id = places[0] ?? titles.length
  return { id, cells: [id, ...places.slice(1)] }
}

/** Columns that are to be added, and the first place behind what is known to be used. */
export function columnsToAdd(tab: Tab, titles: readonly string[]): { missing: string[]; behind: number } {
  const { cells } = placesOf(tab, titles)
  const missing = (tab.added ?? []).filter((title) => cells[tab.columns.indexOf(title)] === undefined)
  return { missing, behind: Math.max(titles.length, ...cells.map((place) => (place ?? -1) + 1)) }
}

/** Titles as they stand once columns were added from a place on. */
export function withAdded(titles: readonly string[], missing: readonly string[], from: number): string[] {
  return [...titles, ...Array<string>(Math.max(0, from - titles.length)).fill(''), ...missing]
}

/** Where the current columns of a row stand, and what is to stand there, from left to right. */
export function currentCells(tab: Tab, row: readonly string[], { cells }: Places): { place: number; text: string }[] {
  return (tab.current ?? [])
    .map((title) => tab.columns.indexOf(title))
    .flatMap((index) => {
      const place = cells[index]
      return place === undefined ? [] : [{ place, text: row[index] ?? '' }]
    })
    .toSorted((a, b) => a.place - b.place)
}

const tidyTitle = (title: string) => title.trim().toLocaleLowerCase('pt-BR')

/** A row of ours as the tab has its columns; what is between them is left empty. */
export function placeCells(row: readonly string[], { cells }: Places): string[] {
  const width = 1 + Math.max(...cells.map((place) => place ?? 0))
  const placed = new Array<string>(width).fill('')
  cells.forEach((place, index) => {
    if (place !== undefined) placed[place] = row[index] ?? ''
  })
  return placed
}
