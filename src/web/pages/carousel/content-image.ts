// Where the image of a material is found, in each of its formats, and how it becomes a file.
import type { Content } from '#contract/carousel.ts'

const ours = /^(\/media\/[0-9a-f]{64})\.webp$/

/** The smaller format for pages, where there is one. */
export function sourceSet(imagemUrl: string): string | undefined {
  const [, base] = ours.exec(imagemUrl) ?? []
  return base && `${base}.640.webp 640w, ${base}.webp 1080w`
}

/** Real PNG bytes for whoever downloads or sends the image. */
export const pngAddress = (imagemUrl: string) => imagemUrl.replace(ours, '$1.png')

export const fileName = (titulo: string) => `${titulo.replace(/[^a-zA-Z0-9]/g, '_')}.png`

export async function fetchImage({ titulo, imagemUrl }: Content): Promise<File> {
  const response = await fetch(pngAddress(imagemUrl))
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], fileName(titulo), { type: blob.type })
}

export function saveFile(file: File): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  // Some phones read the file only after the tap has ended.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What cannot be fetched can still be seen, and kept by hand. */
export function openInstead({ imagemUrl }: Content, reason: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification asks that a failed download be logged
  console.error('image not fetched', reason)
  window.open(imagemUrl, '_blank', 'noopener')
}
