// By which words a record is found. The same rules in SQL, for what is stored, and here, for what is asked: accents, case and
// the way a telephone is typed do not matter.
import type { PeopleFilters, PeopleKind } from '#contract/admin/people.ts'
import { canonicalEmail } from '#server/core/canonical-email.ts'
import { fold, nameWords, splitName } from '#server/features/people/folding.ts'

/** Words of different kinds of people never meet in the index: each begins with the letter of its kind. */
const letters: Record<PeopleKind, string> = { assinaturas: 'a', voluntarios: 'v', influenciadores: 'i', lideres: 'l' }

// Without the country and the zeros of a long-distance call. 55 is also an area of Rio Grande do Sul.
const leading = '^0*(55(?=[0-9]{10,11}$))?'
const phoneDigits = (text: string) => text.replace(/\D/g, '').replace(new RegExp(leading), '')
const phoneWords = (column: string) => `
  select case when length(d) >= 10 then 't:' || left(d, 2) || right(d, 8) when length(d) >= 8 then 't:' || right(d, 8) end as phone,
    case when length(d) >= 8 then 'f:' || right(d, 8) end as ending
  from regexp_replace(regexp_replace(${column}, '[^0-9]', '', 'g'), '${leading}', '') as d`

/** Columns of a table that say who somebody is; what a kind of people does not have is absent. */
export interface WordColumns {
  nome: string
  cidade?: string
  estado?: string
  campanha?: string
  tarefas?: string
}

/** SQL for the words of the record `p`. */
export function wordsOf(kind: PeopleKind, { nome, cidade, estado, campanha, tarefas }: WordColumns): string {
  const letter = letters[kind]
  const single = [
    `'e:' || p.email`,
    `'e:' || nullif(p."emailCanonico", p.email)`,
    'phone',
    'ending',
    ...(estado ? [`'uf:' || ${estado}`] : []),
    ...(cidade ? [`'c:' || array_to_string(array_remove(${nameWords(cidade)}, ''), ' ')`] : []),
    ...(campanha ? [`'k:' || ${campanha}`] : []),
  ]
  return `array_to_tsvector(array(
    select '${letter}n:' || word from unnest(${nameWords(nome)}) as word where word <> ''
    union all select '${letter}' || word from (${phoneWords('p.whatsapp')}) as phones, unnest(array[${single}]) as word where word <> ''
    ${tarefas ? `union all select '${letter}q:' || task from unnest(${tarefas}) as task` : ''}))`
}

export interface Asked {
  /** What a record's words must match, as `tsquery`; empty when anybody does. */
  query: string
  /** So few match that looking at the newest first would be in vain. */
  isNarrow: boolean
}

/** What the filters ask of a record's words. */
export function askedWords(kind: PeopleKind, { busca, estado, cidade, campanha, tarefa }: PeopleFilters): Asked {
  const letter = letters[kind]
  const word = (text: string) => `'${(letter + text).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const beginning = (text: string) => `${word(text)}:*`
  const either = (...options: string[]) => `(${options.join(' | ')})`

  function askedName(token: string): string[] {
    // Short beginnings are those of half the country: who types two letters means them.
    const parts = splitName(token).map((part) => {
      if (part.length < 3) return word(`n:${part}`)
      return part.length < 5 ? beginning(`n:${part}`) : either(beginning(`n:${part}`), beginning(`e:${part}`))
    })
    if (!/[\d._-]/.test(token)) return parts
    // Also an address up to wherever its owner stopped typing.
    return [either(beginning(`e:${fold(token)}`), ...(parts.length > 0 ? [`(${parts.join(' & ')})`] : []))]
  }

  const text = busca?.trim() ?? ''
  const digits = phoneDigits(text)
  const isPhone = /^[\d\s()+./-]+$/.test(text) && digits.length >= 8
  const asked: string[] = []
  if (isPhone) {
    const [area, ending] = [digits.slice(0, 2), digits.slice(-8)]
    // Who left the area out is found by who knows it.
    asked.push(digits.length >= 10 ? either(word(`t:${area}${ending}`), word(`t:${ending}`)) : word(`f:${ending}`))
  } else {
    for (const token of text.split(/\s+/).filter(Boolean)) {
      if (!token.includes('@')) asked.push(...askedName(token))
      else asked.push(either(beginning(`e:${fold(token)}`), word(`e:${canonicalEmail(fold(token))}`)))
    }
  }
  // Nothing but signs was typed: nobody has them.
  if (text && asked.length === 0) asked.push(word('n:'))
  if (estado) asked.push(word(`uf:${estado}`))
  if (cidade) asked.push(word(`c:${splitName(cidade).join(' ')}`))
  if (campanha) asked.push(word(`k:${campanha}`))
  if (tarefa) asked.push(word(`q:${tarefa}`))
  return { query: asked.join(' & '), isNarrow: isPhone || text.includes('@') }
}

/** All that came from one mailbox, whichever way it was written. */
export function mailboxWord(kind: PeopleKind, emailCanonico: string): string {
  return `'${letters[kind]}e:${emailCanonico.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
