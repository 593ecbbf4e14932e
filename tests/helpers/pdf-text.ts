// Reads the text of a PDF that our server wrote: hexadecimal glyph codes, decoded by the ToUnicode map of each font.
import { inflateSync } from 'node:zlib'

export function pdfText(pdf: Buffer): string {
  const source = pdf.toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of source.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)
  const streamOf = (body = '') => {
    const [, bytes] = /stream\n([\s\S]*?)\nendstream/.exec(body) ?? []
    if (bytes === undefined) return ''
    const raw = Buffer.from(bytes, 'latin1')
    return (body.includes('/FlateDecode') ? inflateSync(raw) : raw).toString('latin1')
  }
  /** Characters by name of the font, such as F2, and glyph code. */
  const fonts = new Map<string, Map<number, string>>()
  for (const [, name = '', id = ''] of source.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? []
    fonts.set(name, charactersIn(streamOf(objects.get(map))))
  }
  const lines: string[] = []
  for (const body of objects.values()) {
    if (body.includes('/Type') || !body.includes('stream\n')) continue
    for (const [, shown = ''] of streamOf(body).matchAll(/ Tm\n([\s\S]*?) ET/g)) {
      const parts = [...shown.matchAll(/\/(F\d+) [\d.]+ Tf <([0-9a-f]*)>/g)]
      lines.push(parts.map(([, font = '', codes = '']) => decode(codes, fonts.get(font))).join(''))
    }
  }
  return lines.join('\n')
}

const decode = (codes: string, characters = new Map<number, string>()) =>
  (codes.match(/.{4}/g) ?? []).map((code) => characters.get(Number.parseInt(code, 16)) ?? '\ufffd').join('')

function charactersIn(cmap: string): Map<number, string> {
  const characters = new Map<number, string>()
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    const texts = [...list.matchAll(/<([^>]*)>/g)].map(([, hex = '']) =>
      Buffer.from(hex.replace(/ /g, ''), 'hex').swap16().toString('utf16le'),
    )
    for (const [index, text] of texts.entries()) characters.set(Number.parseInt(first, 16) + index, text)
  }
  return characters
}
