// URLs of the image of a content in each format, and how it is downloaded.
import { type Content, downloadParameter, imageFileName } from '#contract/contents.ts'
import { timeoutSignal } from '#web/api/client.ts'
import { showToast } from '#web/ui/toast.tsx'

/** Longer than for API calls: an image is large, and a slow network can still deliver it. */
const downloadTimeoutMs = 60_000

const storedImage = /^(\/media\/[0-9a-f]{64})\.webp$/

/** A smaller version for the page, if there is one. */
export function sourceSet(imagemUrl: string): string | undefined {
  const [, base] = storedImage.exec(imagemUrl) ?? []
  return base && `${base}.640.webp 640w, ${base}.webp 1080w`
}

/** The image as PNG, for downloading and sharing. */
const pngAddress = (imagemUrl: string) => imagemUrl.replace(storedImage, '$1.png')

/** The PNG as an attachment: for use without scripts, and for browsers inside apps, which cannot save a `blob:` URL. */
export const downloadAddress = ({ titulo, imagemUrl }: Content) =>
  storedImage.test(imagemUrl) ? `${pngAddress(imagemUrl)}?${downloadParameter}=${imageFileName(titulo)}` : imagemUrl

export async function fetchImage({ titulo, imagemUrl }: Content): Promise<File> {
  const response = await fetch(pngAddress(imagemUrl), { signal: timeoutSignal(downloadTimeoutMs) })
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

/**
 * Opens an image that could not be fetched, so that the user can save it by hand.
 * Returns whether it opened: browsers block a tab that is opened long after the tap.
 */
export function openInTab({ imagemUrl }: Content, reason: unknown): boolean {
  // biome-ignore lint/suspicious/noConsole: the specification asks that a failed download be logged
  console.error('image not fetched', reason)
  // With `noopener`, window.open would not return whether the tab opened.
  const tab = window.open(imagemUrl, '_blank')
  if (tab) tab.opener = null
  else showToast({ title: 'A imagem não chegou', text: 'Tente de novo, ou guarde-a direto do cartaz.', tone: 'error' })
  return tab !== null
}
