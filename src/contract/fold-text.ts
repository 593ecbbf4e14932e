/** Removes accents and capitals. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Folds text for comparison: ignores accents, case, hyphens and apostrophes. */
export function foldText(text: string): string {
  return foldAccents(text)
    .replace(/[^a-z\d]+/g, ' ')
    .trim()
}
