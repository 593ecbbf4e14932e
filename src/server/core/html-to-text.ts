// Writes rich text as plain text: lists with "- " and numbers, quotes with "> ", links as "text (address)".
import { type Block, type Container, type Inline, type Link, parseRichText } from '#server/core/rich-text-blocks.ts'

/** The absolute address of a link; undefined if only its text is kept. */
export type ResolveLink = (href: string) => string | undefined

/** A piece of a line, in one style. */
export interface Piece {
  text: string
  bold: boolean
  italic: boolean
  strike: boolean
  isAddress: boolean
}

/** Headings are in capital letters. Images are replaced by their alternative text. */
export function htmlToText(html: string, resolveLink: ResolveLink): string {
  return blocksToText(parseRichText(html), (line, { kind }) =>
    linePieces(line, resolveLink)
      .map(({ text, isAddress }) => (kind === 'heading' && !isAddress ? text.toUpperCase() : text))
      .join(''),
  )
}

/** The beginning of a text in one line, without the addresses of links. It ends at a word. */
export function beginningOf(html: string, maxLength: number): string {
  const words: string[] = []
  for (const { inlines } of parseRichText(html)) {
    const line = linePieces(inlines, () => undefined).map(({ text }) => text)
    words.push(line.join(''))
  }
  return cutAtWord(words.filter(Boolean).join(' '), maxLength)
}

/** Adds "…" if something is cut. A word that is too long is cut inside. */
export function cutAtWord(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const room = text.slice(0, maxLength)
  const end = room.search(/\s\S*$/)
  const cut = end > 0 ? room.slice(0, end) : room.slice(0, -1)
  // Half of a character outside the basic plane is removed.
  return `${cut.replace(/[\uD800-\uDBFF]$/, '').replace(/[\s.,;:–-]+$/, '')}…`
}

/** Each line of a block is written by `writeLine`. */
export function blocksToText(blocks: readonly Block[], writeLine: (line: Inline[], block: Block) => string): string {
  const begun = new Set<Container>()
  let text = ''
  let previous: Block | undefined
  for (const block of blocks) {
    const { first, following } = prefixes(block.containers, begun)
    const written = block.kind === 'rule' ? ['———'] : linesOf(block.inlines).map((line) => writeLine(line, block))
    const lines = written.map((line, index) => `${index === 0 ? first : following}${line}`.trimEnd())
    if (!lines.join('').trim()) continue
    if (previous) text += continuesList(block, previous, begun) ? '\n' : '\n\n'
    text += lines.join('\n')
    for (const container of block.containers) begun.add(container)
    previous = block
  }
  return text
}

/** What the first line and the other lines of a block begin with. */
function prefixes(containers: readonly Container[], begun: Set<Container>): { first: string; following: string } {
  let [first, following] = ['', '']
  for (const container of containers) {
    if (container.kind === 'list') continue
    const mark = container.kind === 'quote' ? '> ' : container.list.isOrdered ? `${container.number}. ` : '- '
    const space = container.kind === 'quote' ? mark : ' '.repeat(mark.length)
    first += begun.has(container) ? space : mark
    following += space
  }
  return { first, following }
}

/** Whether the block is the next item of a list that contains the previous block. */
function continuesList({ containers }: Block, previous: Block, begun: Set<Container>): boolean {
  const isNewItem = containers.some((container) => container.kind === 'item' && !begun.has(container))
  return (
    isNewItem && containers.some((container) => container.kind === 'list' && previous.containers.includes(container))
  )
}

function linesOf(inlines: readonly Inline[]): Inline[][] {
  const lines: Inline[][] = [[]]
  for (const part of inlines)
    if (part.kind === 'break') lines.push([])
    else lines.at(-1)?.push(part)
  return lines
}

/** The pieces of a line without spaces at its ends and without repeated spaces. */
export function linePieces(line: readonly Inline[], resolveLink: ResolveLink): Piece[] {
  const pieces: Piece[] = []
  for (let index = 0; index < line.length; ) {
    const link = linkOf(line[index])
    const start = index++
    while (link && index < line.length && linkOf(line[index]) === link) index++
    const label = line.slice(start, index).map(pieceOf)
    pieces.push(...(link ? withAddress(label, link, resolveLink) : label))
  }
  return tidied(pieces)
}

const linkOf = (part: Inline | undefined): Link | null => (!part || part.kind === 'break' ? null : part.link)

const unstyled = { bold: false, italic: false, strike: false, isAddress: false }

function pieceOf(part: Inline): Piece {
  if (part.kind === 'break') return { text: ' ', ...unstyled }
  if (part.kind === 'image') return { text: part.alt && ` ${part.alt} `, ...unstyled }
  const { text, bold, italic, strike } = part
  return { text, bold, italic, strike, isAddress: false }
}

/** A label that is itself the address is replaced by the address. */
function withAddress(label: Piece[], { href }: Link, resolveLink: ResolveLink): Piece[] {
  const resolved = resolveLink(href)
  if (!resolved) return label
  const address = resolved.startsWith('mailto:') ? decoded(resolved.slice('mailto:'.length).split('?', 1)[0]) : resolved
  const text = label.map((piece) => piece.text).join('')
  const isSame = [address, href].some((one) => comparable(one) === comparable(text))
  const plain = (characters: string): Piece => ({ text: characters, ...unstyled, isAddress: true })
  const pieces = isSame || !text.trim() ? [plain(address)] : [...tidied(label), plain(` (${address})`)]
  // The spaces at the ends of the label are outside the link.
  return [
    plain(text.slice(0, text.length - text.trimStart().length)),
    ...pieces,
    plain(text.slice(text.trimEnd().length)),
  ]
}

const comparable = (address: string) =>
  address
    .trim()
    .replace(/^(https?:\/\/(www\.)?|mailto:)/i, '')
    .replace(/\/$/, '')
    .toLowerCase()

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Without empty pieces, repeated spaces, and spaces at the ends. */
function tidied(pieces: Piece[]): Piece[] {
  const kept: Piece[] = []
  for (const piece of pieces) {
    const spaced = piece.text.replace(/\s+/g, ' ')
    const text = !kept.at(-1) || kept.at(-1)?.text.endsWith(' ') ? spaced.trimStart() : spaced
    if (text) kept.push({ ...piece, text })
  }
  const last = kept.at(-1)
  if (last) last.text = last.text.trimEnd()
  return kept.filter(({ text }) => text)
}
