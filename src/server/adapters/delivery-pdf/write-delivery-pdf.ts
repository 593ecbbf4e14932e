// The document that is handed over with a petition: cover, manifesto, totals and, if asked for, the names.
// It is written page by page: one step of names is in memory at a time.
import { textBlocks } from '#server/adapters/delivery-pdf/text-blocks.ts'
import { createTypesetter, type Style } from '#server/adapters/delivery-pdf/typesetter.ts'

interface Total {
  name: string
  signatures: number
}

export interface Signer {
  nome: string
  cidade: string
  estado: string
}

export interface DeliveryDocument {
  titulo: string
  movimento: string
  /** Times in Brasília, as they are shown. */
  at: string
  countedAt: string
  manifestoHtml: string
  /** Without the base count. */
  signatures: number
  /** All numbers and names are of signatures that were confirmed by e-mail. */
  isConfirmedOnly: boolean
  baseCount: number
  /** Signatures that the totals by state and city add up to. */
  counted: number
  byState: Total[]
  /** The largest first. */
  byCity: Total[]
  names?: AsyncIterable<Signer[]>
}

const colours = { ink: '#1B1410', red: '#C4122F', faint: '#6B5F55', line: '#D9CFC0' } as const
const width = 595.28
const height = 841.89
const margin = 56
const bottom = height - margin
const textWidth = width - 2 * margin

const styles = {
  movement: { font: 'bold', size: 12, colour: colours.red },
  total: { font: 'title', size: 64, colour: colours.red },
  unit: { font: 'bold', size: 16, colour: colours.ink },
  note: { font: 'text', size: 10, colour: colours.faint },
  heading: { font: 'title', size: 22, colour: colours.ink },
  subheading: { font: 'bold', size: 14, colour: colours.ink },
  paragraph: { font: 'text', size: 11, colour: colours.ink },
  row: { font: 'text', size: 10, colour: colours.ink },
  name: { font: 'text', size: 8, colour: colours.ink },
  footer: { font: 'text', size: 8, colour: colours.faint },
} as const satisfies Record<string, Style>

const titleStyle = (titulo: string): Style => ({
  ...styles.heading,
  // The longest titles have 200 characters.
  size: titulo.length > 90 ? 26 : 40,
})

const capitals = (text: string) => text.toLocaleUpperCase('pt-BR')
const digits = (value: number) => value.toLocaleString('pt-BR')
/** Capitals with accents need room above the line. */
const leading = ({ font, size }: Style) => size * (font === 'title' ? 1.5 : 1.4)

