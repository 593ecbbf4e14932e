import { type Container, parseRichText } from '#server/core/rich-text-blocks.ts'

export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'item' | 'quote'
  text: string
  /** Of an item: a bullet or its number. */
  mark?: string
}

/** Blocks of plain text, for documents without HTML. Images are left out. Bold and links keep their text. */
export function textBlocks(html: string): TextBlock[] {
  const begun = new Set<Container>()
  return parseRichText(html).flatMap(({ kind, inlines, containers }): TextBlock[] => {
    const parts = inlines.map((part) => (part.kind === 'break' ? '\n' : part.kind === 'text' ? part.text : ''))
    const text = parts
      .join('')
      .replace(/[^\S\n]+/g, ' ')
      .trim()
    if (!text) return []
    const innermost = containers.findLast((container) => container.kind !== 'list')
    if (kind === 'heading' || !innermost) return [{ kind: kind === 'heading' ? kind : 'paragraph', text }]
    if (innermost.kind === 'quote') return [{ kind: 'quote', text }]
    const mark = innermost.list.isOrdered ? `${innermost.number}.` : '•'
    const isFirst = !begun.has(innermost)
    begun.add(innermost)
    return [{ kind: 'item', text, ...(isFirst && { mark }) }]
  })
}
