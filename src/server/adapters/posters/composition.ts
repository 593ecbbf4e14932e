// What a composition is: a poster and its theme in, the layers of the drawing out, the lowest first.
import type { Theme } from '#server/adapters/posters/inks.ts'
import type { Poster } from '#server/core/poster.ts'

export type Composition = (poster: Poster, theme: Theme) => Promise<string[]>

export type Compositions = Partial<Record<Poster['arte'], Composition>>
