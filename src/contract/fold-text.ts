// Text as hurried thumbs write it: accents, case, hyphens and apostrophes make no difference.
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim()
}
