/** In em, for Figtree at weight 700. */
function charWidth(char: string): number {
  if (char === ' ') return 0.24
  if (/[fijlrtíI1.,'’-]/.test(char)) return 0.3
  if (/[cçsz]/.test(char)) return 0.5
  if (/[mwMW]/.test(char)) return 0.87
  return char === char.toLowerCase() ? 0.56 : 0.66
}

const textWidth = (text: string) => [...text].reduce((width, char) => width + charWidth(char), 0)

// Values of header.css, in rem.
const narrowestRow = 80
const linkFont = 0.9375
const linkPadding = 1
const moreWidth = 5
const participateWidth = 6.8
const paddingAndGaps = 4.5
const scrollbar = 1
const logoWidth = 3
/** One capital letter of Anton at 1.5rem. A long name has a smaller font and wraps. */
const brandChar = 0.62
const longBrandWidth = 18

export const isLongBrand = (name: string) => name.length > 16

/** How many header links fit into one row. Estimated from the text, because the server cannot measure widths. */
export function linksInRow(texts: readonly string[], brand: string): number {
  const brandWidth = isLongBrand(brand) ? longBrandWidth : logoWidth + brand.length * brandChar
  const available = narrowestRow - paddingAndGaps - scrollbar - participateWidth - brandWidth
  const ends = texts
    .map((text) => textWidth(text) * linkFont + linkPadding)
    .map((_, index, widths) => widths.slice(0, index + 1).reduce((sum, width) => sum + width, 0))
  const countWithin = (width: number) => ends.filter((end) => end <= width).length
  return countWithin(available) === texts.length ? texts.length : countWithin(available - moreWidth)
}
