import { foldText } from '#contract/fold-text.ts'

/** As many as fit between the field and the keyboard of a small phone. */
const maxSuggestions = 5

/** Names that begin with the typed text, then names with another word that does. None if the typed name is complete. */
export function matchingCities(names: readonly string[], typed: string): string[] {
  const query = foldText(typed)
  if (names.includes(typed.trim()) || (!query && names.length > maxSuggestions)) return []
  const beginning = names.filter((name) => foldText(name).startsWith(query))
  const inside = names.filter((name) => foldText(name).includes(` ${query}`))
  return [...new Set([...beginning, ...inside])].slice(0, maxSuggestions)
}
