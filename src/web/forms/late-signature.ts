import { lazyPart } from '#web/ui/lazy-part.tsx'

export const LateSignature = lazyPart<{ path: string }>(
  () => import('#web/forms/late-signature-notice.tsx').then(({ LateSignatureNotice }) => LateSignatureNotice),
  { isInteractive: true },
)
