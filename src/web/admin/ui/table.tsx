// A table whose rows become cards where there is no room for columns.
import { type ReactNode, useState } from 'react'
import './table.css'

export interface Column<Row> {
  title: string
  cell(row: Row): ReactNode
  /** Right-aligned. */
  numeric?: boolean
}

/** A card shows so many columns, and the column of actions; a button shows the others. */
const cardColumns = 3
/** Up to so many columns, a card shows all of them. */
const smallTable = 5
const actionsTitle = 'Ações'
/** More columns than this have smaller text, so that they fit a laptop. */
const denseColumns = 7

/** The columns that a card does not show at first. */
function hiddenInCards<Row>(columns: Column<Row>[]): Set<string> {
  const titles = columns.map(({ title }) => title).filter((title) => title !== actionsTitle)
  return new Set(titles.length > smallTable ? titles.slice(cardColumns) : [])
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
  const onDemand = compact ? new Set<string>() : hiddenInCards(columns)
  return (
    <div className={compact ? 'table table-compact' : 'table'} data-dense={columns.length > denseColumns || undefined}>
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
            <TableRow key={keyOf(row)} row={row} columns={columns} onDemand={onDemand} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: Column<Row>[]
  onDemand: Set<string>
}

function TableRow<Row>({ row, columns, onDemand }: TableRowProps<Row>) {
  const [expanded, setExpanded] = useState(false)
  return (
    <tr {...roles.row} data-expanded={expanded || undefined}>
      {columns.map(({ title, cell, numeric }) => (
        <td
          key={title}
          {...roles.cell}
          data-title={title}
          data-numeric={numeric || undefined}
          data-actions={title === actionsTitle || undefined}
          data-on-demand={onDemand.has(title) || undefined}
        >
          {cell(row)}
        </td>
      ))}
      {onDemand.size > 0 && (
        <td {...roles.cell} className="table-more">
          <button type="button" className="link" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
            {expanded ? 'Ver menos' : 'Ver mais'}
          </button>
        </td>
      )}
    </tr>
  )
}
