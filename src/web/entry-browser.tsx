// Takes over the page that the server drew.
import type { ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { fetchFromBrowser } from '#web/api/client.ts'
import { reportErrors } from '#web/api/report-errors.ts'
import { createStore } from '#web/api/store.ts'
import { keepServerPage } from '#web/forms/server-page.ts'
import { typedIn } from '#web/forms/typed-in.ts'
import { PageRoot } from '#web/page-root.tsx'
import type { PageState } from '#web/state.ts'
import '#web/ui/base.css'

// Schemas compiled at run time would break the page's policy.
config({ jitless: true })

export async function takeOver(): Promise<void> {
  const root = document.getElementById('pagina')
  const state = document.getElementById('estado-da-pagina')?.textContent
  if (!root?.dataset.modulo || !state) return
  reportErrors(() => root.dataset.rota)
  const { visit, known } = JSON.parse(state) as PageState
  const store = createStore(fetchFromBrowser, known)
  const { default: page }: { default: ComponentType } = await import(/* @vite-ignore */ root.dataset.modulo)
  const putBack = typedIn(root)
  const restoreServerPage = keepServerPage(root)
  hydrateRoot(root, <PageRoot store={store} visit={visit} page={page} onAlive={putBack} />, {
    // React leaves an empty page behind.
    onUncaughtError(error) {
      restoreServerPage()
      reportError(error)
    },
  })
}
