// A table whose rows become cards where there is no room for columns.
import type { ReactNode } from 'react'
import './table.css'

export interface Column<Row> {
  title: string
  cell(row: Row): ReactNode
  /** Right-aligned. */
  numeric?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string | number
  /** Few, short columns that fit a phone: they do not become cards. */
  compact?: boolean
}

// The CSS of the cards removes the table semantics for screen readers; the roles restore them.
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

export function Table<Row>({ caption, columns, rows, keyOf, compact }: TableProps<Row>) {
  return (
    <div className={compact ? 'table table-compact' : 'table'}>
      <table {...roles.table}>
        <caption className="hidden">{caption}</caption>
        <thead {...roles.rowgroup}>
          <tr {...roles.row}>
            {columns.map(({ title, numeric }) => (
              <th key={title} {...roles.columnheader} scope="col" data-numeric={numeric || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.rowgroup}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...roles.row}>
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} {...roles.cell} data-title={title} data-numeric={numeric || undefined}>
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
