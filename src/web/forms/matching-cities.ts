// Which cities somebody may be typing.
import { foldText } from '#contract/fold-text.ts'

/** As many as fit between a field and the keyboard of a small phone. */
const most = 5

/** Names that begin with what was typed, then those of which another word does. None for a name that is already complete. */
export function matchingCities(names: readonly string[], typed: string): string[] {
  const wanted = foldText(typed)
  if (names.includes(typed.trim()) || (!wanted && names.length > most)) return []
  const beginning = names.filter((name) => foldText(name).startsWith(wanted))
  const within = names.filter((name) => foldText(name).includes(` ${wanted}`))
  return [...new Set([...beginning, ...within])].slice(0, most)
}
