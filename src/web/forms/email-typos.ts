// Slips in the domain of an e-mail address. Proposes only where the person surely meant one of the usual mailboxes.

// Names that are no word: a slip in the name itself can be told. The number is how many letters of it may be off.
const unmistakable: Record<string, number> = { gmail: 1, yahoo: 1, icloud: 1, hotmail: 2, outlook: 2 }

const usual =
  'gmail.com hotmail.com outlook.com yahoo.com yahoo.com.br icloud.com live.com hotmail.com.br outlook.com.br uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br r7.com zipmail.com.br msn.com me.com aol.com protonmail.com proton.me'.split(
    ' ',
  )

/** Mailboxes and companies that really have these names, one or two letters from a usual one. */
const others = /^(mail|email|ymail|gail|grail|cloud|wahoo|hotmart)\./
/** The same mailboxes in other countries. */
const elsewhere =
  /\.(ar|at|au|be|bo|ca|ch|cl|cn|com\.co|de|dk|ec|es|fr|gr|ie|in|it|jp|mx|nl|no|pe|pt|py|ru|se|uk|us|uy|ve)$/

/** The address that was probably meant, if it is another one. */
export function probableAddress(typed: string): string | undefined {
  const [, local, domain = ''] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(typed.toLowerCase()) ?? []
  if (!local || usual.includes(domain) || others.test(domain) || elsewhere.test(domain)) return undefined
  const name = nameOf(domain)
  // There is only one.
  if (name === 'gmail') return `${local}@gmail.com`
  const [nearest] = usual
    .filter((known) => {
      const slack = unmistakable[nameOf(known)]
      return slips(name, nameOf(known)) <= (slack ?? 0) && slips(domain, known) <= (slack ? 2 : 1)
    })
    .sort((one, other) => slips(domain, one) - slips(domain, other))
  return nearest && `${local}@${nearest}`
}

/** `gmail` of `gmail.com`, of `gmail,com` and of `gmailcom`. */
const nameOf = (domain: string) => (/^[a-z\d-]*/.exec(domain)?.[0] ?? '').replace(/(?<=..)com(br)?$/, '')

/** How many letters are wrong, missing, too many or swapped with the next. */
function slips(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = current
  }
  return above[to.length] ?? 0
}
