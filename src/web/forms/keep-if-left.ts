// While a form is on its way, whoever turns away may never come back: the phone then keeps it, until the answer is here.
/** A request as it can be kept and sent later. */
export interface KeptRequest {
  requestId: string
  path: string
  body: unknown
}

export interface Keeping {
  /** Puts away what could not leave the phone; a form without it says that there is no connection. */
  keep?: ((request: KeptRequest) => Promise<void>) | undefined
  /** Throws away what was kept for somebody who turned away, and stayed after all. */
  drop?: ((requestId: string) => Promise<void>) | undefined
}

/** To be called once it is answered: forgets what was kept. */
export function keepIfLeft(request: KeptRequest, { keep, drop }: Keeping): () => Promise<void> {
  let keeping: Promise<void> | undefined
  const look = () => {
    if (document.visibilityState === 'hidden') keeping ??= keep?.(request).catch(() => {})
  }
  document.addEventListener('visibilitychange', look)
  return async () => {
    document.removeEventListener('visibilitychange', look)
    if (!keeping) return
    await keeping
    await drop?.(request.requestId).catch(() => {})
  }
}
