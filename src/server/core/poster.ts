// What a drawn poster says and how it looks; the drawing itself is an adapter's work.

export interface Poster {
  /** A line break is kept, and parts the headline where the composition has two places for it. */
  titulo: string
  categoria: string
  chamada?: string
  tema: 'red' | 'yellow' | 'green' | 'ink'
  arte: 'arrow' | 'awning' | 'balloons' | 'burst' | 'calendar' | 'dove' | 'halftone' | 'hands' | 'megaphone' | 'stripes'
}
