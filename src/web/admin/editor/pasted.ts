// Cleans HTML pasted from Word, Google Docs or WhatsApp: styles become tags, paragraphs with bullets become lists.
import { parseHtml } from '#web/admin/editor/html.ts'

/** Styles become data attributes: the CSP would report them as violations, even in a detached document. */
const neutralize = (html: string) =>
  html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(style|on\w+)(?=\s*=)/gi, ' data-$1'))

const styleOf = (element: Element) => element.getAttribute('data-style') ?? ''

export function cleanPasted(html: string): string {
  const body = parseHtml(neutralize(html))
  // Content of this editor is already clean, and carries more information than its tags.
  if (body.querySelector('[data-pm-slice]')) return html
  replaceEmoji(body)
  dropInvisible(body)
  makeLists(body)
  unfoldTables(body)
  renameHeadings(body)
  stylesToTags(body)
  fixLinks(body)
  dropEmpty(body)
  return body.innerHTML
}

/** Uses the detached document: in the document of the page, images among the moved nodes would be fetched. */
function wrap(content: Element, tag: string): HTMLElement {
  const element = content.ownerDocument.createElement(tag)
  element.append(...content.childNodes)
  return element
}

/** Removes comments too: Word puts conditional content into them. */
function dropInvisible(body: HTMLElement): void {
  const selector = 'style, script, meta, link, title, xml, template, img:not([src^="/media/"])'
  for (const element of body.querySelectorAll(selector)) element.remove()
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT)
  for (let comment = comments.nextNode(); comment; comment = comments.nextNode())
    comment.parentNode?.removeChild(comment)
}

/** WhatsApp inserts emoji as images, with the character in an attribute. */
function replaceEmoji(body: HTMLElement): void {
  for (const image of body.querySelectorAll('img')) {
    const character = image.dataset.plainText ?? (/\p{Extended_Pictographic}/u.test(image.alt) ? image.alt : undefined)
    if (character) image.replaceWith(character)
  }
}

interface OpenList {
  list: HTMLElement
  level: number
}

const listStyle = /mso-list:\s*\S+\s+level(\d)/i

/** Word writes list items as paragraphs, with the bullet or number as text in front. */
function makeLists(body: HTMLElement): void {
  let open: OpenList[] = []
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const level = Number(listStyle.exec(styleOf(paragraph))?.[1] ?? 0)
    const previous = open[0]?.list
    if (level === 0 || (previous && paragraph.previousElementSibling !== previous)) open = []
    if (level === 0) continue

    const marker = paragraph.querySelector<HTMLElement>('[data-style*="mso-list" i]')
    const kind = /^[\s\u00a0]*\(?[\da-z]{1,4}[.)]/i.test(marker?.textContent ?? '') ? 'ol' : 'ul'
    marker?.remove()
    const isOuter = (other: OpenList) => other.level < level || (other.level === level && other.list.localName === kind)
    open = open.filter(isOuter)
    let inner = open.at(-1)
    if (inner?.level !== level) {
      const list = body.ownerDocument.createElement(kind)
      if (inner?.list.lastElementChild) inner.list.lastElementChild.append(list)
      else paragraph.before(list)
      inner = { list, level }
      open.push(inner)
    }
    inner.list.append(wrap(paragraph, 'li'))
    paragraph.remove()
  }
}

/** Each cell becomes a paragraph: a manifesto has no tables. */
function unfoldTables(body: HTMLElement): void {
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const parts = [...table.querySelectorAll('caption, td, th')].flatMap((cell): Node[] => {
      if (cell.querySelector('p, ul, ol, h1, h2, h3, h4, h5, h6, blockquote')) return [...cell.childNodes]
      return [wrap(cell, 'p')]
    })
    table.replaceWith(...parts)
  }
}

function renameHeadings(body: HTMLElement): void {
  for (const element of body.querySelectorAll('h1, h5, h6, p.MsoTitle')) {
    element.replaceWith(wrap(element, /^(h1|p)$/i.test(element.tagName) ? 'h2' : 'h4'))
  }
}

const styleTags: [pattern: RegExp, tag: string][] = [
  [/font-weight:\s*(bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*(italic|oblique)/i, 'em'],
  [/text-decoration[\w-]*:[^;]*underline/i, 'u'],
  [/text-decoration[\w-]*:[^;]*line-through/i, 's'],
]

/** Google Docs expresses formats as styles, and wraps everything in a bold tag that has no effect. */
function stylesToTags(body: HTMLElement): void {
  for (const wrapper of [...body.querySelectorAll('b[data-style], strong[data-style]')])
    if (/font-weight:\s*(normal|[1-5]00)/i.test(styleOf(wrapper))) wrapper.replaceWith(...wrapper.childNodes)
  for (const span of [...body.querySelectorAll('span[data-style], font[data-style]')]) {
    const style = styleOf(span)
    // Links are underlined anyway.
    const tags = styleTags.filter(([pattern, tag]) => pattern.test(style) && !(tag === 'u' && span.closest('a')))
    for (const [, tag] of tags) span.append(wrap(span, tag))
  }
}

/** Resolves the redirects of Google Docs. Links that the site does not allow become plain text. */
function fixLinks(body: HTMLElement): void {
  for (const link of [...body.querySelectorAll('a')]) {
    const address = link.getAttribute('href') ?? ''
    const redirectTarget = /^https:\/\/www\.google\.com\/url\?/.test(address)
      ? new URL(address).searchParams.get('q')
      : null
    const target = (redirectTarget ?? address).replace(/^http:/i, 'https:')
    if (/^(https|mailto):/i.test(target)) link.setAttribute('href', target)
    else link.replaceWith(...link.childNodes)
  }
}

const blockTag = /^(p|h[1-6]|ul|ol|li|div|table|blockquote|hr)$/

/** Removes lines that only add vertical space. */
function dropEmpty(body: HTMLElement): void {
  for (const lineBreak of body.querySelectorAll('br')) {
    const { previousElementSibling: previous, nextElementSibling: next } = lineBreak
    const neighbours = [lineBreak.previousSibling, lineBreak.nextSibling]
    if (neighbours.some((node) => node?.nodeType === Node.TEXT_NODE && node.textContent?.trim())) continue
    if ([previous, next].some((element) => element && blockTag.test(element.localName))) lineBreak.remove()
  }
  for (const element of [...body.querySelectorAll('p, h2, h3, h4, li, div')].reverse())
    if (!element.textContent?.replace(/[\s\u00a0]/g, '') && !element.querySelector('img, hr')) element.remove()
}
