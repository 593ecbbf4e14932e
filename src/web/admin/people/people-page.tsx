// Lists of people: tabs for the kinds, filters, one page at a time, the details of one of them, and the export of all.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Navigate, NavLink, useParams, useSearchParams } from 'react-router'
import { countPeople, filtersOf, listPeople, type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { callAdmin, type Query } from '#web/admin/api.ts'
import { ExportDialog } from '#web/admin/people/export-dialog.tsx'
import { columnsOf } from '#web/admin/people/people-columns.tsx'
import { PeopleFilterForm } from '#web/admin/people/people-filters.tsx'
import { PersonDialog } from '#web/admin/people/person-dialog.tsx'
import { countInWords, kindNames } from '#web/admin/people/words.ts'
import { BesidePager, ListEnd, useFirstPage } from '#web/admin/ui/beside-pager.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { ApiFailure } from '#web/api/client.ts'
import './people-page.css'

export function PeoplePage() {
  const { tipo } = useParams()
  const kind = peopleKinds.find((name) => name === tipo)
  if (!kind) return <Navigate to="/admin/pessoas" replace />
  return <PeopleList key={kind} tipo={kind} />
}

function PeopleList({ tipo }: { tipo: PeopleKind }) {
  const [params, setParams] = useSearchParams()
  const [exporting, setExporting] = useState(false)
  const count = useRef<HTMLParagraphElement>(null)
  const erased = useRef(false)
  const filters: Query = Object.fromEntries(filtersOf[tipo].map((name) => [name, params.get(name) ?? undefined]))
  const beside = { antes: params.get('antes') ?? undefined, depois: params.get('depois') ?? undefined }
  const opened = params.get('registro')

  const list = useQuery({
    queryKey: ['pessoas', tipo, 'lista', filters, beside],
    queryFn: () => callAdmin(listPeople, { params: { tipo }, query: { ...filters, ...beside } }),
    placeholderData: keepPreviousData,
  })
  const total = useQuery({
    queryKey: ['pessoas', tipo, 'total', filters],
    queryFn: () => callAdmin(countPeople, { params: { tipo }, query: filters }),
  })

  const isFiltered = Object.values(filters).some(Boolean)
  const errors = (list.error instanceof ApiFailure && list.error.refusal.errors) || {}

  // The name that was pressed is gone with its record.
  useEffect(() => {
    if (opened || !erased.current) return
    erased.current = false
    count.current?.focus()
  }, [opened])

  function move(name?: 'antes' | 'depois', id = ''): void {
    setParams(
      (now) => {
        now.delete('antes')
        now.delete('depois')
        if (name) now.set(name, id)
        return now
      },
      { replace: !name },
    )
  }

  useFirstPage(Boolean(beside.depois) && !list.isPlaceholderData && list.data?.temDepois === false, () => move())

  function closeRecord(): void {
    setParams(
      (now) => {
        now.delete('registro')
        return now
      },
      { preventScrollReset: true },
    )
  }

  function addressOf(id: string): string {
    const address = new URLSearchParams(params)
    address.set('registro', id)
    return `?${address}`
  }

  return (
    <Page
      title="Pessoas"
      actions={
        <button type="button" className="button" onClick={() => setExporting(true)}>
          Exportar
        </button>
      }
    >
      <nav aria-label="Listas de pessoas" className="tabs">
        {peopleKinds.map((name) => (
          <NavLink key={name} to={`/admin/pessoas/${name}`}>
            {kindNames[name].list}
          </NavLink>
        ))}
      </nav>
      <PeopleFilterForm
        tipo={tipo}
        chosen={params}
        errors={errors}
        onChange={(chosen) =>
          setParams(
            Object.entries(chosen).filter(([, value]) => value),
            { replace: true },
          )
        }
      />
      <p ref={count} role="status" tabIndex={-1} className="people-total">
        {total.data ? countInWords(tipo, total.data) : total.isError ? '' : 'Contando...'}
      </p>
      <Shown query={list} rows={8}>
        {({ pessoas, temAntes, temDepois }) =>
          pessoas.length === 0 && (beside.antes || beside.depois) ? (
            <Empty>
              <ListEnd onStart={() => move()} />
            </Empty>
          ) : pessoas.length === 0 ? (
            <Empty>
              {isFiltered
                ? 'Ninguém com estes filtros. Confira a busca, a cidade e as datas.'
                : `Ainda não há ${kindNames[tipo].many}.`}
            </Empty>
          ) : (
            <div aria-busy={list.isPlaceholderData} className="people-list">
              <Table
                caption={kindNames[tipo].list}
                columns={columnsOf(tipo, addressOf)}
                rows={pessoas}
                keyOf={({ id }) => id}
              />
              <BesidePager
                hasNewer={temDepois}
                hasOlder={temAntes}
                onNewer={() => move('depois', pessoas[0]?.id)}
                onOlder={() => move('antes', pessoas.at(-1)?.id)}
              />
            </div>
          )
        }
      </Shown>
      {opened && (
        <PersonDialog
          key={`${tipo} ${opened}`}
          tipo={tipo}
          id={opened}
          onClose={closeRecord}
          onErased={() => {
            erased.current = true
            closeRecord()
          }}
        />
      )}
      {exporting && (
        <ExportDialog tipo={tipo} filters={filters} total={total.data} onClose={() => setExporting(false)} />
      )}
    </Page>
  )
}
