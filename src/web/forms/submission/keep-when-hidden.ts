/** A request that can be stored and sent later. */
export interface KeptRequest {
  requestId: string
  path: string
  body: unknown
}

export interface OfflineStorage {
  /** Stores a request that could not be sent. A form without this function reports that there is no connection. */
  keep?: ((request: KeptRequest) => Promise<void>) | undefined
  /** Marks a stored request as sent, if the hidden page still got the reply. Another tab may wait for the mark. */
  markSent?: ((request: KeptRequest) => Promise<void>) | undefined
  drop?: ((request: KeptRequest) => Promise<void>) | undefined
}

/** Stores the request if the page is hidden before the reply arrives: the user may never come back. */
export async function keepWhenHidden<Reply>(
  request: KeptRequest,
  { keep, markSent, drop }: OfflineStorage,
  reply: Promise<Reply>,
): Promise<Reply> {
  let storing: Promise<void> | undefined
  let settle = drop
  const storeIfHidden = () => {
    if (document.visibilityState === 'hidden') storing ??= keep?.(request).catch(() => {})
  }
  document.addEventListener('visibilitychange', storeIfHidden)
  try {
    await reply
    settle = markSent
    return reply
  } finally {
    document.removeEventListener('visibilitychange', storeIfHidden)
    await storing
    if (storing) await settle?.(request).catch(() => {})
  }
}
