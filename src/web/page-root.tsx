import { type ComponentType, useEffect, useLayoutEffect } from 'react'
import { type PageContext, PageContextContext } from '#web/api/page-context.ts'
import { type Store, StoreContext } from '#web/api/store.ts'

interface PageRootProps {
  store: Store
  context: PageContext
  page: ComponentType
  onHydrated?(): void
}

/** The same tree on the server and in the browser, as hydration requires. */
export function PageRoot({ store, context, page: Page, onHydrated }: PageRootProps) {
  // A layout effect, so that it runs before the next key press.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useLayoutEffect(() => onHydrated?.(), [])
  useEffect(() => {
    // Tells styles, scripts and tests that the page is hydrated.
    document.documentElement.dataset.viva = 'sim'
  }, [])
  return (
    <StoreContext value={store}>
      <PageContextContext value={context}>
        <Page />
      </PageContextContext>
    </StoreContext>
  )
}
