// The chatbot's conversations: figures, a list that can be searched, and how to connect the chatbot. Filters and page live in the address.
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { Conversation } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { conversationStatuses, statusNames } from '#contract/conversation-status.ts'
import { ConversationStats } from '#web/admin/conversations/conversation-stats.tsx'
import { StatusBadge } from '#web/admin/conversations/status-badge.tsx'
import { fullTimeOf, shortTimeOf } from '#web/admin/conversations/times.ts'
import { useConversationList } from '#web/admin/conversations/use-conversation-list.ts'
import { WebhookHint } from '#web/admin/conversations/webhook-hint.tsx'
import { nameOf } from '#web/admin/conversations/words.ts'
import { counted } from '#web/admin/ui/amounts.ts'
import { BesidePager, ListEnd, useFirstPage } from '#web/admin/ui/beside-pager.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { Empty, Failure, Waiting } from '#web/admin/ui/states.tsx'
import { type Column, Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './conversations.css'

const { conversations: sentences } = adminMessages

export function ConversationsPage() {
  const [address, setAddress] = useSearchParams()
  const status = conversationStatuses.find((each) => each === address.get('status')) ?? ''
  const busca = address.get('busca') ?? ''
  const [antes, depois] = [address.get('antes') ?? '', address.get('depois') ?? '']
  const { shown, list, news, showNew } = useConversationList({ status, busca, antes, depois })
  const { isError } = shown
  const isFirstRun = list?.total === 0 && !status && !busca

  useEffect(() => {
    if (isError) showToast({ title: 'Erro', text: sentences.failed, tone: 'error' })
  }, [isError])

  /** Another filter begins at its first page. */
  function go(change: Record<string, string>, { replace = false } = {}): void {
    const next = new URLSearchParams(address)
    next.delete('antes')
    next.delete('depois')
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setAddress(next, { replace })
  }

  useFirstPage(depois !== '' && !shown.isPlaceholderData && list?.depois === null, () => go({}, { replace: true }))

  return (
    <Page title="Conversas" intro="O que as pessoas disseram ao robô no WhatsApp.">
      <ConversationStats />
      <Filters status={status} busca={busca} onFilter={go} />
      {/* Over the page, so that nothing moves when somebody writes. */}
      <p className="news" role="status">
        {news > 0 && (
          <button type="button" className="button small button-yellow" onClick={showNew}>
            {news === 1 ? '1 conversa com novidade: mostrar' : `${news} conversas com novidade: mostrar`}
          </button>
        )}
      </p>
      {isError && <Failure onRetry={() => void shown.refetch()}>{sentences.failed}</Failure>}
      {!list && !isError && <Waiting rows={6} />}
      <div role="status">
        {list && list.conversas.length === 0 && (
          <Empty>
            {list.total > 0 ? <ListEnd onStart={() => go({})} /> : sentences.empty}
            {isFirstRun && <p className="faint">{sentences.firstRun}</p>}
          </Empty>
        )}
      </div>
      {list && list.conversas.length > 0 && (
        <div className="conversations" data-old={shown.isPlaceholderData || undefined}>
          <Table caption="Conversas" columns={columns} rows={list.conversas} keyOf={({ id }) => id} />
        </div>
      )}
      {list && list.conversas.length > 0 && (
        <BesidePager
          told={counted(list.total, 'conversa', 'conversas')}
          hasNewer={list.depois !== null}
          hasOlder={list.antes !== null}
          onNewer={() => go({ depois: list.depois ?? '' })}
          onOlder={() => go({ antes: list.antes ?? '' })}
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

/** Brings along which list it was in, for the way back. */
function ConversationLink({ conversation }: { conversation: Conversation }) {
  const { search } = useLocation()
  return (
    <Link to={`/admin/botconversa/${conversation.id}`} state={{ search }}>
      {nameOf(conversation)}
    </Link>
  )
}

interface FiltersProps {
  status: string
  busca: string
  onFilter(change: Record<string, string>): void
}

function Filters({ status, busca, onFilter }: FiltersProps) {
  const [typed, setTyped] = useState(busca)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setTyped(busca), [busca])

  function clear(): void {
    field.current?.focus()
    onFilter({ busca: '' })
  }

  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          onFilter({ busca: typed.trim() })
        }}
      >
        <div className="field">
          <label htmlFor="status">Status</label>
          <select
            id="status"
            value={status}
            onChange={({ target }) => onFilter({ status: target.value, busca: typed.trim() })}
          >
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
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            maxLength={200}
            autoComplete="off"
          />
        </div>
        <button type="submit" className="button">
          Buscar
        </button>
        {busca && (
          <button type="button" className="button" onClick={clear}>
            Limpar
          </button>
        )}
      </form>
    </search>
  )
}
