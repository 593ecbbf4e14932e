// Takes over the page that the server drew.
import type { ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { config } from 'zod/mini'
import { fetchFromBrowser } from '#web/api/client.ts'
import { createStore } from '#web/api/store.ts'
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
  const { visit, known } = JSON.parse(state) as PageState
  const store = createStore(fetchFromBrowser, known)
  const { default: page }: { default: ComponentType } = await import(/* @vite-ignore */ root.dataset.modulo)
  const putBack = typedIn(root)
  hydrateRoot(root, <PageRoot store={store} visit={visit} page={page} onAlive={putBack} />)
}
