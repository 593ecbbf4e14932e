// An image as it is kept: the formats it is served in, under the digest of the largest one for pages.
export interface ImageFormat {
  formato: 'webp' | '640.webp' | 'png' | 'og.jpg'
  tipo: string
  largura: number
  altura: number
  dados: Buffer
}

export interface EncodedImage {
  sha256: string
  largura: number
  altura: number
  formatos: ImageFormat[]
}
