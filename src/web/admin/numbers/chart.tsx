// A drawing of numbers with its twin: the same as a table, for those who do not see it, and as a file.
import { type ReactNode, useId } from 'react'
import { type Cell, csvOf, download } from '#web/admin/numbers/csv.ts'
import { inWords } from '#web/admin/ui/amounts.ts'
import { Table } from '#web/admin/ui/table.tsx'

interface ChartProps {
  title: string
  /** What stands beside the title: a choice of what is drawn. */
  controls?: ReactNode
  /** Without the ending. */
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
              cell: (row: Cell[]) => shown(row[index]),
            }))}
          />
        </details>
        <button type="button" className="button small" onClick={() => download(`${file}.csv`, csvOf(titles, rows))}>
          Baixar CSV
        </button>
      </footer>
    </section>
  )
}

const shown = (cell: Cell | undefined) => (typeof cell === 'number' ? inWords(cell) : cell)

export interface Bar {
  /** Read out in the tooltip. */
  label: string
  value: number
  /** Not over yet: drawn with stripes, so that it is not taken for a fall. */
  open?: boolean
}

interface BarsProps {
  bars: Bar[]
  /** What the drawing shows, in one sentence. */
  summary: string
  /** Under the first, the middle and the last bar, or as many of them as there are. */
  marks: string[]
}

export function Bars({ bars, summary, marks }: BarsProps) {
  const stripes = useId()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const step = 100 / bars.length
  return (
    <div className="bars">
      <p className="bars-most" aria-hidden="true">
        {inWords(most)}
      </p>
      {/* In parts of its width and height, so that neither stripes nor outlines are stretched with it. */}
      <svg role="img" aria-label={summary}>
        <pattern id={stripes} width="6" height="6" patternUnits="userSpaceOnUse">
          <path d="M0 6 6 0M-1 1 1 -1M5 7 7 5" />
        </pattern>
        {bars.map(({ label, value, open }, index) => {
          const tall = (value / most) * 100
          return (
            <rect
              key={label}
              x={`${(index + 0.1) * step}%`}
              y={`${100 - tall}%`}
              width={`${0.8 * step}%`}
              height={`${tall}%`}
              {...(open && { fill: `url(#${stripes})`, className: 'bar-open' })}
            >
              <title>{`${label}: ${inWords(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="bars-marks" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
    </div>
  )
}
