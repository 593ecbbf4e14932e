// What a drawn poster, or the picture of a shared link, says and how it looks; the drawing itself is an adapter's work.
import type { Theme } from '#contract/themes.ts'

export interface Poster {
  /** A line break is kept, and parts the headline where the composition has two places for it. */
  titulo: string
  categoria: string
  chamada?: string
  movimento: string
  tema: Theme
  arte: 'arrow' | 'awning' | 'balloons' | 'burst' | 'calendar' | 'dove' | 'halftone' | 'hands' | 'megaphone' | 'stripes'
}

export interface ShareCard {
  titulo: string
  tema: Poster['tema']
  /** What a sticker says under the headline. */
  destaque?: string
  /** A sentence at the foot, in the place of the movement's name. */
  lema?: string
  chamada: string
  movimento: string
}
