// What was said, as a chat. What is being read stays in its place: older messages come above it, new ones below.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ConversationMessage } from '#contract/admin/conversations.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { sentenceOf } from '#web/admin/api.ts'
import { dayOf, hourOf } from '#web/admin/conversations/times.ts'
import { useMessages } from '#web/admin/conversations/use-messages.ts'
import { Empty, Failure, Waiting } from '#web/admin/ui/states.tsx'

const { conversations: sentences } = adminMessages
/** So near to the end one is reading the newest. */
const nearPx = 80
/** So long after a change screen readers have looked what kind of change it was. */
const hearingMs = 1_000

interface ChatProps {
  id: string
  person: string
}

export function Chat({ id, person }: ChatProps) {
  const { history, messages } = useMessages(id)
  const { box, notePlace, unseen, goToEnd } = useReadingPlace(messages)
  const isOlderComing = history.isFetchingNextPage
  const quiet = useQuiet(isOlderComing, box)
  return (
    <section className="chat" aria-label="Mensagens">
      {history.error && (
        <Failure onRetry={() => void history.refetch()}>{sentenceOf(history.error, sentences.failed)}</Failure>
      )}
      {history.isPending && <Waiting />}
      {history.data && messages.length === 0 && <Empty>Ainda não há mensagens nesta conversa.</Empty>}
      {messages.length > 0 && (
        <div
          className="chat-box"
          ref={box}
          onScroll={notePlace}
          role="log"
          aria-live={quiet ? 'off' : undefined}
          aria-label="Mensagens da conversa"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is read by scrolling, also with keys
          tabIndex={0}
        >
          {history.hasNextPage && (
            <button
              type="button"
              className="button small"
              aria-disabled={isOlderComing || undefined}
              onClick={() => isOlderComing || void history.fetchNextPage()}
            >
              {isOlderComing ? 'Carregando...' : 'Mensagens anteriores'}
            </button>
          )}
          {byDay(messages).map(([day, said]) => (
            <section key={day} aria-label={day}>
              <h2 className="day">{day}</h2>
              <ol>
                {said.map((message) => (
                  <Balloons key={message.id} message={message} person={person} />
                ))}
              </ol>
            </section>
          ))}
        </div>
      )}
      {unseen && (
        <button type="button" className="button small button-yellow chat-end" onClick={goToEnd}>
          Mensagem nova ↓
        </button>
      )}
    </section>
  )
}

function byDay(messages: ConversationMessage[]): [day: string, said: ConversationMessage[]][] {
  const days = new Map<string, ConversationMessage[]>()
  for (const message of messages) {
    const day = dayOf(message.quando)
    const said = days.get(day)
    if (said) said.push(message)
    else days.set(day, [message])
  }
  return [...days]
}

/** What was said long ago is no news to those who hear the page. */
function useQuiet(isOlderComing: boolean, box: RefObject<HTMLElement | null>): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    if (isOlderComing) setQuiet(true)
    if (isOlderComing || !quiet) return
    // With the oldest of them the button that was pressed is gone.
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true })
    const timer = setTimeout(() => setQuiet(false), hearingMs)
    return () => clearTimeout(timer)
  }, [isOlderComing, quiet, box])
  return quiet
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

/** Keeps what is on the screen where it is, or the end in sight for who reads the end. */
function useReadingPlace(messages: ConversationMessage[]) {
  const box = useRef<HTMLDivElement>(null)
  const reading = useRef({ atEnd: true, height: 0, oldest: 0, newest: 0 })
  const [unseen, setUnseen] = useState(false)
  const oldest = messages[0]?.id ?? 0
  const newest = messages.at(-1)?.id ?? 0

  function notePlace(): void {
    if (!box.current) return
    const { scrollHeight, scrollTop, clientHeight } = box.current
    const atEnd = scrollHeight - scrollTop - clientHeight < nearPx
    reading.current = { ...reading.current, atEnd, height: scrollHeight }
    if (atEnd) setUnseen(false)
  }

  function goToEnd(): void {
    box.current?.scrollTo({ top: box.current.scrollHeight, behavior: 'instant' })
    box.current?.focus()
  }

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const before = reading.current
    const isAnswered = newest !== before.newest
    if (isAnswered && before.atEnd) element.scrollTop = element.scrollHeight
    else if (oldest !== before.oldest) element.scrollTop += element.scrollHeight - before.height
    else if (isAnswered) setUnseen(true)
    reading.current = { ...before, height: element.scrollHeight, oldest, newest }
  }, [oldest, newest])

  return { box, notePlace, unseen, goToEnd }
}
