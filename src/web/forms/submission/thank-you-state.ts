// After a plain form the thank-you view has its own URL. Other people who receive this URL should see the form, so
// hydration removes it from the address bar and stores the view in the tab's history entry, where it survives a reload.
import { type ThanksAudience, thanksView } from '#contract/page.ts'

interface HistoryState {
  thanked?: ThanksAudience | undefined
}

export const storedThanks = (): ThanksAudience | undefined => (history.state as HistoryState | null)?.thanked

export function rememberThanks(thanked: ThanksAudience | undefined): void {
  // The URL of a frame is not visible, and in some frames browsers refuse to change it.
  if (parent !== window) return
  const url = new URL(location.href)
  url.searchParams.delete(thanksView)
  history.replaceState({ ...history.state, thanked }, '', url)
}
