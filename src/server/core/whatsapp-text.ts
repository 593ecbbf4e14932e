// Writes rich text with the formatting marks of WhatsApp: *bold*, _italic_, ~strike~, lists and quotes.
import { originParameter } from '#contract/origin.ts'
import { blocksToText, cutAtWord, linePieces, type Piece, type ResolveLink } from '#server/core/html-to-text.ts'
import { type Block, type Inline, parseRichText } from '#server/core/rich-text-blocks.ts'
import { sentLink } from '#server/core/sent-link.ts'

/** WhatsApp hides the rest of longer messages. */
export const maxWhatsAppLength = 1_000

const marks = [
  ['bold', '*'],
  ['italic', '_'],
  ['strike', '~'],
] as const

export const htmlToWhatsApp = (html: string, resolveLink: ResolveLink) =>
  whatsAppBlocks(parseRichText(html), resolveLink)

/** A news item as a message: the title, as much of the text as fits, and the link to the rest. */
export function newsWhatsAppText({ titulo, html, link }: { titulo: string; html: string; link: string }): string {
  const { origin: publicUrl, searchParams } = new URL(link)
  const origin = searchParams.get(originParameter)
  const title = markTitle(titulo)
  const room = maxWhatsAppLength - title.length - link.length - 2 * '\n\n'.length
  const text = cutBlocks(parseRichText(html), room, (href) => sentLink(href, { publicUrl, origin }))
  return [title, text, link].filter(Boolean).join('\n\n')
}

const markTitle = (title: string) =>
  marked([{ text: title.replace(/\s+/g, ' ').trim(), bold: true, italic: false, strike: false, isAddress: false }])

function whatsAppBlocks(blocks: readonly Block[], resolveLink: ResolveLink): string {
  return blocksToText(blocks, (line, { kind }) => {
    const pieces = linePieces(line, resolveLink)
    return marked(kind === 'heading' ? pieces.map((piece) => ({ ...piece, bold: !piece.isAddress })) : pieces)
  })
}

const ellipsis = '\n\n…'

/** If the text is too long, it ends with "…" after a block, or within one if much room would be left. */
function cutBlocks(blocks: readonly Block[], room: number, resolveLink: ResolveLink): string {
  const write = (some: readonly Block[]) => whatsAppBlocks(some, resolveLink)
  const fits = (some: readonly Block[]) => write(some).length <= room - ellipsis.length
  const whole: Block[] = []
  for (const block of blocks) {
    if (lengthOf(block.inlines) > room || !fits([...whole, block])) break
    whole.push(block)
  }
  const next = blocks[whole.length]
  if (!next) return write(whole)
  if (write(whole).length < room / 2)
    for (let length = room; length > 0; length -= 20) {
      const some = [...whole, shortened(next, length)]
      if (fits(some)) return write(some)
    }
  // A heading is not left without its text.
  while (whole.length > 0 && whole.at(-1)?.kind !== 'paragraph') whole.pop()
  return whole.length > 0 ? write(whole) + ellipsis : ''
}

const lengthOf = (inlines: readonly Inline[]) =>
  inlines.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 1), 0)

/** A longer block with the first characters of its text. */
function shortened(block: Block, length: number): Block {
  const inlines: Inline[] = []
  let room = length
  for (const part of block.inlines) {
    if (lengthOf([part]) > room) {
      if (part.kind === 'text') inlines.push({ ...part, text: cutAtWord(part.text, room) })
      break
    }
    inlines.push(part)
    room -= lengthOf([part])
  }
  return { ...block, inlines }
}

/**
 * Puts marks around styled words. WhatsApp shows a mark as text if there is a letter outside it or a space inside it, or
 * if the styled text contains the same sign: such text gets no mark.
 */
function marked(pieces: readonly Piece[]): string {
  return mark(pieces, 0, { before: '', after: '' })
}

interface Neighbours {
  before: string
  after: string
}

/** Writes the marks from this level on. Bold is outside italic, and italic outside strike, so they cannot overlap. */
function mark(pieces: readonly Piece[], level: number, { before, after }: Neighbours): string {
  const [style, sign] = marks[level] ?? []
  if (!style) return plainText(pieces)
  const groups = groupBy(pieces, style)
  return groups
    .map((group, index) => {
      const neighbours = {
        before: plainText(groups[index - 1] ?? []).at(-1) ?? before,
        after: plainText(groups[index + 1] ?? []).at(0) ?? after,
      }
      const inner = mark(group, level + 1, neighbours)
      return group[0]?.[style] && canMark(plainText(group), sign, neighbours) ? around(inner, sign) : inner
    })
    .join('')
}

/** Consecutive pieces with and without the style. */
function groupBy(pieces: readonly Piece[], style: 'bold' | 'italic' | 'strike'): Piece[][] {
  const groups: Piece[][] = []
  for (const piece of pieces) {
    const group = groups.at(-1)
    if (group?.[0]?.[style] === piece[style]) group.push(piece)
    else groups.push([piece])
  }
  return groups
}

const plainText = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('')

const joinsMark = /[\p{L}\p{M}\p{N}*_~`]/u

function canMark(text: string, sign: string, { before, after }: Neighbours): boolean {
  const trimmed = text.trim()
  if (!trimmed || trimmed.includes(sign)) return false
  const isFree = (neighbour: string, isSpaced: boolean) => isSpaced || !joinsMark.test(neighbour)
  return isFree(before, /^\s/.test(text)) && isFree(after, /\s$/.test(text))
}

/** The spaces at the ends stay outside the marks. */
function around(text: string, sign: string): string {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  return text.slice(0, start) + sign + text.slice(start, end) + sign + text.slice(end)
}
