// The cities of a campaign, the largest first, found by name and state. Counted now and then, and told with that moment.
import { useMutation } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { type CityNumbers, citiesPerPage, listCityNumbers, mostCities } from '#contract/admin/numbers.ts'
import { states } from '#contract/states.ts'
import { callAdmin } from '#web/admin/api.ts'
import { csvOf, download } from '#web/admin/numbers/csv.ts'
import { counted as amountOf, inWords, share } from '#web/admin/ui/amounts.ts'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Pager } from '#web/admin/ui/pager.tsx'
import { Empty, Shown, Waiting } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'

const stateOf = ({ state }: CityNumbers) => (state ? states[state] : '')

export function ByCity({ slug }: { slug: string }) {
  const [busca, setBusca] = useState('')
  const [estado, setEstado] = useState('')
  const [pagina, setPagina] = useState(1)
  const params = { slug }
  const filter = { busca: useDeferredValue(busca.trim()), estado }
  const cities = useRefreshed(listCityNumbers, {
    ...{ params, query: { ...filter, pagina } },
    soonerMs: ({ counted, uncounted }) => (counted ? (uncounted === 0 ? undefined : 6_000) : 2_000),
  })
  const saving = useMutation({
    // One more for those that are counted together.
    mutationFn: () => callAdmin(listCityNumbers, { params, query: { ...filter, limite: mostCities + 1 } }),
    onSuccess(reply) {
      const rows = reply.cities.map((city) => [city.city, stateOf(city), city.signatures, city.confirmed])
      download(`${slug}-por-cidade.csv`, csvOf(['Cidade', 'Estado', 'Assinaturas', 'Confirmadas'], rows))
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
      <Shown query={cities}>
        {({ counted: count, uncounted, total, cities: rows }) =>
          count === null ? (
            <>
              <p role="status">Contando as cidades. Com muitas assinaturas, leva alguns segundos.</p>
              <Waiting rows={2} />
            </>
          ) : (
            <>
              {rows.length === 0 ? (
                <Empty>
                  {busca || estado
                    ? 'Nenhuma cidade com esse filtro.'
                    : uncounted > 0
                      ? 'Ninguém foi contado por cidade ainda.'
                      : 'Ninguém assinou ainda.'}
                </Empty>
              ) : (
                <Table
                  compact
                  caption="Assinaturas por cidade"
                  rows={rows}
                  keyOf={({ city, state }) => `${city} ${state}`}
                  columns={[
                    { title: 'Cidade', cell: ({ city }) => city },
                    { title: 'UF', cell: ({ state }) => state },
                    { title: 'Assinaturas', numeric: true, cell: ({ signatures }) => inWords(signatures) },
                    {
                      title: 'Confirmadas',
                      numeric: true,
                      cell: ({ confirmed, signatures }) => `${inWords(confirmed)} (${share(confirmed, signatures)})`,
                    },
                  ]}
                />
              )}
              {total > 0 && <Pager page={pagina} pageSize={citiesPerPage} total={total} onPage={setPagina} />}
              <footer>
                <p className="faint">
                  {amountOf(count.signatures, 'assinatura contada', 'assinaturas contadas')} por cidade em{' '}
                  {momentInWords(count.at)}
                  {uncounted > 0 && `; ${amountOf(uncounted, 'chegou', 'chegaram')} depois`}
                  {uncounted < 0 && `; ${amountOf(-uncounted, 'foi retirada', 'foram retiradas')} depois`}. Os nomes são
                  como as pessoas escreveram, juntos quando só mudam acentos e maiúsculas.
                </p>
                <button
                  type="button"
                  className="button small"
                  disabled={saving.isPending}
                  onClick={() => saving.mutate()}
                >
                  Baixar CSV
                </button>
              </footer>
              <p role="alert" className="error">
                {saving.isError && 'Não foi possível baixar. Tente de novo.'}
              </p>
            </>
          )
        }
      </Shown>
    </section>
  )
}
