import { useState } from 'react'

export type Selection = ReturnType<typeof useSelection>

/** The selected rows of a page, or all people of the filter. `scope`: a change of it clears the selection. */
export function useSelection(scope: string) {
  const [state, setState] = useState<{ scope: string; ids: string[]; isEverything: boolean }>({
    ...{ scope, ids: [], isEverything: false },
  })
  const current = state.scope === scope ? state : { scope, ids: [], isEverything: false }
  const select = (ids: string[], isEverything = false) => setState({ scope, ids, isEverything })
  return {
    ids: current.ids,
    isEverything: current.isEverything,
    has: (id: string) => current.isEverything || current.ids.includes(id),
    select,
    selectEverything: () => select([], true),
    toggle: (id: string) =>
      select(current.ids.includes(id) ? current.ids.filter((other) => other !== id) : [...current.ids, id]),
    clear: () => select([]),
  }
}
