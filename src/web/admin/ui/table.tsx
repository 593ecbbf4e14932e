// A table that is one card per row where there is no room for columns.
import type { ReactNode } from 'react'

export interface Column<Row> {
  title: string
  cell(row: Row): ReactNode
  /** Numbers stand at the end of their column. */
  numeric?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  /** Few and short columns: they fit a phone, and stay columns there. */
  compact?: boolean
}

// Cards on a phone are drawn with CSS, which takes the table's meaning from screen readers: the roles give it back.
const as = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

export function Table<Row>({ caption, columns, rows, keyOf, compact }: TableProps<Row>) {
  return (
    <div className={compact ? 'table table-compact' : 'table'}>
      <table {...as.table}>
        <caption className="hidden">{caption}</caption>
        <thead {...as.rowgroup}>
          <tr {...as.row}>
            {columns.map(({ title, numeric }) => (
              <th key={title} {...as.columnheader} scope="col" data-numeric={numeric || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as.rowgroup}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...as.row}>
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} {...as.cell} data-title={title} data-numeric={numeric || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
