// What travels from the rendered page to the browser, so that it can take the page over.
import type { StoreState } from '#web/api/store.ts'
import type { Visit } from '#web/api/visit.ts'

export interface PageState {
  visit: Visit
  known: StoreState
}
