// What a manifesto may be made of. It is cleaned when it is written and, as the database can be written to by others, when it is read.
import sanitizeHtml from 'sanitize-html'

const admitted: sanitizeHtml.IOptions = {
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

const mostPasses = 5

/** What a tag that is left out held together may read otherwise without it: cleaned until nothing changes, so that it never will again. */
export function sanitizeManifesto(html: string): string {
  let clean = html
  for (let pass = 0; pass < mostPasses; pass++) {
    const before = clean
    clean = sanitizeHtml(before, admitted)
    if (clean === before) return clean
  }
  return sanitizeHtml(clean, { allowedTags: [] })
}

/** Whether there is anything to read or see in it. */
export function isBlank(html: string): boolean {
  const text = sanitizeHtml(html, { allowedTags: ['img'] }).replace(/&nbsp;|\s/g, '')
  return text === ''
}
