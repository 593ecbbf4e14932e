// Sanitizes the HTML of manifestos and news: when it is written and, because others can write to the database, on reading.
import sanitizeHtml from 'sanitize-html'

const allowedHtml: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'h2',
    'h3',
    'h4',
    'strong',
    'em',
    'u',
    's',
    'ul',
    'ol',
    'li',
    'blockquote',
    'a',
    'br',
    'hr',
    'img',
  ],
  allowedAttributes: { a: ['href'], img: ['src', 'alt', 'width', 'height'] },
  allowedSchemes: ['https', 'mailto'],
  allowProtocolRelative: false,
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^\/media\/[0-9a-f]{64}\.[\w.]+$/.test(attribs.src ?? ''),
}

const maxPasses = 5

/** Repeats until the result is stable: the text around a removed tag can form a new tag. */
export function sanitizeRichText(html: string): string {
  let clean = html
  for (let pass = 0; pass < maxPasses; pass++) {
    const before = clean
    clean = sanitizeHtml(before, allowedHtml)
    if (clean === before) return clean
  }
  return sanitizeHtml(clean, { allowedTags: [] })
}

/** Whether it contains neither text nor images. */
export function isBlank(html: string): boolean {
  const text = sanitizeHtml(html, { allowedTags: ['img'] }).replace(/&nbsp;|\s/g, '')
  return text === ''
}