export async function* writeDeliveryPdf(content: DeliveryDocument): AsyncGenerator<Uint8Array> {
  const { doc, write, widthOf, wrap } = createTypesetter(content.titulo)
  const [footer = ''] = wrap(content.titulo, styles.footer, textWidth - 60)
  let pages = 0
  let y = margin

  function addPage(): void {
    doc.addPage()
    pages += 1
    y = margin
    if (pages === 1) return
    const number = String(pages)
    write(footer, { ...styles.footer, x: margin, y: height - 40 })
    write(number, { ...styles.footer, x: width - margin - widthOf(number, styles.footer), y: height - 40 })
  }

  /** Starts a page if less than `room` is left. */
  function reserve(room: number): void {
    if (y + room > bottom) addPage()
  }

  function writeText(text: string, style: Style, { indent = 0, gap = 0 } = {}): void {
    for (const line of wrap(text, style, textWidth - indent)) {
      reserve(leading(style))
      write(line, { ...style, x: margin + indent, y })
      y += leading(style)
    }
    y += gap
  }

  function writeCover(): void {
    const { titulo, movimento, signatures, baseCount, at, isConfirmedOnly } = content
    addPage()
    doc.rect(0, 0, width, 12).fill(colours.red)
    y = 96
    writeText(capitals(movimento), styles.movement, { gap: 8 })
    writeText(capitals(titulo), titleStyle(titulo), { gap: 32 })
    const total = baseCount + signatures
    writeText(digits(total), styles.total)
    writeText(total === 1 ? 'assinatura' : 'assinaturas', styles.unit, { gap: 12 })
    if (baseCount > 0)
      writeText(
        `${digits(signatures)} colhidas neste site e ${digits(baseCount)} colhidas fora dele (contagem inicial).`,
        styles.note,
      )
    if (isConfirmedOnly) writeText('As assinaturas deste site foram confirmadas por e-mail.', styles.note)
    writeText(`Total em ${at}, horário de Brasília.`, styles.note)
  }

  function writeManifesto(): void {
    addPage()
    writeText('MANIFESTO', styles.heading, { gap: 8 })
    for (const { kind, text, mark } of textBlocks(content.manifestoHtml)) {
      const isHeading = kind === 'heading'
      // A heading stays with the text that follows it.
      reserve(isHeading ? 60 : leading(styles.paragraph))
      if (isHeading) y += 6
      if (mark) write(mark, { ...styles.paragraph, x: margin, y })
      const indent = kind === 'item' || kind === 'quote' ? 18 : 0
      writeText(text, isHeading ? styles.subheading : styles.paragraph, { indent, gap: 6 })
    }
  }

  function writeTotals(title: string, totals: Total[]): void {
    reserve(120)
    writeText(capitals(title), styles.heading)
    const { counted, countedAt } = content
    const collected =
      counted === 1 ? 'assinatura colhida neste site, contada' : 'assinaturas colhidas neste site, contadas'
    const note = `${digits(counted)} ${collected} em ${countedAt}, horário de Brasília.`
    writeText(note, styles.note, { gap: 6 })
    for (const { name, signatures } of totals) {
      const value = digits(signatures)
      const valueWidth = widthOf(value, styles.row)
      const lines = wrap(name, styles.row, textWidth - valueWidth - 16)
      reserve(lines.length * 15)
      write(value, { ...styles.row, x: width - margin - valueWidth, y })
      for (const line of lines) {
        write(line, { ...styles.row, x: margin, y })
        y += 15
      }
      doc
        .moveTo(margin, y - 1.5)
        .lineTo(width - margin, y - 1.5)
        .lineWidth(0.5)
        .stroke(colours.line)
    }
    y += 24
  }

  const columnGap = 16
  const columnWidth = (textWidth - columnGap) / 2
  const nameLeading = 11.5

  async function* writeNames(names: AsyncIterable<Signer[]>): AsyncGenerator<void> {
    addPage()
    writeText('QUEM ASSINOU', styles.heading, { gap: 8 })
    // The heading of the first page spans both columns.
    let top = y
    let column = 0
    for await (const signers of names) {
      for (const { nome, cidade, estado } of signers) {
        const lines = wrap(`${nome} · ${cidade}/${estado}`, styles.name, columnWidth - 8)
        if (y + lines.length * nameLeading > bottom) {
          if (column === 1) {
            addPage()
            top = y
          }
          column = 1 - column
          y = top
        }
        for (const [index, line] of lines.entries()) {
          const x = margin + column * (columnWidth + columnGap) + (index > 0 ? 8 : 0)
          write(line, { ...styles.name, x, y })
          y += nameLeading
        }
      }
      yield
    }
  }

  /** What the library has finished so far. */
  function* finished(): Generator<Uint8Array> {
    for (let chunk = doc.read(); chunk !== null; chunk = doc.read()) yield chunk as Uint8Array
  }

  writeCover()
  writeManifesto()
  yield* finished()
  addPage()
  writeTotals('Assinaturas por estado', content.byState)
  writeTotals('Assinaturas por cidade', content.byCity)
  yield* finished()
  if (content.names) for await (const _ of writeNames(content.names)) yield* finished()
  doc.end()
  for await (const chunk of doc) yield chunk as Uint8Array
}
