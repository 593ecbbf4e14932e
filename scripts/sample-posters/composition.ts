import type { Theme } from '#contract/themes.ts'
import type { Palette } from '#server/adapters/share-card/colors.ts'

export interface Poster {
  /** Line breaks are kept. Compositions with two headline areas split the text at the line break. */
  titulo: string
  categoria: string
  chamada: string
  tema: Theme
  arte: 'arrow' | 'awning' | 'balloons' | 'burst' | 'calendar' | 'dove' | 'halftone' | 'hands' | 'megaphone' | 'stripes'
}

/** Returns the SVG layers of a poster, the lowest first. */
export type Composition = (poster: Poster, palette: Palette) => Promise<string[]>

export type Compositions = Partial<Record<Poster['arte'], Composition>>
