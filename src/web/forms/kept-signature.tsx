// A signature that waits on the phone for the network: says so, tries again by itself, and ends as sent or refused.
// One that an earlier visit has left is not shown before somebody says that it is theirs.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { sendLater } from '#web/offline/call-worker.ts'
import { dropSignature, findKept, type Refused, sendKept } from '#web/offline/kept-signatures.ts'

interface KeptSignatureProps {
  requestId: string
  onSent(): void
  onRefused(refused: Refused): void
  onAnother(): void
  onDelete(): void
}

/** Networks come back without telling, now and then. */
const retryMs = 20_000

/** Enough for its owner to recognise: `m***@example.org`. */
const maskEmail = (email: unknown) => String(email).replace(/^(.).*@/su, '$1***@')

interface KeptQuestionProps {
  email: unknown
  onYes(): void
  onNo(): void
  onDelete(): void
}

export function KeptQuestion({ email, onYes, onNo, onDelete }: KeptQuestionProps) {
  return (
    <section className="card kept" id="assinar" aria-labelledby="pergunta-titulo">
      <h2 id="pergunta-titulo">{messages.offline.whose}</h2>
      <p>{messages.offline.found(maskEmail(email))}</p>
      <button className="button button-sign" type="button" onClick={onYes}>
        Sim, é minha
      </button>
      <button className="button button-paper" type="button" onClick={onNo}>
        Não é minha
      </button>
      <DeleteButton onDelete={onDelete} />
    </section>
  )
}

function DeleteButton({ onDelete }: { onDelete(): void }) {
  return (
    <button className="button button-paper" type="button" onClick={onDelete}>
      Apagar deste aparelho
    </button>
  )
}

export function KeptSignature({ requestId, onSent, onRefused, onAnother, onDelete }: KeptSignatureProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [news, setNews] = useState('')
  const [goesAlone, setGoesAlone] = useState(false)
  const trying = useRef<Promise<void>>(undefined)

  function tryOnce(): Promise<void> {
    trying.current ??= findOut().finally(() => {
      trying.current = undefined
    })
    return trying.current
  }

  /** What became of it, if anything did. */
  async function findOut(): Promise<void> {
    try {
      await sendKept()
      const mine = await findKept(requestId)
      // Somebody else writes here by now: they are neither thanked nor scolded for it.
      if (!heading.current) return
      // Its mark stays: another tab may wait to hear of it.
      if (mine?.sentAt) return onSent()
      // Gone without a word: cleared with the browser's data. Nobody knows whether it arrived.
      const refused = mine ? mine.refused : { message: messages.offline.lost, errors: {} }
      if (!refused) return
      if (mine) await dropSignature(mine)
      onRefused(refused)
    } catch {
      // The phone's storage does not answer: what is in it stays there for the next try.
    }
  }

  async function tryAloud(): Promise<void> {
    setNews(messages.offline.trying)
    await tryOnce()
    setNews(navigator.onLine ? messages.offline.busy : messages.offline.still)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each signature that waits
  useLayoutEffect(() => heading.current?.focus(), [requestId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: for as long as this signature waits
  useEffect(() => {
    void sendLater().then(setGoesAlone)
    const tryQuietly = () => void (navigator.onLine && document.visibilityState === 'visible' && tryOnce())
    tryQuietly()
    const timer = setInterval(tryQuietly, retryMs)
    addEventListener('online', tryQuietly)
    document.addEventListener('visibilitychange', tryQuietly)
    return () => {
      clearInterval(timer)
      removeEventListener('online', tryQuietly)
      document.removeEventListener('visibilitychange', tryQuietly)
    }
  }, [requestId])

  return (
    <section className="card kept" id="assinar" aria-labelledby="guardada-titulo">
      <h2 id="guardada-titulo" ref={heading} tabIndex={-1}>
        {messages.offline.kept}
      </h2>
      <p>Não conseguimos chegar ao servidor, então ela ficou neste aparelho.</p>
      <p>{goesAlone ? messages.offline.alone : messages.offline.stay}</p>
      <button className="button button-sign" type="button" onClick={() => void tryAloud()}>
        Enviar agora
      </button>
      <p role="status">{news}</p>
      <button className="button button-paper" type="button" onClick={onAnother}>
        Assinar com outro e-mail
      </button>
      <DeleteButton onDelete={onDelete} />
    </section>
  )
}
