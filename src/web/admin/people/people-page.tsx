// Lists of people: tabs for the kinds, filters, paging, details and export.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, Navigate, NavLink, useLocation, useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { filtersOf, kindLabels, type PeopleKind, peopleKinds } from '#contract/admin/people.ts'
import { fillPath } from '#contract/endpoint.ts'
import { BulkEditDialog, SelectionActions, SelectionBar } from '#web/admin/people/bulk-edit.tsx'
import { ExportDialog } from '#web/admin/people/export-dialog.tsx'
import { columnsOf } from '#web/admin/people/people-columns.tsx'
import { PeopleFilterForm } from '#web/admin/people/people-filters.tsx'
import { formatPeopleCount } from '#web/admin/people/people-labels.ts'
import { peopleListQuery, peopleTotalQuery, useCampaignTitles } from '#web/admin/people/people-queries.ts'
import { SavedFilters } from '#web/admin/people/saved-filters.tsx'
import { useSelection } from '#web/admin/people/use-selection.ts'
import { CursorPager, ListEnd, useFirstPage } from '#web/admin/ui/cursor-pager.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import { ApiFailure } from '#web/api/client.ts'
import './people-page.css'

const debounceMs = 400

export function PeoplePage() {
  const { tipo } = useParams()
  const kind = peopleKinds.find((name) => name === tipo)
  if (!kind) return <Navigate to={adminPaths.people} replace />
  return <PeopleList key={kind} tipo={kind} />
}

function PeopleList({ tipo }: { tipo: PeopleKind }) {
  const [params] = useSearchParams()
  const { search } = useLocation()
  const [exporting, setExporting] = useState(false)
  const [editing, setEditing] = useState(false)
  const urlFilters = useUrlFilters(filtersOf[tipo], { debounceMs })
  const { filters, isFiltered, cursor } = urlFilters
  const opened = params.get('registro')
  const selection = useSelection(search)
  const campaignTitle = useCampaignTitles()

  const list = useQuery(peopleListQuery(tipo, { ...filters, ...cursor }))
  const total = useQuery(peopleTotalQuery(tipo, filters))

  const errors = (list.error instanceof ApiFailure && list.error.refusal.errors) || {}

  const goToFirstPage = () => urlFilters.change({}, { replace: true })
  useFirstPage(cursor.depois !== '' && !list.isPlaceholderData && list.data?.temDepois === false, goToFirstPage)

  // Addresses of earlier versions.
  if (opened) return <Navigate to={fillPath(adminPaths.person, { tipo, id: opened })} replace />

  return (
    <Page
      title="Pessoas"
      actions={
        <>
          <Link className="button" to={adminPaths.peopleImports}>
            Importar
          </Link>
          <button type="button" className="button" onClick={() => setExporting(true)}>
            Exportar
          </button>
        </>
      }
    >
      <nav aria-label="Listas de pessoas" className="tabs">
        {peopleKinds.map((name) => (
          <NavLink key={name} to={fillPath(adminPaths.peopleOfKind, { tipo: name })}>
            {kindLabels[name].list}
          </NavLink>
        ))}
      </nav>
      <PeopleFilterForm tipo={tipo} urlFilters={urlFilters} errors={errors} />
      <SavedFilters tipo={tipo} filters={filters} />
      <p role="status" className="people-total">
        {total.data ? formatPeopleCount(tipo, total.data) : total.isError ? '' : 'Contando...'}
      </p>
      <QueryBoundary query={list} rows={8}>
        {({ pessoas, temAntes, temDepois }) =>
          pessoas.length === 0 && (cursor.antes || cursor.depois) ? (
            <EmptyState>
              <ListEnd onStart={goToFirstPage} />
            </EmptyState>
          ) : pessoas.length === 0 ? (
            <EmptyState>
              {isFiltered
                ? 'Ninguém com estes filtros. Confira a busca, a cidade e as datas.'
                : `Ainda não há ${kindLabels[tipo].many}.`}
            </EmptyState>
          ) : (
            <div aria-busy={list.isPlaceholderData} className="people-list">
              <SelectionBar
                tipo={tipo}
                pageIds={pessoas.map(({ id }) => id)}
                selection={selection}
                total={total.data}
              />
              <Table
                caption={kindLabels[tipo].list}
                columns={columnsOf({ tipo, search, selection, campaignTitle })}
                rows={pessoas}
                keyOf={({ id }) => id}
              />
              <CursorPager
                hasNewer={temDepois}
                hasOlder={temAntes}
                onNewer={() => urlFilters.change({ depois: pessoas[0]?.id ?? '' })}
                onOlder={() => urlFilters.change({ antes: pessoas.at(-1)?.id ?? '' })}
              />
              <SelectionActions tipo={tipo} selection={selection} total={total.data} onEdit={() => setEditing(true)} />
            </div>
          )
        }
      </QueryBoundary>
      {editing && (
        <BulkEditDialog
          tipo={tipo}
          filters={filters}
          selection={selection}
          total={total.data}
          onClose={() => setEditing(false)}
        />
      )}
      {exporting && (
        <ExportDialog tipo={tipo} filters={filters} total={total.data} onClose={() => setExporting(false)} />
      )}
    </Page>
  )
}
