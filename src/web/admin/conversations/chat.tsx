// The messages of a conversation as a chat. The scroll position is kept when older or newer messages arrive.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ConversationMessage } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { dayOf, hourOf } from '#web/admin/conversations/format-time.ts'
import { useMessages } from '#web/admin/conversations/use-messages.ts'
import { ConversationIcon } from '#web/admin/ui/icons.tsx'
import { EmptyState, Failure, Loading } from '#web/admin/ui/query-boundary.tsx'

const { conversations: texts } = adminMessages
/** Within this distance from the end the user is reading the newest messages. */
const nearEndPx = 80
/** By then screen readers have processed a change of the log. */
const announceMs = 1_000

interface ChatProps {
  id: string
  person: string
}

export function Chat({ id, person }: ChatProps) {
  const { history, messages } = useMessages(id)
  const { box, savePosition, hasUnseen, goToEnd } = useScrollPosition(messages)
  const isLoadingOlder = history.isFetchingNextPage
  const muted = useMuted(isLoadingOlder, box)
  return (
    <section className="chat" aria-label="Mensagens">
      {history.error && (
        <Failure onRetry={() => void history.refetch()}>{errorMessage(history.error, texts.failed)}</Failure>
      )}
      {history.isPending && <Loading />}
      {history.data && messages.length === 0 && (
        <EmptyState icon={ConversationIcon}>Ainda não há mensagens nesta conversa.</EmptyState>
      )}
      {messages.length > 0 && (
        <div
          className="chat-box"
          ref={box}
          onScroll={savePosition}
          role="log"
          aria-live={muted ? 'off' : undefined}
          aria-label="Mensagens da conversa"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the log is scrolled, also with the keyboard
          tabIndex={0}
        >
          {history.hasNextPage && (
            <button
              type="button"
              className="button small"
              aria-disabled={isLoadingOlder || undefined}
              onClick={() => isLoadingOlder || void history.fetchNextPage()}
            >
              {isLoadingOlder ? 'Carregando...' : 'Mensagens anteriores'}
            </button>
          )}
          {byDay(messages).map(([day, dayMessages]) => (
            <section key={day} aria-label={day}>
              <h2 className="day">{day}</h2>
              <ol>
                {dayMessages.map((message) => (
                  <Balloons key={message.id} message={message} person={person} />
                ))}
              </ol>
            </section>
          ))}
        </div>
      )}
      {hasUnseen && (
        <button type="button" className="button small button-yellow chat-end" onClick={goToEnd}>
          Mensagem nova ↓
        </button>
      )}
    </section>
  )
}

function byDay(messages: ConversationMessage[]): [day: string, dayMessages: ConversationMessage[]][] {
  const days = new Map<string, ConversationMessage[]>()
  for (const message of messages) {
    const day = dayOf(message.quando)
    const dayMessages = days.get(day)
    if (dayMessages) dayMessages.push(message)
    else days.set(day, [message])
  }
  return [...days]
}

/** Mutes the live region while older messages are inserted: screen readers must not announce them as new. */
function useMuted(isLoadingOlder: boolean, box: RefObject<HTMLElement | null>): boolean {
  const [muted, setMuted] = useState(false)
  useEffect(() => {
    if (isLoadingOlder) setMuted(true)
    if (isLoadingOlder || !muted) return
    // When the oldest messages are loaded, the pressed button disappears.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
    const timer = setTimeout(() => setMuted(false), announceMs)
    return () => clearTimeout(timer)
  }, [isLoadingOlder, muted, box])
  return muted
}

function Balloons({ message, person }: { message: ConversationMessage; person: string }) {
  const { mensagem, midiaUrl, respostaBot, quando } = message
  return (
    <>
      {(mensagem ?? midiaUrl) !== null && (
        <li className="balloon">
          <span className="hidden">{person}:</span>
          {mensagem !== null && <p>{mensagem}</p>}
          {midiaUrl !== null && (
            <a href={midiaUrl} target="_blank" rel="noreferrer">
              Abrir o arquivo enviado
            </a>
          )}
          <time dateTime={quando}>{hourOf(quando)}</time>
        </li>
      )}
      {respostaBot !== null && (
        <li className="balloon balloon-bot">
          <span className="hidden">Robô:</span>
          <p>{respostaBot}</p>
          <time dateTime={quando}>{hourOf(quando)}</time>
        </li>
      )}
    </>
  )
}

/** Keeps the visible messages in place, or the end in view if the user is reading the end. */
function useScrollPosition(messages: ConversationMessage[]) {
  const box = useRef<HTMLDivElement>(null)
  const position = useRef({ atEnd: true, height: 0, oldest: 0, newest: 0 })
  const [hasUnseen, setHasUnseen] = useState(false)
  const oldest = messages[0]?.id ?? 0
  const newest = messages.at(-1)?.id ?? 0

  function savePosition(): void {
    if (!box.current) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    const atEnd = scrollHeight - scrollTop - clientHeight < nearEndPx
    position.current = { ...position.current, atEnd, height: scrollHeight }
    if (atEnd) setHasUnseen(false)
  }

  function goToEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior: 'instant' })
    box.current?.focus()
  }

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const previous = position.current
    const hasNew = newest !== previous.newest
    if (hasNew && previous.atEnd) element.scrollTop = element.scrollHeight
    else if (oldest !== previous.oldest) element.scrollTop += element.scrollHeight - previous.height
    else if (hasNew) setHasUnseen(true)
    position.current = { ...previous, height: element.scrollHeight, oldest, newest }
  }, [oldest, newest])

  return { box, savePosition, hasUnseen, goToEnd }
}
