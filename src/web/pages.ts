// The page components by name, for the server; the browser is told the file of the one it needs.
import type { ComponentType } from 'react'

export type PageName = 'petitions/petition-page' | 'problems/problem-page'

const modules = import.meta.glob<{ default: ComponentType }>('./pages/*/*-page.tsx')

export async function loadPage(name: PageName): Promise<ComponentType> {
  const load = modules[`./pages/${name}.tsx`]
  if (!load) throw new Error(`no page ${name}`)
  return (await load()).default
}

/** Key of a page in the build's manifest. */
export const pageSource = (name: PageName) => `src/web/pages/${name}.tsx`
