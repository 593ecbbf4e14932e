import { getSchema, type JSONContent } from '@tiptap/core'
import { DOMParser as SchemaParser } from '@tiptap/pm/model'
import { extensions } from '#web/admin/editor/extensions.ts'
import { trustedHtml } from '#web/ui/trusted-types.ts'

/** Parses into a detached document: nothing in it is run or fetched. */
export function parseHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(trustedHtml(html), 'text/html').body
}

const schema = getSchema(extensions)

/** TipTap's own HTML parsing violates the CSP of the admin area. */
export function contentOf(html: string): JSONContent {
  return SchemaParser.fromSchema(schema).parse(parseHtml(html)).toJSON() as JSONContent
}

/**
 * Writes HTML like the sanitiser, so that the saved text equals the displayed one: no empty paragraphs at the end, no
 * paragraph inside list items.
 */
export function tidyHtml(html: string): string {
  return html
    .replace(/(<p><\/p>)+$/, '')
    .replace(/<li><p>((?:(?!<\/?(?:p|ul|ol|li)\b).)*)<\/p>(?=<\/li>|<[uo]l>)/gs, '<li>$1')
    .replace(/<(br|hr|img\b[^>]*)>/g, '<$1 />')
    .replaceAll('&nbsp;', '\u00a0')
}
