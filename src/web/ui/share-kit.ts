import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { ShareKitProps } from '#web/ui/share-kit-links.tsx'
import './share-kit.css'

/** The share links of a page. The server renders the links; copying and the share sheet of the phone need the code. */
export const ShareKit = lazyPart<ShareKitProps>(
  () => import('#web/ui/share-kit-links.tsx').then(({ ShareKitLinks }) => ShareKitLinks),
  { isInteractive: true },
)
