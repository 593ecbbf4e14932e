// Addresses that get no e-mail: search, reason, and the action that allows one again. Filters are in the URL.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import {
  listSuppressions,
  removeSuppression,
  type Suppression,
  suppressionKinds,
} from '#contract/admin/suppressions.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { CursorPager, ListEnd, useFirstPage } from '#web/admin/ui/cursor-pager.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { CloseIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { useFocusAfterRemoval } from '#web/admin/ui/use-focus-after-removal.ts'
import { useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import './suppressions-page.css'

const { suppressions: texts } = adminMessages
const filterNames = ['busca'] as const
/** Debounce while the user types. */
const debounceMs = 400

export function SuppressionsPage() {
  const urlFilters = useUrlFilters(filterNames, { debounceMs })
  const { filters, isFiltered, cursor, change } = urlFilters
  const query = { ...filters, ...cursor }
  const suppressions = useQuery({
    queryKey: [listSuppressions.path, query],
    queryFn: () => callAdmin(listSuppressions, { query }),
    placeholderData: keepPreviousData,
  })
  const [removals, setRemovals] = useState(0)
  const list = useFocusAfterRemoval<HTMLDivElement>(removals)

  useFirstPage(cursor.depois !== '' && !suppressions.isPlaceholderData && suppressions.data?.depois === null, () =>
    change({}, { replace: true }),
  )

  return (
    <Page
      title="Endereços suspensos"
      above={<Link to={adminPaths.system}>Sistema</Link>}
      intro="Quem não recebe e-mails porque o provedor recusou o endereço ou a pessoa marcou um e-mail como spam?"
    >
      <search className="filters suppression-search">
        <div className="field">
          <label htmlFor="busca">Endereço ou parte dele</label>
          <input
            id="busca"
            type="search"
            value={urlFilters.values.busca}
            onChange={({ target }) => urlFilters.type('busca', target.value)}
            maxLength={254}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <button
          type="button"
          className="button small"
          disabled={!isFiltered && !urlFilters.isPending}
          onClick={() => urlFilters.clear()}
        >
          <CloseIcon size={18} />
          Limpar busca
        </button>
      </search>
      <div ref={list} tabIndex={-1} className="suppressions">
        <QueryBoundary query={suppressions} failed={texts.failed}>
          {({ enderecos, total, antes, depois }) =>
            enderecos.length === 0 ? (
              <div role="status">
                <EmptyState>
                  {total > 0 ? <ListEnd onStart={() => change({})} /> : isFiltered ? texts.noMatch : texts.empty}
                </EmptyState>
              </div>
            ) : (
              <>
                <Table
                  caption="Endereços suspensos"
                  rows={enderecos}
                  keyOf={({ id }) => id}
                  columns={[
                    ...columns,
                    {
                      title: 'Ações',
                      cell: (suppression) => (
                        <Removal suppression={suppression} onRemoved={() => setRemovals((count) => count + 1)} />
                      ),
                    },
                  ]}
                />
                <CursorPager
                  summary={pluralize(total, 'endereço', 'endereços')}
                  hasNewer={depois !== null}
                  hasOlder={antes !== null}
                  onNewer={() => change({ depois: depois ?? '' })}
                  onOlder={() => change({ antes: antes ?? '' })}
                />
              </>
            )
          }
        </QueryBoundary>
      </div>
    </Page>
  )
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const columns: Column<Suppression>[] = [
  {
    title: 'Endereço',
    cell: ({ email }) => (email ? <EmailText email={email} /> : <em className="faint">{texts.erased}</em>),
  },
  {
    title: 'Motivo',
    cell: ({ tipo, detalhe }) => (
      <div>
        {capitalized(tipo ? suppressionKinds[tipo] : texts.unknownReason)}
        {detalhe && <p className="suppression-detail faint">{detalhe}</p>}
      </div>
    ),
  },
  { title: 'Desde', cell: ({ desde }) => <time dateTime={desde}>{formatDateTime(desde)}</time> },
]

function Removal({ suppression, onRemoved }: { suppression: Suppression; onRemoved(): void }) {
  const { id, email, tipo } = suppression
  const [isConfirming, setConfirming] = useState(false)
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => callAdmin(removeSuppression, { params: { id } }),
    async onSuccess({ message }) {
      showToast({ title: 'Sucesso!', text: message, tone: 'success' })
      await client.invalidateQueries({ queryKey: [listSuppressions.path] })
      onRemoved()
    },
  })
  return (
    <>
      <button
        type="button"
        className="button small suppression-allow"
        aria-label={`Permitir de novo: ${email ?? texts.erased}`}
        onClick={() => setConfirming(true)}
      >
        Permitir de novo
      </button>
      {isConfirming && (
        <Confirmation
          title="Permitir de novo"
          question={texts.removal(email ?? texts.erased)}
          action="Permitir de novo"
          busy={removal.isPending}
          {...(removal.error && { problem: errorMessage(removal.error, texts.removalFailed) })}
          onConfirm={() => removal.mutate(undefined, { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        >
          {tipo === 'reclamacao' && <p>{texts.complaint}</p>}
        </Confirmation>
      )}
    </>
  )
}
