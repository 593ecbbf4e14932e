import { lazyPart } from '#web/ui/lazy-part.tsx'

export const AlsoSign = lazyPart<{ signed?: string }>(
  () => import('#web/forms/also-sign-list.tsx').then(({ AlsoSignList }) => AlsoSignList),
  { isInteractive: false },
)
