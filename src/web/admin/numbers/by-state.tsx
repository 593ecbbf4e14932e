// Signatures by state as a map and a table, in absolute numbers or relative to the population.
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import type { Numbers } from '#contract/admin/numbers.ts'
import { per100Thousand, populationSource, populations } from '#contract/admin/populations.ts'
import { states } from '#contract/states.ts'
import { csvOf, downloadCsv } from '#web/admin/numbers/csv.ts'
import { formatNumber, formatPercent, formatRate, pluralize } from '#web/admin/ui/format-number.ts'
import { Loading } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'

const StateMap = lazy(async () => ({ default: (await import('#web/admin/numbers/state-map.tsx')).StateMap }))

export function ByState({ campaign, byState, signatures: total }: Numbers) {
  const [relative, setRelative] = useState(false)
  const rows = byState
    .map(({ state, signatures }) => ({ state, signatures, per100k: per100Thousand(state, signatures) }))
    .map((row) => ({ ...row, value: relative ? row.per100k : row.signatures }))
    .sort((one, other) => other.value - one.value || states[one.state].localeCompare(states[other.state]))
  const isWide = useWideScreen()
  const withSignatures = rows.filter(({ signatures }) => signatures > 0)
  const withoutSignatures = rows.filter(({ signatures }) => signatures === 0)
  const titles = ['Estado', 'Assinaturas', 'Parte do total', 'Por 100 mil habitantes', 'Habitantes']

  function save(): void {
    const cells = rows.map(({ state, signatures, per100k }) => [
      ...[states[state], signatures, formatPercent(signatures, total), per100k, populations[state]],
    ])
    downloadCsv(`${campaign.slug}-por-estado.csv`, csvOf(titles, cells))
  }

  return (
    <section className="chart panel" aria-labelledby="por-estado">
      <header>
        <h2 id="por-estado">Por estado</h2>
        <fieldset className="chart-choice">
          <legend className="hidden">O que o mapa mostra</legend>
          {[false, true].map((option) => (
            <label key={String(option)}>
              <input type="radio" name="medida" checked={relative === option} onChange={() => setRelative(option)} />
              {option ? 'Por 100 mil habitantes' : 'Assinaturas'}
            </label>
          ))}
        </fieldset>
      </header>
      <div className="by-state">
        {/* Too small to read on a phone; the sorted table has the same data. */}
        {isWide && (
          <Suspense fallback={<Loading />}>
            <StateMap
              values={new Map(rows.map(({ state, value }) => [state, value]))}
              isWhole={!relative}
              unit={relative ? 'assinaturas por 100 mil habitantes' : 'assinaturas'}
            />
          </Suspense>
        )}
        <div>
          {withSignatures.length > 0 && (
            <Table
              compact
              caption="Assinaturas por estado"
              rows={withSignatures}
              keyOf={({ state }) => state}
              columns={[
                { title: 'Estado', cell: ({ state }) => states[state] },
                { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => formatNumber(signatures) },
                { title: 'Do total', numeric: true, cell: ({ signatures }) => formatPercent(signatures, total) },
                { title: 'Por 100 mil', numeric: true, cell: ({ per100k }) => formatRate(per100k) },
              ]}
            />
          )}
          {withoutSignatures.length > 0 && (
            <details>
              <summary>{pluralize(withoutSignatures.length, 'estado', 'estados')} sem assinaturas</summary>
              <p>{withoutSignatures.map(({ state }) => states[state]).join(', ')}.</p>
            </details>
          )}
        </div>
      </div>
      <footer>
        <p className="faint">
          Os 27 somam {formatNumber(total)}. Habitantes: {populationSource}.
        </p>
        <button type="button" className="button small" onClick={save}>
          Baixar CSV
        </button>
      </footer>
    </section>
  )
}

/** Room for two columns. The breakpoint is the same as in the style sheets. */
const wideQuery = () => matchMedia('(min-width: 45rem)')

function subscribe(listener: () => void): () => void {
  const query = wideQuery()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function useWideScreen(): boolean {
  return useSyncExternalStore(subscribe, () => wideQuery().matches)
}
