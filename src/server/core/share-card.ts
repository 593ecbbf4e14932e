import type { Theme } from '#contract/themes.ts'

/** Content of the preview image of a shared link. */
export interface ShareCard {
  titulo: string
  tema: Theme
  /** Label under the headline. */
  destaque?: string
  /** Motto at the bottom, instead of the movement's name. */
  lema?: string
  chamada: string
  movimento: string
  /** The uploaded logo, as WebP in base64. Default: our own logo. */
  logo?: string
}
