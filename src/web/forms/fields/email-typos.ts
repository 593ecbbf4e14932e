// Typos in the domain of an e-mail address. Suggests a correction only if the user surely meant a common provider.

// Names that are not words, so that a typo in the name itself can be recognised. The value is the limit of typos.
const distinctive: Record<string, number> = { gmail: 1, yahoo: 1, icloud: 1, hotmail: 2, outlook: 2 }

const providers =
  'gmail.com hotmail.com outlook.com yahoo.com yahoo.com.br icloud.com live.com hotmail.com.br outlook.com.br uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br r7.com zipmail.com.br msn.com me.com aol.com protonmail.com proton.me'.split(
    ' ',
  )

/** Providers and companies that really have these names, one or two letters from a common provider. */
const similarNames = /^(mail|email|ymail|gail|grail|cloud|wahoo|hotmart)\./
/** The same providers in other countries. */
const foreign =
  /\.(ar|at|au|be|bo|ca|ch|cl|cn|com\.co|de|dk|ec|es|fr|gr|ie|in|it|jp|mx|nl|no|pe|pt|py|ru|se|uk|us|uy|ve)$/

/** The address that the user probably meant, if it is different. */
export function probableAddress(typed: string): string | undefined {
  const [, local, domain = ''] = /^\s*([^@\s]+)@([^@\s]+)\s*$/.exec(typed.toLowerCase()) ?? []
  if (!local || providers.includes(domain) || similarNames.test(domain) || foreign.test(domain)) return undefined
  const name = nameOf(domain)
  // This provider has only one domain.
  if (name === 'gmail') return `${local}@gmail.com`
  const [nearest] = providers
    .filter((provider) => {
      const maxTypos = distinctive[nameOf(provider)]
      return countTypos(name, nameOf(provider)) <= (maxTypos ?? 0) && countTypos(domain, provider) <= (maxTypos ? 2 : 1)
    })
    .sort((one, other) => countTypos(domain, one) - countTypos(domain, other))
  return nearest && `${local}@${nearest}`
}

/** `gmail` of `gmail.com`, of `gmail,com` and of `gmailcom`. */
const nameOf = (domain: string) => (/^[a-z\d-]*/.exec(domain)?.[0] ?? '').replace(/(?<=..)com(br)?$/, '')

/** Edit distance: letters that are wrong, missing, superfluous or swapped with the next one. */
function countTypos(from: string, to: string): number {
  let twoAbove: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const equal = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (equal ? 0 : 1),
        swapped ? (twoAbove[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoAbove = above
    above = current
  }
  return above[to.length] ?? 0
}
