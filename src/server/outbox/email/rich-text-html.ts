// Writes rich text as HTML for mail programs: a few tags with inline styles. All texts and addresses are escaped.
import { escapeHtml } from '#server/core/escape-html.ts'
import type { ResolveLink } from '#server/core/html-to-text.ts'
import type { Block, Container, ImageRun, Inline, Link, TextRun } from '#server/core/rich-text-blocks.ts'
import { displayFont, ink, linkColor } from '#server/outbox/email/email-colors.ts'

interface RichTextOptions {
  resolveLink: ResolveLink
  /** The absolute address of an image; undefined for images that are replaced by their alternative text. */
  resolveImage: (src: string) => string | undefined
  /** The greatest width of an image in pixels. */
  imageWidth: number
  /** The colour of the line beside a quote. */
  accent: string
}

const headingFonts: Record<number, string> = {
  2: `font:900 23px/1.25 ${displayFont};text-transform:uppercase`,
  3: 'font-size:20px;line-height:1.3;font-weight:800',
  4: 'font-size:17px;line-height:1.4;font-weight:800',
}
const marks = [
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['strike', 's'],
] as const

/** Lists and quotes are opened and closed where the containers of the blocks change, so all tags are balanced. */
export function richTextHtml(blocks: readonly Block[], options: RichTextOptions): string {
  const open: Container[] = []
  let html = ''
  for (const block of blocks) {
    const differing = open.findIndex((container, index) => container !== block.containers[index])
    while (differing >= 0 && open.length > differing) html += closing(open.pop())
    for (const container of block.containers.slice(open.length)) {
      html += opening(container, { ...options, isInside: open.length > 0 })
      open.push(container)
    }
    html += blockHtml(block, options)
  }
  while (open.length > 0) html += closing(open.pop())
  return html
}

type OpeningOptions = Pick<RichTextOptions, 'accent'> & { isInside: boolean }

function opening(container: Container, { accent, isInside }: OpeningOptions): string {
  const margin = `margin:0 0 ${isInside ? 6 : 16}px`
  if (container.kind === 'item') return `<li style="${margin}">`
  if (container.kind === 'list') return `<${container.isOrdered ? 'ol' : 'ul'} style="${margin};padding:0 0 0 26px">`
  return `<blockquote style="${margin};padding:2px 0 2px 16px;border-left:6px solid ${accent}">`
}

function closing(container: Container | undefined): string {
  if (!container) return ''
  if (container.kind === 'list') return container.isOrdered ? '</ol>\n' : '</ul>\n'
  return container.kind === 'item' ? '</li>' : '</blockquote>\n'
}

function blockHtml({ kind, level, inlines, containers }: Block, options: RichTextOptions): string {
  if (kind === 'rule') return `<hr style="margin:0 0 16px;border:0;border-top:3px solid ${ink}">\n`
  const content = inlinesHtml(inlines, options)
  if (kind === 'heading') return `<h${level} style="margin:24px 0 10px;${headingFonts[level]}">${content}</h${level}>\n`
  return `<p style="margin:0 0 ${containers.length > 0 ? 6 : 16}px">${content}</p>\n`
}

/** The parts of one link are in one element. */
function inlinesHtml(inlines: readonly Inline[], options: RichTextOptions): string {
  let html = ''
  let open: Link | null = null
  for (const part of inlines) {
    const link = part.kind === 'break' ? null : part.link
    if (link !== open) {
      html += linkEnd(open, options) + linkStart(link, options)
      open = link
    }
    html += part.kind === 'break' ? '<br>' : part.kind === 'image' ? imageHtml(part, options) : textHtml(part)
  }
  return html + linkEnd(open, options)
}

function linkStart(link: Link | null, { resolveLink }: RichTextOptions): string {
  const href = link && resolveLink(link.href)
  return href ? `<a href="${escapeHtml(href)}" style="color:${linkColor};font-weight:700">` : ''
}

const linkEnd = (link: Link | null, { resolveLink }: RichTextOptions) => (link && resolveLink(link.href) ? '</a>' : '')

function textHtml(part: TextRun): string {
  return marks.reduce((html, [style, tag]) => (part[style] ? `<${tag}>${html}</${tag}>` : html), escapeHtml(part.text))
}

function imageHtml({ src, alt, width }: ImageRun, { resolveImage, imageWidth }: RichTextOptions): string {
  const address = resolveImage(src)
  if (!address) return escapeHtml(alt)
  const size = Math.min(width ?? imageWidth, imageWidth)
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}" width="${size}" style="max-width:100%;height:auto;border:0;vertical-align:bottom">`
}
