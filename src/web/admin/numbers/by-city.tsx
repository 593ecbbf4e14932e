// Cities of a campaign by signatures, with search. Counted periodically; the time of the count is displayed.
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { type CityNumbers, citiesPerPage, listCityNumbers, maxCities } from '#contract/admin/numbers.ts'
import { states } from '#contract/states.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { CountedFooter } from '#web/admin/numbers/counted-footer.tsx'
import { csvOf, downloadCsv } from '#web/admin/numbers/csv.ts'
import { formatNumber, formatPercent } from '#web/admin/ui/format-number.ts'
import { Pager } from '#web/admin/ui/pager.tsx'
import { EmptyState, Loading, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

const stateOf = ({ state }: CityNumbers) => (state ? states[state] : '')

export function ByCity({ slug }: { slug: string }) {
  const [busca, setBusca] = useState('')
  const [estado, setEstado] = useState('')
  const [pagina, setPagina] = useState(1)
  const params = { slug }
  const filter = { busca: useDeferredValue(busca.trim()), estado }
  const cities = usePolledQuery(listCityNumbers, {
    ...{ params, query: { ...filter, pagina } },
    nextPollMs: ({ counted, uncounted }) => (counted ? (uncounted === 0 ? undefined : 6_000) : 2_000),
  })
  const csvExport = useMutation({
    // One more row: the cities beyond the limit are counted together.
    mutationFn: () => callAdmin(listCityNumbers, { params, query: { ...filter, limite: maxCities + 1 } }),
    onSuccess(reply) {
      const rows = reply.cities.map((city) => [city.city, stateOf(city), city.signatures, city.confirmed])
      downloadCsv(`${slug}-por-cidade.csv`, csvOf(['Cidade', 'Estado', 'Assinaturas', 'Confirmadas'], rows))
    },
  })

  return (
    <section className="chart panel" aria-labelledby="por-cidade">
      <header>
        <h2 id="por-cidade">Por cidade</h2>
      </header>
      <div className="filters">
        <div className="field">
          <label htmlFor="busca-cidade">Procurar cidade</label>
          <input
            id="busca-cidade"
            type="search"
            maxLength={120}
            value={busca}
            onChange={(event) => {
              setBusca(event.target.value)
              setPagina(1)
            }}
          />
        </div>
        <div className="field">
          <label htmlFor="estado-cidade">Estado</label>
          <select
            id="estado-cidade"
            value={estado}
            onChange={(event) => {
              setEstado(event.target.value)
              setPagina(1)
            }}
          >
            <option value="">Todos</option>
            {Object.entries(states).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      <QueryBoundary query={cities}>
        {({ counted: count, uncounted, total, cities: rows }) =>
          count === null ? (
            <>
              <p role="status">Contando as cidades. Com muitas assinaturas, leva alguns segundos.</p>
              <Loading rows={2} />
            </>
          ) : (
            <>
              {rows.length === 0 ? (
                <EmptyState>
                  {busca || estado
                    ? 'Nenhuma cidade com esse filtro.'
                    : uncounted > 0
                      ? 'Ninguém foi contado por cidade ainda.'
                      : 'Ninguém assinou ainda.'}
                </EmptyState>
              ) : (
                <Table
                  compact
                  caption="Assinaturas por cidade"
                  rows={rows}
                  keyOf={({ city, state }) => `${city} ${state}`}
                  columns={[
                    { title: 'Cidade', cell: ({ city }) => city },
                    { title: 'UF', cell: ({ state }) => state },
                    { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => formatNumber(signatures) },
                    {
                      title: 'Confirmadas',
                      numeric: true,
                      cell: ({ confirmed, signatures }) =>
                        `${formatNumber(confirmed)} (${formatPercent(confirmed, signatures)})`,
                    },
                  ]}
                />
              )}
              {total > 0 && <Pager page={pagina} pageSize={citiesPerPage} total={total} onPage={setPagina} />}
              <CountedFooter count={count} uncounted={uncounted} by="por cidade" csvExport={csvExport}>
                Os nomes são como as pessoas escreveram, juntos quando só mudam acentos e maiúsculas.
              </CountedFooter>
            </>
          )
        }
      </QueryBoundary>
    </section>
  )
}
