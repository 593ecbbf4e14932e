// Where the image of a material is found, in each of its formats, and how it becomes a file.
import { type Content, downloadParameter, imageFileName } from '#contract/carousel.ts'
import { givingUp } from '#web/api/client.ts'
import { showToast } from '#web/ui/toast.tsx'

/** Longer than a call: an image is heavy, and a slow network still brings it. */
const patienceMs = 60_000

const ours = /^(\/media\/[0-9a-f]{64})\.webp$/

/** The smaller format for pages, where there is one. */
export function sourceSet(imagemUrl: string): string | undefined {
  const [, base] = ours.exec(imagemUrl) ?? []
  return base && `${base}.640.webp 640w, ${base}.webp 1080w`
}

/** Real PNG bytes for whoever downloads or sends the image. */
export const pngAddress = (imagemUrl: string) => imagemUrl.replace(ours, '$1.png')

/** The same, answered as a download: for browsers without scripts, and inside apps, where a `blob:` is not saved. */
export const downloadAddress = ({ titulo, imagemUrl }: Content) =>
  ours.test(imagemUrl) ? `${pngAddress(imagemUrl)}?${downloadParameter}=${imageFileName(titulo)}` : imagemUrl

export async function fetchImage({ titulo, imagemUrl }: Content): Promise<File> {
  const response = await fetch(pngAddress(imagemUrl), { signal: givingUp(patienceMs) })
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`)
  const blob = await response.blob()
  return new File([blob], imageFileName(titulo), { type: blob.type })
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

/** What cannot be fetched can still be seen, and kept by hand. Answers whether it is: long after the tap browsers open no tab. */
export function openInstead({ imagemUrl }: Content, reason: unknown): boolean {
  // biome-ignore lint/suspicious/noConsole: the specification asks that a failed download be logged
  console.error('image not fetched', reason)
  // With `noopener` nobody is told whether it opened.
  const tab = window.open(imagemUrl, '_blank')
  if (tab) tab.opener = null
  else showToast({ title: 'A imagem não chegou', text: 'Tente de novo, ou guarde-a direto do cartaz.', tone: 'error' })
  return tab !== null
}
