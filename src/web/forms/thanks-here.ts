// Thanks after a plain form have an address of their own, which is not for others: who is sent it is to find the form. Once the page is
// alive it leaves the address bar, and only this tab remembers, also when it is loaded anew.
import { type Thanked, thanksView } from '#contract/page.ts'

interface Remembered {
  thanked?: Thanked | undefined
}

export const thanksHere = (): Thanked | undefined => (history.state as Remembered | null)?.thanked

export function rememberThanks(thanked: Thanked | undefined): void {
  // Nobody sees the address of a frame, and in some of them browsers let nobody change it.
  if (parent !== window) return
  const address = new URL(location.href)
  address.searchParams.delete(thanksView)
  history.replaceState({ ...history.state, thanked }, '', address)
}
