// The audit log: who changed what, and when. The filters are in the URL.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AuditChange, type AuditEntry, listAuditLog, readAuditFilters } from '#contract/admin/audit-log.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { CursorPager, ListEnd, useFirstPage } from '#web/admin/ui/cursor-pager.tsx'
import { dateInputValue } from '#web/admin/ui/date-input-value.ts'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { AuditLogIcon, CloseIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import './audit-log-page.css'

const filterNames = ['pessoa', 'tipo', 'sessao', 'rede', 'de', 'ate'] as const
/** Debounce while the user types. */
const debounceMs = 400

export function AuditLogPage() {
  const urlFilters = useUrlFilters(filterNames, { debounceMs })
  const { filters, isFiltered, cursor, change } = urlFilters
  const query = { ...filters, ...cursor }
  const entries = useQuery({
    queryKey: [listAuditLog.path, query],
    queryFn: () => callAdmin(listAuditLog, { query }),
    placeholderData: keepPreviousData,
  })
  const options = useQuery({ queryKey: [readAuditFilters.path], queryFn: () => callAdmin(readAuditFilters) })

  useFirstPage(cursor.depois !== '' && !entries.isPlaceholderData && entries.data?.depois === null, () =>
    change({}, { replace: true }),
  )

  const selectField = (name: 'pessoa' | 'tipo', [label, all]: [string, string], choices: string[] = []) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <select id={name} value={filters[name]} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">{all}</option>
        {[...new Set([...choices, filters[name]])].filter(Boolean).map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </div>
  )
  const textField = (name: 'sessao' | 'rede', label: string, maxLength: number) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="text"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxLength}
        value={urlFilters.values[name]}
        onChange={(event) => urlFilters.type(name, event.target.value)}
      />
    </div>
  )
  const dateField = (name: 'de' | 'ate', label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        key={urlFilters.clearCount}
        id={name}
        type="date"
        value={dateInputValue(urlFilters.values[name])}
        onChange={(event) => urlFilters.type(name, event.target.value)}
      />
    </div>
  )

  return (
    <Page title="Registro" intro="Quem fez o quê, e quando? Nada daqui pode ser mudado ou apagado pela área.">
      <search className="filters">
        {selectField('pessoa', ['Pessoa', 'Todas'], options.data?.people)}
        {selectField('tipo', ['O que foi feito', 'Tudo'], options.data?.kinds)}
        {textField('sessao', 'Sessão', 12)}
        {textField('rede', 'Rede', 45)}
        {dateField('de', 'De')}
        {dateField('ate', 'Até')}
        <button
          type="button"
          className="button small"
          disabled={!isFiltered && !urlFilters.isPending}
          onClick={() => urlFilters.clear()}
        >
          <CloseIcon size={18} />
          Limpar filtros
        </button>
      </search>
      <QueryBoundary query={entries}>
        {({ total, deeds: rows, antes, depois }) => (
          <>
            {rows.length === 0 && total > 0 ? (
              <EmptyState>
                <ListEnd onStart={() => change({})} />
              </EmptyState>
            ) : rows.length === 0 ? (
              <EmptyState icon={AuditLogIcon}>
                {isFiltered ? 'Nada com esse filtro.' : 'Nada foi feito ainda.'}
              </EmptyState>
            ) : (
              <Table
                caption="Registro do que foi feito"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Quando', cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time> },
                  { title: 'Quem', cell: ({ username }) => username },
                  { title: 'O quê', cell: ({ deed }) => deed },
                  {
                    title: 'De onde',
                    cell: (entry) => <Origin entry={entry} onFilter={change} />,
                  },
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
              <CursorPager
                summary={pluralize(total, 'registro', 'registros')}
                hasNewer={depois !== null}
                hasOlder={antes !== null}
                onNewer={() => change({ depois: depois ?? '' })}
                onOlder={() => change({ antes: antes ?? '' })}
              />
            )}
          </>
        )}
      </QueryBoundary>
    </Page>
  )
}

interface OriginProps {
  entry: AuditEntry
  onFilter(filters: { sessao: string } | { rede: string }): void
}

/** Session and network, each with the filter for its other entries. */
function Origin({ entry: { session, network }, onFilter }: OriginProps) {
  if (!session && !network) return '–'
  return (
    <div className="audit-origin">
      {session && (
        <button
          type="button"
          className="link"
          aria-label={`Só a sessão ${session}`}
          onClick={() => onFilter({ sessao: session })}
        >
          sessão {session}
        </button>
      )}
      {network && (
        <button
          type="button"
          className="link"
          aria-label={`Só a rede ${network}`}
          onClick={() => onFilter({ rede: network })}
        >
          rede {network}
        </button>
      )}
    </div>
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
