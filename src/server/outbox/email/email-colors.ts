export const [ink, paper, yellow, green, white] = ['#1b1410', '#fff8ec', '#ffc400', '#0b6e4f', '#ffffff']
export const linkColor = '#8e0b22'

/** Colours of the site's themes. An unknown theme is displayed in red. */
const red = { background: '#c4122f', color: white, sticker: yellow }
const themes: Record<string, typeof red> = {
  green: { ...red, background: green },
  yellow: { background: yellow, color: ink, sticker: white },
  ink: { ...red, background: '#3a2c24' },
}
export const themeColors = (theme: string) => themes[theme] ?? red

export const displayFont = "Anton, Impact, Haettenschweiler, 'Arial Narrow', 'Roboto Condensed', Arial, sans-serif"
export const plainFont = 'Figtree, -apple-system, Roboto, Helvetica, Arial, sans-serif'
