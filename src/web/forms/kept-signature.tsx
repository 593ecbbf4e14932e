// A signature that waits on the device for the network: retried automatically, until it is sent or refused.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { dropSignature, findKept, type Refused, sendKept } from '#web/offline/kept-signatures.ts'
import { requestBackgroundSync } from '#web/offline/register-worker.ts'

interface KeptSignatureProps {
  requestId: string
  onSent(): void
  onRefused(refused: Refused): void
  onAnother(): void
  onDelete(): void
}

/** The network may come back without an `online` event. */
const retryMs = 20_000

/** `m***@example.org`: enough for the owner to recognise it. */
const maskEmail = (email: unknown) => String(email).replace(/^(.).*@/su, '$1***@')

interface KeptQuestionProps {
  email: unknown
  onYes(): void
  onNo(): void
  onDelete(): void
}

/** Asks whether a signature from an earlier visit belongs to the user, before it is shown as waiting. */
export function KeptQuestion({ email, onYes, onNo, onDelete }: KeptQuestionProps) {
  return (
    <section className="card kept" id="assinar" aria-labelledby="pergunta-titulo">
      <h2 id="pergunta-titulo">{messages.offline.whose}</h2>
      <p>{messages.offline.found(maskEmail(email))}</p>
      <button className="button button-sign submit" type="button" onClick={onYes}>
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
  const [status, setStatus] = useState('')
  const [sendsInBackground, setSendsInBackground] = useState(false)
  const attempt = useRef<Promise<void>>(undefined)

  function tryOnce(): Promise<void> {
    attempt.current ??= sendAndCheck().finally(() => {
      attempt.current = undefined
    })
    return attempt.current
  }

  async function sendAndCheck(): Promise<void> {
    try {
      await sendKept()
      const kept = await findKept(requestId)
      // Unmounted: another person may use the form now, and must not see the result.
      if (!heading.current) return
      // The record stays: another tab may wait for the result.
      if (kept?.sentAt) return onSent()
      // Deleted with the browser's data: it is unknown whether the signature arrived.
      const refused = kept ? kept.refused : { message: messages.offline.lost, errors: {} }
      if (!refused) return
      if (kept) await dropSignature(kept)
      onRefused(refused)
    } catch {
      // The storage of the device failed: the signature stays there for the next attempt.
    }
  }

  async function retryVisibly(): Promise<void> {
    setStatus(messages.offline.trying)
    await tryOnce()
    setStatus(navigator.onLine ? messages.offline.busy : messages.offline.still)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each waiting signature
  useLayoutEffect(() => heading.current?.focus(), [requestId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: while this signature waits
  useEffect(() => {
    void requestBackgroundSync().then(setSendsInBackground)
    const retrySilently = () => void (navigator.onLine && document.visibilityState === 'visible' && tryOnce())
    retrySilently()
    const timer = setInterval(retrySilently, retryMs)
    addEventListener('online', retrySilently)
    document.addEventListener('visibilitychange', retrySilently)
    return () => {
      clearInterval(timer)
      removeEventListener('online', retrySilently)
      document.removeEventListener('visibilitychange', retrySilently)
    }
  }, [requestId])

  return (
    <section className="card kept" id="assinar" aria-labelledby="guardada-titulo">
      <h2 id="guardada-titulo" ref={heading} tabIndex={-1}>
        {messages.offline.kept}
      </h2>
      <p>Não conseguimos chegar ao servidor, então ela ficou neste aparelho.</p>
      <p>{sendsInBackground ? messages.offline.alone : messages.offline.stay}</p>
      <button className="button button-sign submit" type="button" onClick={() => void retryVisibly()}>
        Enviar agora
      </button>
      <p role="status">{status}</p>
      <button className="button button-paper" type="button" onClick={onAnother}>
        Assinar com outro e-mail
      </button>
      <DeleteButton onDelete={onDelete} />
    </section>
  )
}
