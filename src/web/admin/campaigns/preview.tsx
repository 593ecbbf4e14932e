// Preview of the campaign page from the form values, in phone and desktop size.
import { useEffect, useRef, useState } from 'react'
import { type CampaignPreview, previewPath, previewReady } from '#contract/admin/campaigns.ts'
import type { CampaignStatus } from '#contract/campaigns.ts'
import { type CampaignValues, numberIn, shareTextsIn } from '#web/admin/campaigns/campaign-values.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

interface PreviewProps {
  values: CampaignValues
  signatures: number
  version: number
  status: CampaignStatus
  onClose(): void
}

const screens = {
  phone: { name: 'Celular', width: 375, height: 720 },
  desktop: { name: 'Computador', width: 1280, height: 800 },
} as const

export function Preview({ values, signatures, version, status, onClose }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const container = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<keyof typeof screens>('phone')
  const [availableWidth, setAvailableWidth] = useState(0)
  const { width, height } = screens[screen]
  const scale = availableWidth ? Math.min(1, availableWidth / width) : 1

  useEffect(() => {
    const sendPreview = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin || data !== previewReady) return
      frame.current?.contentWindow?.postMessage(previewOf({ values, signatures, version, status }), location.origin)
    }
    addEventListener('message', sendPreview)
    return () => removeEventListener('message', sendPreview)
  }, [values, signatures, version, status])

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setAvailableWidth(entry?.contentRect.width ?? 0))
    if (container.current) observer.observe(container.current)
    return () => observer.disconnect()
  }, [])

  return (
    <Dialog title="Prévia da página" onClose={onClose} wide>
      <fieldset className="screens">
        <legend className="hidden">Tamanho da tela</legend>
        {Object.entries(screens).map(([key, { name }]) => (
          <label key={key} className="check">
            <input
              type="radio"
              name="tela"
              checked={key === screen}
              onChange={() => setScreen(key as keyof typeof screens)}
            />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <div className="preview-place" ref={container} style={{ height: height * scale }}>
        <iframe
          ref={frame}
          title="Prévia da página da campanha"
          src={previewPath}
          width={width}
          height={height}
          style={{ transform: `scale(${scale})` }}
          // Key events inside the frame do not reach the dialog, so Esc is handled here.
          onLoad={({ currentTarget: { contentWindow } }) =>
            contentWindow?.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose())
          }
        />
      </div>
    </Dialog>
  )
}

function previewOf({ values, signatures, version, status }: Omit<PreviewProps, 'onClose'>): CampaignPreview {
  const { sheetTab: _, baseCount, meta, ...texts } = values
  return {
    campaign: {
      ...texts,
      titulo: texts.titulo || 'Título da campanha',
      slug: texts.slug || 'previa',
      subtitulo: texts.subtitulo || null,
      heroImageUrl: texts.heroImageUrl || null,
      ogTitle: texts.ogTitle || null,
      ogDescription: texts.ogDescription || null,
      ogImageUrl: texts.ogImageUrl || null,
      baseCount: numberIn(baseCount) ?? 0,
      versaoManifesto: version,
      // A draft is shown as it will be once it is live.
      status: status === 'draft' ? 'live' : status,
      meta: numberIn(meta) ?? null,
      resultHtml: texts.resultHtml || null,
      shareTexts: shareTextsIn(values),
    },
    signatures,
  }
}
