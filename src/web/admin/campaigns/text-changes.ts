// Differences between two manifestos, paragraph by paragraph.
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

/** Keeps the longest common subsequence of paragraphs; the others were removed or added. */
export function textChanges(before: string, after: string): Change[] {
  const [oldTexts, newTexts] = [paragraphs(before), paragraphs(after)]
  const commonLengths = Array.from({ length: oldTexts.length + 1 }, () => new Uint16Array(newTexts.length + 1))
  const at = (i: number, j: number) => commonLengths[i]?.[j] ?? 0
  for (let i = oldTexts.length - 1; i >= 0; i--)
    for (let j = newTexts.length - 1; j >= 0; j--) {
      const row = commonLengths[i]
      if (row) row[j] = oldTexts[i] === newTexts[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }

  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < oldTexts.length || j < newTexts.length) {
    if (i < oldTexts.length && j < newTexts.length && oldTexts[i] === newTexts[j]) {
      changes.push({ kind: 'same', text: oldTexts[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= newTexts.length || (i < oldTexts.length && at(i + 1, j) >= at(i, j + 1)))
      changes.push({ kind: 'removed', text: oldTexts[i++] ?? '' })
    else changes.push({ kind: 'added', text: newTexts[j++] ?? '' })
  }
  return changes
}
