// Between stored HTML and the editor's document. The browser's parser is used on documents of no page: nothing in them is run or fetched.
import { getSchema, type JSONContent } from '@tiptap/core'
import { DOMParser as SchemaParser } from '@tiptap/pm/model'
import { extensions } from '#web/admin/campaigns/editor/extensions.ts'
import { trustedHtml } from '#web/ui/trusted.ts'

export function parseHtml(html: string): HTMLElement {
  return new DOMParser().parseFromString(trustedHtml(html), 'text/html').body
}

const schema = getSchema(extensions)

/** TipTap would parse text itself, in a way that the area's policy forbids. */
export function contentOf(html: string): JSONContent {
  return SchemaParser.fromSchema(schema).parse(parseHtml(html)).toJSON() as JSONContent
}

/** As the sanitiser writes it, so that what is saved is what was shown: no empty lines at the end, no paragraph around each item. */
export function tidyHtml(html: string): string {
  return html
    .replace(/(<p><\/p>)+$/, '')
    .replace(/<li><p>((?:(?!<\/?(?:p|ul|ol|li)\b).)*)<\/p>(?=<\/li>|<[uo]l>)/gs, '<li>$1')
    .replace(/<(br|hr|img\b[^>]*)>/g, '<$1 />')
    .replaceAll('&nbsp;', '\u00a0')
}
