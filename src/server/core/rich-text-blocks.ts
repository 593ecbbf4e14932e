// Parses the HTML of the rich text editor into a flat list of blocks, from which e-mails and plain texts are written.
import { Parser } from 'htmlparser2'

interface Marks {
  bold: boolean
  italic: boolean
  underline: boolean
  strike: boolean
}

/** Parts of the same link refer to the same object. */
export interface Link {
  href: string
}

export interface TextRun extends Marks {
  kind: 'text'
  text: string
  link: Link | null
}

export interface ImageRun {
  kind: 'image'
  src: string
  alt: string
  /** In pixels; null if unknown. */
  width: number | null
  link: Link | null
}

export type Inline = TextRun | ImageRun | { kind: 'break' }

interface List {
  kind: 'list'
  isOrdered: boolean
  /** The number of items so far that are not empty. */
  length: number
}

interface Item {
  kind: 'item'
  list: List
  /** The position in the list, from 1. */
  number: number
}

export type Container = List | Item | { kind: 'quote' }

export interface Block {
  kind: 'paragraph' | 'heading' | 'rule'
  /** Of a heading: 2, 3 or 4. */
  level: number
  inlines: Inline[]
  /** The lists, items and quotes that contain the block, outermost first. Parts of one list refer to the same object. */
  containers: readonly Container[]
}

const markOf: Record<string, keyof Marks> = {
  ...{ strong: 'bold', b: 'bold', em: 'italic', i: 'italic' },
  ...{ u: 'underline', ins: 'underline', s: 'strike', del: 'strike', strike: 'strike' },
}
const levelOf: Record<string, number> = { h1: 2, h2: 2, h3: 3, h4: 4, h5: 4, h6: 4 }
const blockTags = new Set(['p', 'div', 'ul', 'ol', 'li', 'blockquote', 'hr', ...Object.keys(levelOf)])
const hiddenTags = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'textarea',
  'select',
  'title',
])

/** Deeper containers are ignored, so that the indentation of a text cannot grow with the square of its length. */
const maxContainers = 12

/**
 * Other tags than those of the editor are ignored and their text is kept, except the content of scripts and the like.
 * Blocks without text and images are left out.
 */
export function parseRichText(html: string): Block[] {
  const blocks: Block[] = []
  let inlines: Inline[] = []
  let level = 0
  let hidden = 0
  const depth = { bold: 0, italic: 0, underline: 0, strike: 0 }
  const links: (Link | null)[] = []
  const containers: Container[] = []
  /** For each open list, item or quote: the number of containers outside it. */
  const outside: number[] = []

  function addText(data: string): void {
    const last = inlines.at(-1)
    const isAfterSpace = !last || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
    const collapsed = data.replace(/[ \t\n\r\f]+/g, ' ')
    const text = isAfterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed
    if (!text) return
    const link = links.at(-1) ?? null
    const { bold, italic, underline, strike } = depth
    const marks = { bold: bold > 0, italic: italic > 0, underline: underline > 0, strike: strike > 0 }
    if (last?.kind === 'text' && last.link === link && isSame(last, marks)) last.text += text
    else inlines.push({ kind: 'text', text, link, ...marks })
  }

  function addImage({ src = '', alt = '', width = '' }: Record<string, string>): void {
    const link = links.at(-1) ?? null
    inlines.push({
      kind: 'image',
      src,
      alt: alt.trim(),
      width: /^[1-9]\d{0,4}$/.test(width) ? Number(width) : null,
      link,
    })
  }

  /** Ends the current block. */
  function flush(): void {
    const content = trimEnd(inlines)
    inlines = []
    if (content.length > 0) addBlock(level > 0 ? 'heading' : 'paragraph', content)
  }

  function addBlock(kind: Block['kind'], content: Inline[]): void {
    for (const container of containers)
      if (container.kind === 'item' && container.number === 0) container.number = ++container.list.length
    blocks.push({ kind, level: kind === 'heading' ? level : 0, inlines: content, containers: [...containers] })
  }

  function openContainer(tag: string): void {
    outside.push(containers.length)
    const parent = containers.at(-1)
    if (tag === 'li' && parent?.kind === 'list') containers.push({ kind: 'item', list: parent, number: 0 })
    else if (containers.length + 2 > maxContainers) return
    else if (tag === 'blockquote') containers.push({ kind: 'quote' })
    else if (tag === 'li') {
      const list: List = { kind: 'list', isOrdered: false, length: 0 }
      containers.push(list, { kind: 'item', list, number: 0 })
    } else containers.push({ kind: 'list', isOrdered: tag === 'ol', length: 0 })
  }

  const parser = new Parser({
    onopentag(tag, attributes) {
      if (hiddenTags.has(tag)) hidden++
      if (hidden > 0) return
      const mark = markOf[tag]
      if (mark) depth[mark]++
      else if (tag === 'a') links.push(attributes.href ? { href: attributes.href } : null)
      else if (tag === 'img') addImage(attributes)
      else if (tag === 'br' && inlines.length > 0) inlines.push({ kind: 'break' })
      if (!blockTags.has(tag)) return
      flush()
      if (isContainer(tag)) openContainer(tag)
      else if (tag === 'hr') addBlock('rule', [])
      level = levelOf[tag] ?? 0
    },
    ontext(data) {
      if (hidden === 0) addText(data)
    },
    onclosetag(tag) {
      const wasHidden = hidden > 0
      if (hiddenTags.has(tag)) hidden--
      if (wasHidden) return
      const mark = markOf[tag]
      if (mark) depth[mark]--
      else if (tag === 'a') links.pop()
      if (!blockTags.has(tag)) return
      flush()
      level = 0
      if (isContainer(tag)) containers.length = outside.pop() ?? 0
    },
  })
  parser.end(html)
  flush()
  return blocks
}

const isContainer = (tag: string) => tag === 'ul' || tag === 'ol' || tag === 'li' || tag === 'blockquote'

const isSame = (one: Marks, other: Marks) =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.underline === other.underline &&
  one.strike === other.strike

/** Without spaces and line breaks at the end. Empty if nothing is visible. */
function trimEnd(inlines: Inline[]): Inline[] {
  const end = inlines.findLastIndex((part) => part.kind === 'image' || (part.kind === 'text' && part.text.trim()))
  const content = inlines.slice(0, end + 1)
  const last = content.at(-1)
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return content
}
