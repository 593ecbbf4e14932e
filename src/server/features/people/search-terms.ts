// The search terms of records. The same rules exist in SQL for stored records and in JavaScript for queries: accents,
// case and the format of phone numbers do not matter.
import type { PeopleFilters, PeopleKind } from '#contract/admin/people.ts'
import { canonicalizeEmail } from '#server/core/canonical-email.ts'
import { foldLatin } from '#server/db/accent-folding.ts'
import { peopleDescriptors } from '#server/db/people-descriptors.ts'
import { nameWords, splitName } from '#server/features/people/name-words.ts'

// The zeros of a long-distance call and the country code. 55 is also an area code in Rio Grande do Sul.
const leadingDigits = '^0*(55(?=[0-9]{10,11}$))?'
const phoneDigits = (text: string) => text.replace(/\D/g, '').replace(new RegExp(leadingDigits), '')
const phoneTerms = (column: string) => `
  select case when length(d) >= 10 then 't:' || left(d, 2) || right(d, 8) when length(d) >= 8 then 't:' || right(d, 8) end as phone,
    case when length(d) >= 8 then 'f:' || right(d, 8) end as ending
  from regexp_replace(regexp_replace(${column}, '[^0-9]', '', 'g'), '${leadingDigits}', '') as d`

/** SQL for the search terms of the record `p`. `columns`: the expression of each column that the kind has. */
export function searchVector(letter: string, columns: ReadonlyMap<string, string>): string {
  const [nome = '', cidade, estado, campanha, tarefas] = ['nome', 'cidade', 'estado', 'campanha', 'tarefas'].map(
    (key) => columns.get(key),
  )
  const singleTerms = [
    `'e:' || p.email`,
    `'e:' || nullif(p."canonicalEmail", p.email)`,
    'phone',
    'ending',
    ...(estado ? [`'uf:' || ${estado}`] : []),
    ...(cidade ? [`'c:' || array_to_string(array_remove(${nameWords(cidade)}, ''), ' ')`] : []),
    ...(campanha ? [`'k:' || ${campanha}`] : []),
    `'o:' || lower(p.origem)`,
  ]
  return `array_to_tsvector(array(
    select '${letter}n:' || word from unnest(${nameWords(nome)}) as word where word <> ''
    union all select '${letter}' || word from (${phoneTerms('p.whatsapp')}) as phones, unnest(array[${singleTerms}]) as word where word <> ''
    ${tarefas ? `union all select '${letter}q:' || task from unnest(${tarefas}) as task` : ''}))`
}

interface SearchQuery {
  /** As `tsquery`; empty if every record matches. */
  query: string
  /** So few records match that scanning the newest first would be useless. */
  isNarrow: boolean
}

/** Translates the filters into a query on the search terms. */
export function searchQuery(kind: PeopleKind, filters: PeopleFilters): SearchQuery {
  const { busca, estado, cidade, campanha, tarefa, origem } = filters
  const letter = peopleDescriptors[kind].searchLetter
  const term = (text: string) => `'${(letter + text).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const prefix = (text: string) => `${term(text)}:*`
  const anyOf = (...options: string[]) => `(${options.join(' | ')})`

  function nameTerms(token: string): string[] {
    const parts = splitName(token).map((part) => {
      // Short prefixes match too many names, so one or two letters match only a whole word. E-mail addresses often
      // begin with a first name and are all different, so only longer parts are searched among them.
      if (part.length < 3) return term(`n:${part}`)
      return part.length < 8 ? prefix(`n:${part}`) : anyOf(prefix(`n:${part}`), prefix(`e:${part}`))
    })
    if (!/[\d._-]/.test(token)) return parts
    // The token can also be the beginning of an e-mail address.
    return [anyOf(prefix(`e:${foldLatin(token)}`), ...(parts.length > 0 ? [`(${parts.join(' & ')})`] : []))]
  }

  const text = busca?.trim() ?? ''
  const digits = phoneDigits(text)
  const isPhone = /^[\d\s()+./-]+$/.test(text) && digits.length >= 8
  const conditions: string[] = []
  if (isPhone) {
    const [area, ending] = [digits.slice(0, 2), digits.slice(-8)]
    // Also matches numbers that are stored without area code.
    conditions.push(digits.length >= 10 ? anyOf(term(`t:${area}${ending}`), term(`t:${ending}`)) : term(`f:${ending}`))
  } else {
    for (const token of text.split(/\s+/).filter(Boolean)) {
      if (!token.includes('@')) conditions.push(...nameTerms(token))
      else conditions.push(anyOf(prefix(`e:${foldLatin(token)}`), term(`e:${canonicalizeEmail(foldLatin(token))}`)))
    }
  }
  // The text contains only punctuation, which matches no record.
  if (text && conditions.length === 0) conditions.push(term('n:'))
  if (estado) conditions.push(term(`uf:${estado}`))
  if (cidade) conditions.push(term(`c:${splitName(cidade).join(' ')}`))
  if (campanha) conditions.push(term(`k:${campanha}`))
  if (tarefa) conditions.push(term(`q:${tarefa}`))
  if (origem) conditions.push(term(`o:${origem.toLowerCase()}`))
  return { query: conditions.join(' & '), isNarrow: isPhone || text.includes('@') }
}

/** Matches all records of one mailbox, in any spelling. */
export function mailboxTerm(kind: PeopleKind, canonicalEmail: string): string {
  return `'${peopleDescriptors[kind].searchLetter}e:${canonicalEmail.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
