export interface ImageFormat {
  formato: 'webp' | '640.webp' | 'png' | 'og.jpg'
  tipo: string
  largura: number
  altura: number
  dados: Buffer
}

/** A stored image in all its formats. `sha256` is the digest of the full-size WebP. */
export interface EncodedImage {
  sha256: string
  largura: number
  altura: number
  formatos: ImageFormat[]
}
