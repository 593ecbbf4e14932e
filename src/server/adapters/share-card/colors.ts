import type { Theme } from '#contract/themes.ts'

export const paper = '#FFF8EC'
export const ink = '#1B1410'
export const red = '#C4122F'
export const deepRed = '#8E0B22'
export const yellow = '#FFC400'
export const green = '#0B6E4F'
export const white = '#FFFFFF'

/** Colours of one theme. */
export interface Palette {
  ground: string
  type: string
  accent: string
  onAccent: string
  shade: string
  /** Shadow and edge of a headline. */
  cast: string
}

export const palettes: Record<Theme, Palette> = {
  red: { ground: red, type: paper, accent: yellow, onAccent: ink, shade: deepRed, cast: ink },
  yellow: { ground: yellow, type: ink, accent: red, onAccent: paper, shade: paper, cast: paper },
  green: { ground: green, type: paper, accent: yellow, onAccent: ink, shade: '#08543C', cast: ink },
  ink: { ground: ink, type: paper, accent: red, onAccent: paper, shade: '#33261F', cast: red },
}
