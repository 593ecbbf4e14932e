import { lazyPart } from '#web/ui/lazy-part.tsx'
import '#web/ui/share-kit.css'

export const AlsoSign = lazyPart<{ signed?: string }>(
  () => import('#web/forms/also-sign-list.tsx').then(({ AlsoSignList }) => AlsoSignList),
  { isInteractive: false },
)
