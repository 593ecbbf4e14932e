// Splits the sanitised HTML of a manifesto into blocks of plain text, for documents without HTML.
export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'item' | 'quote'
  text: string
  /** Of an item: a bullet or its number. */
  mark?: string
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ' }
const tokens = /<(\/?)([a-z0-9]+)[^>]*>|[^<]+/gi
const kinds: Record<string, TextBlock['kind']> = {
  ...{ h2: 'heading', h3: 'heading', h4: 'heading', li: 'item', blockquote: 'quote' },
}
const blockTags = new Set(['p', 'h2', 'h3', 'h4', 'li', 'ul', 'ol', 'blockquote', 'hr'])

/** Images are left out. Bold and links keep their text. */
export function textBlocks(html: string): TextBlock[] {
  const blocks: TextBlock[] = []
  /** Open block tags that give a text its kind. */
  const open: string[] = []
  /** The next number of each open list; undefined for bullets. */
  const lists: (number | undefined)[] = []
  let text = ''
  let mark: string | undefined

  function close(): void {
    const line = text.replace(/[^\S\n]+/g, ' ').trim()
    text = ''
    if (!line) return
    const kind = open.map((tag) => kinds[tag]).findLast((each) => each !== undefined) ?? 'paragraph'
    blocks.push({ kind, text: line, ...(kind === 'item' && mark && { mark }) })
    mark = undefined
  }

  for (const [token, slash, name] of html.matchAll(tokens)) {
    const tag = name?.toLowerCase()
    if (tag === undefined) text += token.replace(/&\w+;/g, (entity) => entities[entity] ?? entity)
    else if (tag === 'br') text += '\n'
    else if (blockTags.has(tag)) {
      close()
      if (slash) {
        open.splice(open.lastIndexOf(tag), 1)
        if (tag === 'ul' || tag === 'ol') lists.pop()
      } else if (tag !== 'hr') {
        open.push(tag)
        if (tag === 'ul' || tag === 'ol') lists.push(tag === 'ol' ? 1 : undefined)
        if (tag === 'li') mark = nextMark(lists)
      }
    }
  }
  close()
  return blocks
}

function nextMark(lists: (number | undefined)[]): string {
  const number = lists.at(-1)
  if (number === undefined) return '•'
  lists[lists.length - 1] = number + 1
  return `${number}.`
}
