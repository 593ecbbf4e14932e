// A page with everything it stands on; the same tree on the server and in the browser.
import { type ComponentType, useEffect, useLayoutEffect } from 'react'
import { type Store, StoreContext } from '#web/api/store.ts'
import { type Visit, VisitContext } from '#web/api/visit.ts'

interface PageRootProps {
  store: Store
  visit: Visit
  page: ComponentType
  onAlive?(): void
}

export function PageRoot({ store, visit, page: Page, onAlive }: PageRootProps) {
  // Before the next key can be pressed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => onAlive?.(), [])
  useEffect(() => {
    // Says that the page answers by itself now, to whoever waits for it.
    document.documentElement.dataset.viva = 'sim'
  }, [])
  return (
    <StoreContext value={store}>
      <VisitContext value={visit}>
        <Page />
      </VisitContext>
    </StoreContext>
  )
}
