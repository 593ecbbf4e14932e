import type { Size } from '#server/adapters/share-card/geometry.ts'

export const posterSize: Size = { width: 1080, height: 1350 }
export const { width, height } = posterSize
