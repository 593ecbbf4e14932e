// The chatbot's conversations: figures, searchable list and webhook setup. Filters and page are in the URL.
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import type { Conversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { adminPaths } from '#contract/admin/paths.ts'
import { type ConversationStatus, conversationStatuses, statusNames } from '#contract/conversation-status.ts'
import { fillPath } from '#contract/endpoint.ts'
import { conversationName } from '#web/admin/conversations/conversation-name.ts'
import { ConversationStats } from '#web/admin/conversations/conversation-stats.tsx'
import { fullTimeOf, shortTimeOf } from '#web/admin/conversations/format-time.ts'
import { useConversationList } from '#web/admin/conversations/use-conversation-list.ts'
import { WebhookHint } from '#web/admin/conversations/webhook-hint.tsx'
import { CursorPager, ListEnd, useFirstPage } from '#web/admin/ui/cursor-pager.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { ConversationIcon, SearchIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { EmptyState, Failure, Loading } from '#web/admin/ui/query-boundary.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import { type UrlFilters, useUrlFilters } from '#web/admin/ui/use-url-filters.ts'
import './conversations.css'

const { conversations: texts } = adminMessages
const filterNames = ['busca', 'status'] as const

export function ConversationsPage() {
  const urlFilters = useUrlFilters(filterNames)
  const { filters, cursor, change } = urlFilters
  const status = conversationStatuses.find((each) => each === filters.status) ?? ''
  const { busca } = filters
  const { pageQuery, list, newCount, showNew } = useConversationList({ status, busca, ...cursor })
  const { isError } = pageQuery
  const isFirstRun = list?.total === 0 && !status && !busca

  useEffect(() => {
    if (isError) showToast({ title: 'Erro', text: texts.failed, tone: 'error' })
  }, [isError])

  const isFirstPageReached = cursor.depois !== '' && !pageQuery.isPlaceholderData && list?.depois === null
  useFirstPage(isFirstPageReached, () => change({}, { replace: true }))

  return (
    <Page title="Conversas" intro="O que as pessoas disseram ao robô no WhatsApp.">
      <ConversationStats />
      <Filters status={status} urlFilters={urlFilters} />
      {/* Positioned over the page, so that new messages do not move the list. */}
      <p className="news" role="status">
        {newCount > 0 && (
          <button type="button" className="button small button-yellow" onClick={showNew}>
            {newCount === 1 ? '1 conversa com novidade: mostrar' : `${newCount} conversas com novidade: mostrar`}
          </button>
        )}
      </p>
      {isError && <Failure onRetry={() => void pageQuery.refetch()}>{texts.failed}</Failure>}
      {!list && !isError && <Loading rows={6} />}
      <div role="status">
        {list && list.conversas.length === 0 && (
          <EmptyState icon={ConversationIcon}>
            {list.total > 0 ? <ListEnd onStart={() => change({})} /> : texts.empty}
            {isFirstRun && <p className="faint">{texts.firstRun}</p>}
          </EmptyState>
        )}
      </div>
      {list && list.conversas.length > 0 && (
        <div className="conversations" data-old={pageQuery.isPlaceholderData || undefined}>
          <Table caption="Conversas" columns={columns} rows={list.conversas} keyOf={({ id }) => id} />
        </div>
      )}
      {list && list.conversas.length > 0 && (
        <CursorPager
          summary={pluralize(list.total, 'conversa', 'conversas')}
          hasNewer={list.depois !== null}
          hasOlder={list.antes !== null}
          onNewer={() => change({ depois: list.depois ?? '' })}
          onOlder={() => change({ antes: list.antes ?? '' })}
        />
      )}
      {list?.haMais && <p className="faint">Há mais do que isso. Escreva mais do nome para encontrar quem procura.</p>}
      <WebhookHint startsOpen={isFirstRun} />
    </Page>
  )
}

const columns: Column<Conversation>[] = [
  {
    title: 'Pessoa',
    cell: (conversation) => (
      <div className="person">
        <ConversationLink conversation={conversation} />
        <span className="faint">{conversation.whatsapp}</span>
        <span className="faint">
          <EmailText email={conversation.email ?? ''} />
        </span>
      </div>
    ),
  },
  { title: 'Mensagem', cell: ({ mensagem, respostaBot }) => <p className="last-words">{mensagem ?? respostaBot}</p> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Quando',
    cell: ({ ultimaEm }) => (
      <time dateTime={ultimaEm} title={fullTimeOf(ultimaEm)}>
        {shortTimeOf(ultimaEm)}
      </time>
    ),
  },
]

/** Passes the query string of the list on, for the link back. */
function ConversationLink({ conversation }: { conversation: Conversation }) {
  const { search } = useLocation()
  return (
    <Link to={fillPath(adminPaths.conversation, { id: String(conversation.id) })} state={{ search }}>
      {conversationName(conversation)}
    </Link>
  )
}

interface FiltersProps {
  status: string
  urlFilters: UrlFilters<(typeof filterNames)[number]>
}

function Filters({ status, urlFilters }: FiltersProps) {
  const { filters, values, type, apply } = urlFilters
  const field = useRef<HTMLInputElement>(null)

  function clear(): void {
    field.current?.focus()
    type('busca', '')
    apply({ busca: '' })
  }

  return (
    <search>
      <form
        className="filters conversation-filters"
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <div className="field">
          <label htmlFor="status">Status</label>
          <select id="status" value={status} onChange={({ target }) => apply({ status: target.value })}>
            <option value="">Todas</option>
            {conversationStatuses.map((each) => (
              <option key={each} value={each}>
                {statusNames[each]}s
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="busca">Nome, e-mail ou telefone</label>
          <input
            id="busca"
            ref={field}
            type="search"
            value={values.busca}
            onChange={({ target }) => type('busca', target.value)}
            maxLength={200}
            autoComplete="off"
          />
        </div>
        <button type="submit" className="button">
          <SearchIcon size={18} />
          Buscar
        </button>
        {filters.busca && (
          <button type="button" className="button" onClick={clear}>
            Limpar
          </button>
        )}
      </form>
    </search>
  )
}

const tones: Record<ConversationStatus, string> = { active: 'badge-good', completed: '', blocked: 'badge-bad' }

/** The text states the status; the colour is only an addition. */
function StatusBadge({ status }: { status: ConversationStatus }) {
  return <span className={`badge ${tones[status]}`}>{statusNames[status]}</span>
}
