// What changed in a manifesto, paragraph by paragraph.
export interface Change {
  kind: 'same' | 'added' | 'removed'
  text: string
}

const blocks = /<\/?(?:p|h[2-4]|li|ul|ol|blockquote|hr)\b[^>]*>/i
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&nbsp;': ' ', '&quot;': '"' }

function paragraphs(html: string): string[] {
  return html
    .replace(/<br[^>]*>/gi, ' ')
    .replace(/<img[^>]*>/gi, '[imagem]')
    .split(blocks)
    .map((text) =>
      text
        .replace(/<[^>]+>/g, '')
        .replace(/&\w+;/g, (entity) => entities[entity] ?? entity)
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
}

/** The longest run of paragraphs that both have stays; the rest went or came. */
export function textChanges(before: string, after: string): Change[] {
  const [old, young] = [paragraphs(before), paragraphs(after)]
  const common = Array.from({ length: old.length + 1 }, () => new Uint16Array(young.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = young.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }

  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      changes.push({ kind: 'same', text: old[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= young.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      changes.push({ kind: 'removed', text: old[i++] ?? '' })
    else changes.push({ kind: 'added', text: young[j++] ?? '' })
  }
  return changes
}
