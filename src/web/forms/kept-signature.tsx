// A signature that waits on the phone for the network: says so, tries again by itself, and ends as sent or refused.
import { useEffect, useRef, useState } from 'react'
import { messages } from '#contract/messages.ts'
import { sendLater } from '#web/offline/call-worker.ts'
import { dropSignature, keptSignatures, sendKept } from '#web/offline/kept-signatures.ts'

interface KeptSignatureProps {
  requestId: string
  onSent(): void
  onRefused(sentence: string): void
}

/** Networks come back without telling, now and then. */
const retryMs = 20_000

export function KeptSignature({ requestId, onSent, onRefused }: KeptSignatureProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [news, setNews] = useState('')
  const [goesAlone, setGoesAlone] = useState(false)
  const trying = useRef(false)

  async function tryNow(): Promise<void> {
    if (trying.current) return
    trying.current = true
    setNews(messages.offline.trying)
    await sendKept()
    const mine = (await keptSignatures()).find((kept) => kept.requestId === requestId)
    trying.current = false
    if (!mine) return onSent()
    setNews(messages.offline.still)
    if (mine.refused === undefined) return
    await dropSignature(requestId)
    onRefused(mine.refused)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: for as long as this signature waits
  useEffect(() => {
    heading.current?.focus()
    void sendLater().then(setGoesAlone)
    const tryQuietly = () => void (navigator.onLine && document.visibilityState === 'visible' && tryNow())
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
    <section className="card" id="assinar" aria-labelledby="guardada-titulo">
      <h2 id="guardada-titulo" ref={heading} tabIndex={-1}>
        {messages.offline.kept}
      </h2>
      <p>Não conseguimos chegar ao servidor, então ela ficou neste aparelho.</p>
      <p>{goesAlone ? messages.offline.alone : messages.offline.stay}</p>
      <button className="button button-sign" type="button" onClick={() => void tryNow()}>
        Enviar agora
      </button>
      <p role="status">{news}</p>
    </section>
  )
}
