const maxLength = 30

/** Uses only the letters of the first word: a stranger may have typed the name, and it must not contain a link. */
export function greeting(name: string): string {
  const [first = ''] = name
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{M}'’-]/gu, ''))
    .filter((word) => /\p{L}{2}/u.test(word) && word.length <= maxLength)
  return first ? `Oi, ${first}!` : 'Oi!'
}
