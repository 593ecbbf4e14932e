import type { AnchorHTMLAttributes } from 'react'
import { newTab } from '#web/ui/new-tab.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'

interface WhatsAppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** The page is embedded in another site. */
  framed?: boolean | undefined
}

const hasMouse = () => !matchMedia('(pointer: coarse)').matches

/**
 * A link to wa.me. On a touch device it opens the app without a new tab: the tab would stay open and empty, and in-app
 * browsers ignore it. An embedded page always opens a tab, because a frame cannot show wa.me.
 */
export function WhatsAppLink({ framed = false, ...link }: WhatsAppLinkProps) {
  const isHydrated = useHydrated()
  return <a {...link} {...((framed || (isHydrated && hasMouse())) && newTab)} />
}
