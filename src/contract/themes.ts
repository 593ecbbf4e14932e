/** Colours of campaigns. An unknown colour is shown as red. */
export const themes = ['red', 'yellow', 'green', 'ink'] as const

export type Theme = (typeof themes)[number]
