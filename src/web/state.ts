import type { PageContext } from '#web/api/page-context.ts'
import type { StoreState } from '#web/api/store.ts'

/** Embedded as JSON in the rendered page; the browser hydrates the page from it. */
export interface PageState {
  visit: PageContext
  known: StoreState
}
