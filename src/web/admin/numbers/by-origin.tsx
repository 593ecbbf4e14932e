// Signatures by origin: a list with bars, and the days of one origin or of all. Counted periodically, like the cities.
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import {
  directOrigin,
  listOriginDays,
  listOriginNumbers,
  maxOriginDays,
  type OriginDay,
  type OriginFilters,
  originsPerPage,
  otherOrigins,
} from '#contract/admin/numbers.ts'
import { maxOriginLength } from '#contract/origin.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { DayBars, formatDay } from '#web/admin/numbers/by-time.tsx'
import { CountedFooter } from '#web/admin/numbers/counted-footer.tsx'
import { csvOf, downloadCsv } from '#web/admin/numbers/csv.ts'
import { formatNumber, formatPercent } from '#web/admin/ui/format-number.ts'
import { Pager } from '#web/admin/ui/pager.tsx'
import { EmptyState, Loading, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

const specialOrigins: Record<string, string> = { [directOrigin]: 'Direto (sem origem)', [otherOrigins]: 'Outras' }
const nameOf = (origin: string) => specialOrigins[origin] ?? origin

const spans = { 7: '7 dias', 30: '30 dias', 90: '90 dias', 0: 'Tudo' }
const dayInBrasilia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })
const dayMs = 24 * 60 * 60_000

/** The first day of a period that ends today. */
const firstDay = (span: number) => (span ? dayInBrasilia.format(Date.now() - (span - 1) * dayMs) : undefined)

/** All pages of one count. A new count between two pages would mix both: the file is read again. */
async function readDays(filter: OriginFilters): Promise<OriginDay[]> {
  const days: OriginDay[] = []
  let countedAt: string | undefined
  for (let pagina = 1; ; pagina++) {
    const reply = await callAdmin(listOriginDays, { query: { ...filter, pagina, limite: maxOriginDays } })
    if (pagina > 1 && reply.counted?.at !== countedAt) return readDays(filter)
    countedAt = reply.counted?.at
    days.push(...reply.days)
    if (days.length >= reply.total) return days
  }
}

interface ByOriginProps {
  /** Without a campaign: all of them. */
  slug?: string
}

export function ByOrigin({ slug }: ByOriginProps) {
  const [span, setSpan] = useState(30)
  const [busca, setBusca] = useState('')
  const [pagina, setPagina] = useState(1)
  const [origem, setOrigem] = useState<string>()
  const filter = { campanha: slug, desde: firstDay(span) }
  const origins = usePolledQuery(listOriginNumbers, {
    query: { ...filter, busca: useDeferredValue(busca.trim()), pagina, origem },
    nextPollMs: ({ counted, uncounted }) => (counted ? (uncounted === 0 ? undefined : 6_000) : 2_000),
  })
  const csvExport = useMutation({
    mutationFn: () => readDays(filter),
    onSuccess(days) {
      const rows = days.map((row) => [formatDay(row.day), row.campaign, nameOf(row.origin), row.signatures])
      downloadCsv(`${slug ?? 'campanhas'}-por-origem.csv`, csvOf(['Dia', 'Campanha', 'Origem', 'Assinaturas'], rows))
    },
  })

  type Row = NonNullable<typeof origins.data>['origins'][number]
  const columnsFor = (total: number): Column<Row>[] => [
    {
      title: 'Origem',
      cell: ({ origin, signatures }) => (
        <>
          <button
            type="button"
            className="link"
            aria-pressed={origin === origem}
            onClick={() => setOrigem(origin === origem ? undefined : origin)}
          >
            {nameOf(origin)}
          </button>
          <svg className="origin-bar" aria-hidden="true">
            <rect width={`${(100 * signatures) / Math.max(1, total)}%`} height="100%" />
          </svg>
        </>
      ),
    },
    { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => formatNumber(signatures) },
    { title: 'Do total', numeric: true, cell: ({ signatures }) => formatPercent(signatures, total) },
  ]

  return (
    <section className="chart panel" aria-labelledby="por-origem">
      <header>
        <h2 id="por-origem">Por origem</h2>
        <label className="chart-choice">
          Período{' '}
          <select
            value={span}
            onChange={(event) => {
              setSpan(Number(event.target.value))
              setPagina(1)
            }}
          >
            {[7, 30, 90, 0].map((days) => (
              <option key={days} value={days}>
                {spans[days as keyof typeof spans]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <p>
        De onde vieram as assinaturas: a palavra do link (<code>?de=</code> ou <code>utm_source</code>) ou o site que
        mostrou o formulário. Toque em uma origem para ver os dias dela.
      </p>
      <div className="filters">
        <div className="field">
          <label htmlFor="busca-origem">Procurar origem</label>
          <input
            id="busca-origem"
            type="search"
            maxLength={maxOriginLength}
            value={busca}
            onChange={(event) => {
              setBusca(event.target.value)
              setPagina(1)
            }}
          />
        </div>
      </div>
      <QueryBoundary query={origins}>
        {({ counted: count, uncounted, signatures, total, origins: rows, byDay }) =>
          count === null ? (
            <>
              <p role="status">Contando as origens. Com muitas assinaturas, leva alguns segundos.</p>
              <Loading rows={2} />
            </>
          ) : (
            <>
              {rows.length === 0 ? (
                <EmptyState>
                  {busca ? 'Nenhuma origem com esse nome.' : 'Nenhuma assinatura contada neste período.'}
                </EmptyState>
              ) : (
                <Table
                  compact
                  caption="Assinaturas por origem"
                  rows={rows}
                  keyOf={({ origin }) => origin}
                  columns={columnsFor(signatures)}
                />
              )}
              {total > originsPerPage && (
                <Pager page={pagina} pageSize={originsPerPage} total={total} onPage={setPagina} />
              )}
              {byDay.length > 0 && (
                <>
                  <h3>Por dia: {origem === undefined ? 'todas as origens' : nameOf(origem)}</h3>
                  <DayBars days={byDay} minDays={span} />
                </>
              )}
              <CountedFooter count={count} uncounted={uncounted} by="por origem" csvExport={csvExport}>
                O arquivo traz cada dia, campanha e origem do período.
              </CountedFooter>
            </>
          )
        }
      </QueryBoundary>
    </section>
  )
}
