// The inks of the print shop, and the four themes mixed from them.
import type { Poster } from '#server/core/poster.ts'

export const paper = '#FFF8EC'
export const ink = '#1B1410'
export const red = '#C4122F'
export const deepRed = '#8E0B22'
export const yellow = '#FFC400'
export const green = '#0B6E4F'
export const white = '#FFFFFF'

export interface Theme {
  ground: string
  type: string
  accent: string
  onAccent: string
  shade: string
  /** The second ink of a headline: its hard shadow and its edge. */
  cast: string
}

export const themes: Record<Poster['tema'], Theme> = {
  red: { ground: red, type: paper, accent: yellow, onAccent: ink, shade: deepRed, cast: ink },
  yellow: { ground: yellow, type: ink, accent: red, onAccent: paper, shade: paper, cast: paper },
  green: { ground: green, type: paper, accent: yellow, onAccent: ink, shade: '#08543C', cast: ink },
  ink: { ground: ink, type: paper, accent: red, onAccent: paper, shade: '#33261F', cast: red },
}
