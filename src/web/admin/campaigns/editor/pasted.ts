// What comes from Word, Google Docs or WhatsApp, reduced to what a manifesto is made of: their styles become tags, their tricks lists.
import { parseHtml } from '#web/admin/campaigns/editor/html.ts'

/** Styles are read as words: the area's policy would refuse them, aloud, even where nobody sees them. */
const inert = (html: string) =>
  html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\s(style|on\w+)(?=\s*=)/gi, ' data-$1'))

const styleOf = (element: Element) => element.getAttribute('data-style') ?? ''

export function cleanPasted(html: string): string {
  const body = parseHtml(inert(html))
  // Our own editor's clipboard is clean, and says more than its tags do.
  if (body.querySelector('[data-pm-slice]')) return html
  replaceEmoji(body)
  dropUnseen(body)
  makeLists(body)
  unfoldTables(body)
  renameHeadings(body)
  stylesToTags(body)
  mendLinks(body)
  dropEmpty(body)
  return body.innerHTML
}

/** Elements are made in the document that nobody sees: in that of the page, images among what is moved would be fetched. */
function wrap(content: Element, tag: string): HTMLElement {
  const element = content.ownerDocument.createElement(tag)
  element.append(...content.childNodes)
  return element
}

/** Comments are removed too: Word hides conditions in them. */
function dropUnseen(body: HTMLElement): void {
  const unseen = 'style, script, meta, link, title, xml, template, img:not([src^="/media/"])'
  for (const element of body.querySelectorAll(unseen)) element.remove()
  const comments = body.ownerDocument.createNodeIterator(body, NodeFilter.SHOW_COMMENT)
  for (let comment = comments.nextNode(); comment; comment = comments.nextNode())
    comment.parentNode?.removeChild(comment)
}

/** WhatsApp draws its emoji as pictures, with the letter beside. */
function replaceEmoji(body: HTMLElement): void {
  for (const image of body.querySelectorAll('img')) {
    const letter = image.dataset.plainText ?? (/\p{Extended_Pictographic}/u.test(image.alt) ? image.alt : undefined)
    if (letter) image.replaceWith(letter)
  }
}

interface OpenList {
  list: HTMLElement
  level: number
}

const listStyle = /mso-list:\s*\S+\s+level(\d)/i

/** Word writes the items of lists as paragraphs, with the bullet or number as text before them. */
function makeLists(body: HTMLElement): void {
  let open: OpenList[] = []
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const level = Number(listStyle.exec(styleOf(paragraph))?.[1] ?? 0)
    const before = open[0]?.list
    if (level === 0 || (before && paragraph.previousElementSibling !== before)) open = []
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

/** Each cell is a paragraph: a manifesto has no tables. */
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

const meanings: [style: RegExp, tag: string][] = [
  [/font-weight:\s*(bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*(italic|oblique)/i, 'em'],
  [/text-decoration[\w-]*:[^;]*underline/i, 'u'],
  [/text-decoration[\w-]*:[^;]*line-through/i, 's'],
]

/** Bold, italic and lines are styles in Google Docs, which also wraps everything in a tag that says bold and means nothing. */
function stylesToTags(body: HTMLElement): void {
  for (const wrapper of [...body.querySelectorAll('b[data-style], strong[data-style]')])
    if (/font-weight:\s*(normal|[1-5]00)/i.test(styleOf(wrapper))) wrapper.replaceWith(...wrapper.childNodes)
  for (const span of [...body.querySelectorAll('span[data-style], font[data-style]')]) {
    const style = styleOf(span)
    // Links are underlined by themselves.
    const tags = meanings.filter(([meaning, tag]) => meaning.test(style) && !(tag === 'u' && span.closest('a')))
    for (const [, tag] of tags) span.append(wrap(span, tag))
  }
}

/** Google Docs sends links through itself. What the site does not admit becomes plain text. */
function mendLinks(body: HTMLElement): void {
  for (const link of [...body.querySelectorAll('a')]) {
    const address = link.getAttribute('href') ?? ''
    const through = /^https:\/\/www\.google\.com\/url\?/.test(address) ? new URL(address).searchParams.get('q') : null
    const target = (through ?? address).replace(/^http:/i, 'https:')
    if (/^(https|mailto):/i.test(target)) link.setAttribute('href', target)
    else link.replaceWith(...link.childNodes)
  }
}

const block = /^(p|h[1-6]|ul|ol|li|div|table|blockquote|hr)$/

/** Lines that are only there for their height. */
function dropEmpty(body: HTMLElement): void {
  for (const line of body.querySelectorAll('br')) {
    const { previousElementSibling: before, nextElementSibling: after } = line
    const beside = [line.previousSibling, line.nextSibling]
    if (beside.some((node) => node?.nodeType === Node.TEXT_NODE && node.textContent?.trim())) continue
    if ([before, after].some((element) => element && block.test(element.localName))) line.remove()
  }
  for (const element of [...body.querySelectorAll('p, h2, h3, h4, li, div')].reverse())
    if (!element.textContent?.replace(/[\s\u00a0]/g, '') && !element.querySelector('img, hr')) element.remove()
}
