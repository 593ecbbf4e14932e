// Fits a headline into its box: breaks it into lines and scales each line to the same width.
import type { Box } from '#server/adapters/share-card/geometry.ts'
import {
  baseline,
  capitals,
  capTop,
  type Paint,
  place,
  printable,
  type Setting,
} from '#server/adapters/share-card/lettering.ts'

const defaultLeading = 22
const wordSpace = 18
// A longer word would shrink the whole headline, so it is split.
const maxWordLength = 28

/** Splits a headline in two; without a line break the last word is the second part. */
export function halves(titulo: string): [string, string] {
  const text = titulo.trim()
  const [, first = text, second = ''] = /^(.+?)\s*\n\s*(.+)$/s.exec(text) ?? /^(.+)\s+(\S+)$/s.exec(text) ?? []
  return [first, second]
}

/** All ways to break words into lines. */
function* breakings(words: Setting[]): Generator<Setting[][]> {
  for (let mask = 0; mask < 2 ** (words.length - 1); mask++) {
    const lines: Setting[][] = []
    words.forEach((word, i) => {
      const line = lines.at(-1)
      if (line && !(mask & (1 << (i - 1)))) line.push(word)
      else lines.push([word])
    })
    yield lines
  }
}

/** Keeps given line breaks; otherwise finds those that fill the box best with lines of similar size. */
export async function breakLines(titulo: string, { w, h }: Box, leading = defaultLeading): Promise<string[]> {
  const text = printable(titulo).replace(new RegExp(`\\S{${maxWordLength}}(?=\\S)`, 'gu'), '$& ')
  const given = text.split('\n').filter((line) => line.trim())
  if (given.length > 1) return given
  const words = text.split(/\s+/).filter(Boolean)
  if (!words.length) return []
  // Every combination of line breaks is tried, so a long headline first joins its shortest neighbouring words.
  while (words.length > 10) {
    const lengths = words.slice(1).map((word, i) => word.length + (words[i]?.length ?? 0))
    const at = lengths.indexOf(Math.min(...lengths))
    words.splice(at, 2, `${words[at]} ${words[at + 1]}`)
  }
  let best = { score: 0, lengths: [words.length] }
  const settings = await Promise.all(words.map(capitals))
  // A line that ends with punctuation is easier to read.
  const pauses = new Set<Setting | undefined>(settings.filter((_, i) => /[:;,.!?]$/.test(words[i] ?? '')))
  for (const lines of breakings(settings)) {
    const scales = lines.map((line) => w / line.reduce((sum, word) => sum + word.right + wordSpace, -wordSpace))
    const talls = lines.map(
      (line, i) => (baseline - Math.min(capTop, ...line.map(({ top }) => top))) * (scales[i] ?? 1),
    )
    const tall = talls.reduce((sum, each) => sum + each + leading, 0)
    const contrast = Math.max(...scales) / Math.min(...scales)
    const breath = lines.slice(0, -1).some((line) => pauses.has(line.at(-1))) ? 1.5 : 1
    const score = tall * Math.min(1, h / tall) ** 2 * Math.min(1, 2.4 / contrast) ** 2 * breath
    if (score > best.score) best = { score, lengths: lines.map((line) => line.length) }
  }
  return best.lengths.map((length) => words.splice(0, length).join(' '))
}

/** Draws a headline as a block. Its lines have the width of the box, or less if the box is too low. */
export async function stack(text: string, box: Box, paint: Paint): Promise<string> {
  const { leading = defaultLeading } = paint
  const set = await Promise.all((await breakLines(text, box, leading)).map(capitals))
  const lines = set.map((type) => {
    const scale = box.w / (type.right - type.left)
    const top = Math.min(type.top, capTop)
    return { type, scale, rise: (capTop - top) * scale, tall: (Math.max(type.bottom, baseline) - top) * scale }
  })
  const tall = lines.reduce((sum, line) => sum + line.tall + leading, -leading)
  const fit = Math.min(1, box.h / tall)
  const x = box.x + (paint.align === 'left' ? 0 : (box.w * (1 - fit)) / 2)
  let y = box.y + (box.h - tall * fit) / 2
  return lines
    .map((line) => {
      const svg = place(line.type, x, y + line.rise * fit, line.scale * fit, paint)
      y += (line.tall + leading) * fit
      return svg
    })
    .join('')
}
