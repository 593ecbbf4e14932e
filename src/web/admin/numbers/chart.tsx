// A chart, with the same data as a table for screen readers and as a CSV file.
import { type ReactNode, useId } from 'react'
import { type Cell, csvOf, downloadCsv } from '#web/admin/numbers/csv.ts'
import { formatNumber } from '#web/admin/ui/format-number.ts'
import { Table } from '#web/admin/ui/table.tsx'

interface ChartProps {
  title: string
  /** Next to the title: selects what is displayed. */
  controls?: ReactNode
  /** File name without extension. */
  file: string
  titles: string[]
  rows: Cell[][]
  children: ReactNode
}

export function Chart({ title, controls, file, titles, rows, children }: ChartProps) {
  const name = useId()
  return (
    <section className="chart panel" aria-labelledby={name}>
      <header>
        <h2 id={name}>{title}</h2>
        {controls}
      </header>
      {children}
      <footer>
        <details>
          <summary>Ver como tabela</summary>
          <Table
            compact
            caption={title}
            rows={rows}
            keyOf={([first = '']) => first}
            columns={titles.map((column, index) => ({
              title: column,
              numeric: index > 0,
              cell: (row: Cell[]) => formatCell(row[index]),
            }))}
          />
        </details>
        <button type="button" className="button small" onClick={() => downloadCsv(`${file}.csv`, csvOf(titles, rows))}>
          Baixar CSV
        </button>
      </footer>
    </section>
  )
}

const formatCell = (cell: Cell | undefined) => (typeof cell === 'number' ? formatNumber(cell) : cell)

interface Bar {
  /** Displayed in the tooltip. */
  label: string
  value: number
  /** The period is not over: striped, so that it is not mistaken for a decline. */
  inProgress?: boolean
}

interface BarsProps {
  bars: Bar[]
  /** Text alternative of the chart. */
  summary: string
  /** For the first, the middle and the last bar, as far as they exist. */
  axisLabels: string[]
}

export function Bars({ bars, summary, axisLabels }: BarsProps) {
  const stripes = useId()
  const max = Math.max(1, ...bars.map(({ value }) => value))
  const slotWidth = 100 / bars.length
  return (
    <div className="bars">
      <p className="bars-most" aria-hidden="true">
        {formatNumber(max)}
      </p>
      {/* In percent, so that stripes and outlines are not stretched. */}
      <svg role="img" aria-label={summary}>
        <pattern id={stripes} width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M0 6 6 0M-1 1 1 -1M5 7 7 5" />
        </pattern>
        {bars.map(({ label, value, inProgress }, index) => {
          const height = (value / max) * 100
          return (
            <rect
              key={label}
              x={`${(index + 0.1) * slotWidth}%`}
              y={`${100 - height}%`}
              width={`${0.8 * slotWidth}%`}
              height={`${height}%`}
              {...(inProgress && { fill: `url(#${stripes})`, className: 'bar-open' })}
            >
              <title>{`${label}: ${formatNumber(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="bars-marks" aria-hidden="true">
        {axisLabels.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </p>
    </div>
  )
}
