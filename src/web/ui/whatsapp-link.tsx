// A link to wa.me. A touch device opens the app: a tab of its own would stay behind empty, and in-app browsers ignore it. Another page
// cannot be shown inside a frame, which therefore always opens a tab.
import { type AnchorHTMLAttributes, useSyncExternalStore } from 'react'

interface WhatsAppLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** The page stands in a frame. */
  framed?: boolean | undefined
}

const never = () => () => {}
const hasMouse = () => !matchMedia('(pointer: coarse)').matches

export function WhatsAppLink({ framed = false, ...link }: WhatsAppLinkProps) {
  const opensTab = useSyncExternalStore(
    never,
    () => framed || hasMouse(),
    () => framed,
  )
  return <a {...link} {...(opensTab && { target: '_blank', rel: 'noopener noreferrer' })} />
}
