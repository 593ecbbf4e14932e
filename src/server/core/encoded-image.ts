export interface ImageFormat {
  format: 'webp' | '640.webp' | 'png' | 'og.jpg' | 'logo.webp'
  contentType: string
  width: number
  height: number
  bytes: Buffer
}

/** A stored image in all its formats. `sha256` is the digest of the full-size WebP. */
export interface EncodedImage {
  sha256: string
  width: number
  height: number
  formats: ImageFormat[]
}
