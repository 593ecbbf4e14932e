import { type ComponentType, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { fetchFromBrowser } from '#web/api/client.ts'
import { reportErrors } from '#web/api/report-errors.ts'
import { createStore } from '#web/api/store.ts'
import { captureInput } from '#web/forms/hydration/restore-input.ts'
import { keepServerMarkup } from '#web/forms/hydration/server-markup.ts'
import { keepOriginInLinks } from '#web/forms/submission/page-origin.ts'
import { PageRoot } from '#web/page-root.tsx'
import type { PageState } from '#web/state.ts'
import '#web/ui/base.css'

// Schemas compiled at run time would violate the page's Content Security Policy.
config({ jitless: true })

export async function hydratePage(): Promise<void> {
  const root = document.getElementById('pagina')
  const state = document.getElementById('estado-da-pagina')?.textContent
  if (!root?.dataset.modulo || !state) return
  reportErrors(() => root.dataset.rota)
  keepOriginInLinks()
  const { visit: context, known: data } = JSON.parse(state) as PageState
  const store = createStore(fetchFromBrowser, data)
  const { default: page }: { default: ComponentType } = await import(/* @vite-ignore */ root.dataset.modulo)
  const restoreInput = captureInput(root)
  const restoreServerPage = keepServerMarkup(root)
  // In a transition React yields to the browser every few milliseconds. Otherwise a slow phone cannot react to a tap
  // until the whole page is hydrated.
  startTransition(() => {
    hydrateRoot(root, <PageRoot store={store} context={context} page={page} onHydrated={restoreInput} />, {
      // After an uncaught error React leaves an empty page.
      onUncaughtError(error) {
        restoreServerPage()
        reportError(error)
      },
    })
  })
}
