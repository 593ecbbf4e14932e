// Buttons to download the image of a content and, on phones, to share the file.
import { useRef, useState } from 'react'
import { type Content, imageFileName } from '#contract/contents.ts'
import { downloadAddress, fetchImage, openInTab, saveFile } from '#web/pages/contents/content-image.ts'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { showToast } from '#web/ui/toast.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'

/** Recognises browsers inside apps (WhatsApp, Instagram, Facebook, any WebView), which lack some features. */
function isInAppBrowser(): boolean {
  const agent = navigator.userAgent
  // The user agent of iOS WebViews lacks the `Safari/` that every browser includes.
  return (
    /FBA[NV]|FB_IAB|Instagram|WhatsApp|; wv\)/.test(agent) ||
    (!agent.includes('Safari/') && agent.includes('AppleWebKit/'))
  )
}

export function DownloadButton({ content }: { content: Content }) {
  const plainLink = useHydrated() && isInAppBrowser()
  const [step, setStep] = useState<'idle' | 'fetching' | 'plain'>('idle')

  async function download() {
    setStep('fetching')
    try {
      saveFile(await fetchImage(content))
      setStep('idle')
    } catch (reason) {
      setStep(openInTab(content, reason) ? 'idle' : 'plain')
    }
  }

  // The browser blocked the tab that the script opened; it allows a link that the user taps.
  if (step === 'plain')
    return (
      <a
        className="button button-yellow"
        href={content.imagemUrl}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`Abrir a imagem: ${content.titulo}`}
      >
        <DownloadIcon /> Abrir a imagem
      </a>
    )
  // A link, so that downloading also works without JavaScript.
  return (
    <a
      className="button button-yellow"
      href={downloadAddress(content)}
      download={plainLink ? undefined : imageFileName(content.titulo)}
      aria-label={`Baixar imagem: ${content.titulo}`}
      onClick={(event) => {
        if (plainLink) return
        event.preventDefault()
        if (step === 'idle') void download()
      }}
    >
      <DownloadIcon /> {step === 'fetching' ? 'Baixando…' : 'Baixar imagem'}
    </a>
  )
}

function canSendFiles(): boolean {
  if (!matchMedia('(pointer: coarse)').matches) return false
  return navigator.canShare?.({ files: [new File([''], 'imagem.png', { type: 'image/png' })] }) ?? false
}

interface SendButtonProps {
  content: Content
  caption: string
}

export function SendImageButton({ content, caption }: SendButtonProps) {
  const hydrated = useHydrated()
  const file = useRef<File>(undefined)
  const [step, setStep] = useState<'idle' | 'fetching' | 'ready'>('idle')

  async function send() {
    const wasLoaded = file.current !== undefined
    setStep('fetching')
    try {
      file.current ??= await fetchImage(content)
    } catch (reason) {
      openInTab(content, reason)
      return setStep('idle')
    }
    try {
      // Some apps drop the image if a text comes with it, so the caption is copied to the clipboard.
      const copied = navigator.clipboard?.writeText(caption).then(announceCaption, () => undefined)
      await navigator.share({ files: [file.current] })
      await copied
      setStep('idle')
    } catch (reason) {
      const name = reason instanceof Error ? reason.name : ''
      // Fetching took so long that the tap no longer permits sharing. Now the file is loaded: a second tap shares it.
      if (name === 'NotAllowedError' && !wasLoaded) return setStep('ready')
      // The user closing the sheet is no failure, and neither is a second tap while it is open.
      if (name !== 'AbortError' && name !== 'InvalidStateError') openInTab(content, reason)
      setStep('idle')
    }
  }

  if (!hydrated || !canSendFiles()) return null
  const label = { idle: 'Enviar a imagem', fetching: 'Preparando…', ready: 'Pronta: toque para enviar' }[step]
  return (
    <button
      className="button"
      type="button"
      disabled={step === 'fetching'}
      aria-label={`${label}: ${content.titulo}`}
      onClick={() => void send()}
    >
      {label}
    </button>
  )
}

function announceCaption(): void {
  showToast({ title: 'Legenda copiada', text: 'Cole junto com a imagem.', tone: 'success' })
}
