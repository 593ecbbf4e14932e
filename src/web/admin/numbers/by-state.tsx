// A campaign by state: drawn on a map and told in a table, as it is or as it compares with how many people live there.
import { lazy, Suspense, useState } from 'react'
import type { Numbers } from '#contract/admin/numbers.ts'
import { per100Thousand, populationSource, populations } from '#contract/admin/populations.ts'
import { states } from '#contract/states.ts'
import { csvOf, download } from '#web/admin/numbers/csv.ts'
import { counted, inRate, inWords, share } from '#web/admin/ui/amounts.ts'
import { Waiting } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useWideScreen } from '#web/admin/ui/use-wide-screen.ts'

const StateMap = lazy(async () => ({ default: (await import('#web/admin/numbers/state-map.tsx')).StateMap }))

export function ByState({ campaign, byState, signatures: total }: Numbers) {
  const [relative, setRelative] = useState(false)
  const rows = byState
    .map(({ state, signatures }) => ({ state, signatures, per100: per100Thousand(state, signatures) }))
    .map((row) => ({ ...row, drawn: relative ? row.per100 : row.signatures }))
    .sort((one, other) => other.drawn - one.drawn || states[one.state].localeCompare(states[other.state]))
  const isWide = useWideScreen()
  const withSome = rows.filter(({ signatures }) => signatures > 0)
  const without = rows.filter(({ signatures }) => signatures === 0)
  const titles = ['Estado', 'Assinaturas', 'Parte do total', 'Por 100 mil habitantes', 'Habitantes']

  function save(): void {
    const cells = rows.map(({ state, signatures, per100 }) => [
      ...[states[state], signatures, share(signatures, total), per100, populations[state]],
    ])
    download(`${campaign.slug}-por-estado.csv`, csvOf(titles, cells))
  }

  return (
    <section className="chart panel" aria-labelledby="por-estado">
      <header>
        <h2 id="por-estado">Por estado</h2>
        <fieldset className="chart-choice">
          <legend className="hidden">O que o mapa mostra</legend>
          {[false, true].map((choice) => (
            <label key={String(choice)}>
              <input type="radio" name="medida" checked={relative === choice} onChange={() => setRelative(choice)} />
              {choice ? 'Por 100 mil habitantes' : 'Assinaturas'}
            </label>
          ))}
        </fieldset>
      </header>
      <div className="by-state">
        {/* Too small to read on a phone: there the list, from the most to the least, says the same. */}
        {isWide && (
          <Suspense fallback={<Waiting />}>
            <StateMap
              values={new Map(rows.map(({ state, drawn }) => [state, drawn]))}
              isWhole={!relative}
              unit={relative ? 'assinaturas por 100 mil habitantes' : 'assinaturas'}
            />
          </Suspense>
        )}
        <div>
          {withSome.length > 0 && (
            <Table
              compact
              caption="Assinaturas por estado"
              rows={withSome}
              keyOf={({ state }) => state}
              columns={[
                { title: 'Estado', cell: ({ state }) => states[state] },
                { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => inWords(signatures) },
                { title: 'Do total', numeric: true, cell: ({ signatures }) => share(signatures, total) },
                { title: 'Por 100 mil', numeric: true, cell: ({ per100 }) => inRate(per100) },
              ]}
            />
          )}
          {without.length > 0 && (
            <details>
              <summary>{counted(without.length, 'estado', 'estados')} sem assinaturas</summary>
              <p>{without.map(({ state }) => states[state]).join(', ')}.</p>
            </details>
          )}
        </div>
      </div>
      <footer>
        <p className="faint">
          Os 27 somam {inWords(total)}. Habitantes: {populationSource}.
        </p>
        <button type="button" className="button small" onClick={save}>
          Baixar CSV
        </button>
      </footer>
    </section>
  )
}
