import { diffArrays } from 'diff'

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

/** The paragraphs of two texts, each removed, added or the same in both. */
export function textChanges(before: string, after: string) {
  return diffArrays(paragraphs(before), paragraphs(after)).flatMap(({ value, added, removed }) =>
    value.map((text) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  )
}
