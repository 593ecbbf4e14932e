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
  /** What was kept for somebody who turned away, and stayed after all, has arrived: another tab may wait to hear of it. */
  markSent?: ((request: KeptRequest) => Promise<void>) | undefined
  /** Throws it away. */
  drop?: ((request: KeptRequest) => Promise<void>) | undefined
}

/** To be called once it is answered, with what is to be done if it was kept. */
export function keepIfLeft(
  request: KeptRequest,
  keep: Keeping['keep'],
): (settle: Keeping['markSent' | 'drop']) => Promise<void> {
  let keeping: Promise<void> | undefined
  const look = () => {
    if (document.visibilityState === 'hidden') keeping ??= keep?.(request).catch(() => {})
  }
  document.addEventListener('visibilitychange', look)
  return async (settle) => {
    document.removeEventListener('visibilitychange', look)
    if (!keeping) return
    await keeping
    await settle?.(request).catch(() => {})
  }
}
