// The record of deeds: who did what, to what, when. What is filtered stands in the address.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type AuditChange, listDeeds, readDeedFilters } from '#contract/admin/deeds.ts'
import { callAdmin } from '#web/admin/api.ts'
import { counted } from '#web/admin/ui/amounts.ts'
import { BesidePager, ListEnd, useFirstPage } from '#web/admin/ui/beside-pager.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import './deeds-page.css'

const names = ['pessoa', 'tipo', 'de', 'ate'] as const
type Filter = Record<(typeof names)[number], string>

/** Who types is let finish. */
const pauseMs = 400
/** A year arrives digit by digit: 0002, 0020, 0202. */
const isHalfTyped = (day: string) => day.startsWith('0')

export function DeedsPage() {
  const [search, setSearch] = useSearchParams()
  const [typed, setTyped] = useState<Partial<Filter>>({})
  const fields = useRef<HTMLElement>(null)
  const filter = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as Filter
  const isFiltered = names.some((name) => filter[name])
  const query = { ...filter, antes: search.get('antes') ?? '', depois: search.get('depois') ?? '' }
  const deeds = useQuery({
    queryKey: [listDeeds.path, query],
    queryFn: () => callAdmin(listDeeds, { query }),
    placeholderData: keepPreviousData,
  })
  const filters = useQuery({ queryKey: [readDeedFilters.path], queryFn: () => callAdmin(readDeedFilters) })

  function change(changes: Record<string, string>, { replace = false } = {}): void {
    const next = { ...filter, ...changes }
    setSearch(
      Object.entries(next).filter(([, value]) => value),
      { replace },
    )
  }

  useFirstPage(query.depois !== '' && !deeds.isPlaceholderData && deeds.data?.depois === null, () =>
    change({}, { replace: true }),
  )

  const days = Object.values(typed)
  useEffect(() => {
    if (days.length === 0 || days.some(isHalfTyped)) return
    const timer = setTimeout(() => {
      setTyped({})
      change(typed, { replace: true })
    }, pauseMs)
    return () => clearTimeout(timer)
  })

  const choice = (name: 'pessoa' | 'tipo', [label, all]: [string, string], options: string[] = []) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select id={name} value={filter[name]} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">{all}</option>
        {[...new Set([...options, filter[name]])].filter(Boolean).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </div>
  )
  const day = (name: 'de' | 'ate', label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="date"
        value={typed[name] ?? filter[name]}
        onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
      />
    </div>
  )

  return (
    <Page
      title="Registro"
      intro="O que foi feito na área administrativa. Nada daqui pode ser mudado ou apagado pela área."
    >
      <search ref={fields} className="filters">
        {choice('pessoa', ['Pessoa', 'Todas'], filters.data?.people)}
        {choice('tipo', ['O que foi feito', 'Tudo'], filters.data?.kinds)}
        {day('de', 'De')}
        {day('ate', 'Até')}
        <button
          type="button"
          className="button small"
          disabled={!isFiltered && days.length === 0}
          onClick={() => {
            setTyped({})
            setSearch({})
            // Half a date says that it is empty, and would stay.
            for (const field of fields.current?.querySelectorAll('input') ?? []) field.value = ''
          }}
        >
          Limpar filtros
        </button>
      </search>
      <Shown query={deeds}>
        {({ total, deeds: rows, antes, depois }) => (
          <>
            {rows.length === 0 && total > 0 ? (
              <Empty>
                <ListEnd onStart={() => change({})} />
              </Empty>
            ) : rows.length === 0 ? (
              <Empty>{isFiltered ? 'Nada com esse filtro.' : 'Nada foi feito ainda.'}</Empty>
            ) : (
              <Table
                caption="Registro do que foi feito"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Quando', cell: ({ at }) => <time dateTime={at}>{momentInWords(at)}</time> },
                  { title: 'Quem', cell: ({ username }) => username },
                  { title: 'O quê', cell: ({ deed }) => deed },
                  {
                    title: 'Detalhe',
                    cell: ({ subject, changes }) => (
                      <div>
                        {subject || '–'}
                        {changes.length > 0 && (
                          <ul className="audit-changes">
                            {changes.map((change) => (
                              <li key={change.field}>
                                <Change {...change} />
                              </li>
                            ))}
                          </ul>
                        )}
                      </div>
                    ),
                  },
                ]}
              />
            )}
            {rows.length > 0 && (
              <BesidePager
                told={counted(total, 'registro', 'registros')}
                hasNewer={depois !== null}
                hasOlder={antes !== null}
                onNewer={() => change({ depois: depois ?? '' })}
                onOlder={() => change({ antes: antes ?? '' })}
              />
            )}
          </>
        )}
      </Shown>
    </Page>
  )
}

function Change({ field, before, after }: AuditChange) {
  if (before === undefined || after === undefined)
    return (
      <>
        <b>{field}</b> mudou
      </>
    )
  return (
    <>
      <b>{field}</b>: de <Value>{before}</Value> para <Value>{after}</Value>
    </>
  )
}

const Value = ({ children }: { children: string }) => (children ? <q>{children}</q> : <em>vazio</em>)
