// The colours that a campaign can wear. An unknown one is red.
export const themes = ['red', 'yellow', 'green', 'ink'] as const

export type Theme = (typeof themes)[number]
