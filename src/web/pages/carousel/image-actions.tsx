// Keeping the image of a material, or sending the file itself from a phone.
import { useRef, useState } from 'react'
import { type Content, imageFileName } from '#contract/carousel.ts'
import { downloadAddress, fetchImage, openInstead, saveFile } from '#web/pages/carousel/content-image.ts'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { isInAppBrowser } from '#web/ui/in-app-browser.ts'
import { showToast } from '#web/ui/toast.tsx'
import { useAlive } from '#web/ui/use-alive.ts'

export function DownloadButton({ content }: { content: Content }) {
  const plainLink = useAlive() && isInAppBrowser()
  const [step, setStep] = useState<'idle' | 'fetching' | 'plain'>('idle')

  async function download() {
    setStep('fetching')
    try {
      saveFile(await fetchImage(content))
      setStep('idle')
    } catch (reason) {
      setStep(openInstead(content, reason) ? 'idle' : 'plain')
    }
  }

  // What no script can open a tap can.
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
  // A link, so that the image can also be kept without JavaScript.
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
  const alive = useAlive()
  const file = useRef<File>(undefined)
  const [step, setStep] = useState<'idle' | 'fetching' | 'ready'>('idle')

  async function send() {
    const wasHere = file.current !== undefined
    setStep('fetching')
    try {
      file.current ??= await fetchImage(content)
    } catch (reason) {
      openInstead(content, reason)
      return setStep('idle')
    }
    try {
      // A text beside the file makes some apps drop the image: the caption travels in the clipboard.
      const copied = navigator.clipboard?.writeText(caption).then(announceCaption, () => undefined)
      await navigator.share({ files: [file.current] })
      await copied
      setStep('idle')
    } catch (reason) {
      const name = reason instanceof Error ? reason.name : ''
      // Fetching took longer than the tap is worth: the file is here now, a second tap sends it.
      if (name === 'NotAllowedError' && !wasHere) return setStep('ready')
      // Closing the sheet is a choice, and a second tap finds it open already.
      if (name !== 'AbortError' && name !== 'InvalidStateError') openInstead(content, reason)
      setStep('idle')
    }
  }

  if (!alive || !canSendFiles()) return null
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
