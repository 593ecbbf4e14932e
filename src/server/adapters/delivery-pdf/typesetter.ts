// Sets lines of text in the fonts of the site. The library's own text layout shapes every word again: 2.9 ms per name
// on a busy machine, 290 s for 100,000. Here every character is encoded once per document, without kerning.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'

const resolve = createRequire(import.meta.url).resolve
const read = (path: string) => readFileSync(resolve(`@fontsource/${path}-normal.woff`))

/** Fontsource splits the letters into files: names such as "Łukasz" need two. */
const fontFiles = {
  title: 'anton/files/anton-latin-400',
  text: 'figtree/files/figtree-latin-400',
  bold: 'figtree/files/figtree-latin-700',
  extended: 'figtree/files/figtree-latin-ext-400',
} as const

type FontFile = keyof typeof fontFiles
export type FontName = Exclude<FontFile, 'extended'>

/** The parts of pdfkit's embedded font that are used here; it has no public way to write encoded text. */
interface EmbeddedFont {
  id: string
  ascender: number
  ref(): unknown
  /** Adds the glyphs to the embedded subset. */
  encode(text: string): [codes: string[], positions: { advanceWidth: number }[]]
}

interface Glyph {
  font: FontFile
  code: string
  /** In thousandths of the size. */
  width: number
}

export interface Style {
  font: FontName
  size: number
  colour: string
}

const common = /^[ -~\u00a0-\u00ac\u00ae-\u00ff–—‘’“”•…]$/
const extended = /^[\u0100-\u024f\u1e00-\u1eff]$/u
const nothing: Glyph[] = []

export type Typesetter = ReturnType<typeof createTypesetter>

export function createTypesetter(title: string) {
  const doc = new PDFDocument({
    size: 'A4',
    autoFirstPage: false,
    lang: 'pt-BR',
    displayTitle: true,
    info: { Title: title },
  })
  const opened = new Map<FontFile, EmbeddedFont>()
  const glyphs = new Map<string, Glyph[]>()

  function open(name: FontFile): EmbeddedFont {
    const known = opened.get(name)
    if (known) return known
    doc.registerFont(name, read(fontFiles[name])).font(name)
    const { _font: font } = doc as unknown as { _font: EmbeddedFont }
    opened.set(name, font)
    return font
  }

  function encode(character: string, font: FontFile): Glyph[] {
    const [codes, positions] = open(font).encode(character)
    return codes.map((code, index) => ({ font, code, width: positions[index]?.advanceWidth ?? 0 }))
  }

  /** A letter that no font has becomes its base letter; anything else is left out. */
  function glyphsOf(character: string, font: FontName): Glyph[] {
    const key = font + character
    const known = glyphs.get(key)
    if (known) return known
    let found = nothing
    if (common.test(character)) found = encode(character, font)
    else if (extended.test(character)) found = encode(character, 'extended')
    else {
      const base = character.normalize('NFKD').replace(/\p{M}/gu, '')
      if (common.test(base)) found = encode(base, font)
    }
    glyphs.set(key, found)
    return found
  }

  const shape = (text: string, font: FontName) =>
    Array.from(text.normalize('NFC'), (character) => glyphsOf(character, font)).flat()

  const widthOf = (text: string, { font, size }: Pick<Style, 'font' | 'size'>) =>
    (shape(text, font).reduce((sum, { width }) => sum + width, 0) * size) / 1000

  function write(text: string, { x, y, ...style }: Style & { x: number; y: number }): void {
    const { page } = doc
    const baseline = page.height - y - (open(style.font).ascender * style.size) / 1000
    const parts: string[] = []
    let font: FontFile | undefined
    for (const glyph of shape(text, style.font)) {
      if (glyph.font !== font) {
        const file = open(glyph.font)
        page.fonts[file.id] ??= file.ref()
        parts.push(`${font ? '> Tj ' : ''}/${file.id} ${style.size} Tf <`)
        font = glyph.font
      }
      parts.push(glyph.code)
    }
    if (!font) return
    doc.save().fillColor(style.colour)
    // pdfkit turns the page upside down, so text is turned back.
    doc.addContent(`1 0 0 -1 0 ${page.height} cm BT 1 0 0 1 ${x.toFixed(2)} ${baseline.toFixed(2)} Tm`)
    doc.addContent(`${parts.join('')}> Tj ET`)
    doc.restore()
  }

  /** Lines that fit the width. A word that is longer than a line is broken. */
  function wrap(text: string, style: Pick<Style, 'font' | 'size'>, width: number): string[] {
    if (widthOf(text, style) <= width && !text.includes('\n')) return [text]
    const lines: string[] = []
    for (const paragraph of text.split('\n')) {
      let line = ''
      for (const word of paragraph.split(' ').flatMap((each) => breakWord(each, style, width))) {
        const extendedLine = line ? `${line} ${word}` : word
        if (line && widthOf(extendedLine, style) > width) {
          lines.push(line)
          line = word
        } else line = extendedLine
      }
      lines.push(line)
    }
    return lines
  }

  function breakWord(word: string, style: Pick<Style, 'font' | 'size'>, width: number): string[] {
    if (widthOf(word, style) <= width) return [word]
    const pieces: string[] = []
    let piece = ''
    for (const character of word) {
      if (piece && widthOf(piece + character, style) > width) {
        pieces.push(piece)
        piece = ''
      }
      piece += character
    }
    return [...pieces, piece]
  }

  return { doc, write, widthOf, wrap }
}
