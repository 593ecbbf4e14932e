// What is left of a name that a stranger may have typed: the first word, letters only, so that it can hold no link and no order.
const longest = 30

export function greeting(name: string): string {
  const [first = ''] = name
    .normalize('NFC')
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{M}'’-]/gu, ''))
    .filter((word) => /\p{L}{2}/u.test(word) && word.length <= longest)
  return first ? `Oi, ${first}!` : 'Oi!'
}
