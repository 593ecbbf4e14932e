// The page as supporters will see it, on a phone and on a computer, from what is in the form.
import { useEffect, useRef, useState } from 'react'
import { type CampaignPreview, previewPath, previewReady } from '#contract/admin/campaigns.ts'
import { type CampaignValues, numberIn } from '#web/admin/campaigns/campaign-values.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'

interface PreviewProps {
  values: CampaignValues
  signatures: number
  version: number
  onClose(): void
}

const screens = {
  phone: { name: 'Celular', width: 375, height: 720 },
  desktop: { name: 'Computador', width: 1280, height: 800 },
} as const

export function Preview({ values, signatures, version, onClose }: PreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<keyof typeof screens>('phone')
  const [room, setRoom] = useState(0)
  const { width, height } = screens[screen]
  const scale = room ? Math.min(1, room / width) : 1

  useEffect(() => {
    const tell = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin || data !== previewReady) return
      frame.current?.contentWindow?.postMessage(draftOf(values, signatures, version), location.origin)
    }
    addEventListener('message', tell)
    return () => removeEventListener('message', tell)
  }, [values, signatures, version])

  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    if (place.current) watcher.observe(place.current)
    return () => watcher.disconnect()
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
      <div className="preview-place" ref={place} style={{ height: height * scale }}>
        <iframe
          ref={frame}
          title="Prévia da página da campanha"
          src={previewPath}
          width={width}
          height={height}
          style={{ transform: `scale(${scale})` }}
          // Who reads in the frame presses Esc there, and the dialog would not hear it.
          onLoad={({ currentTarget: { contentWindow } }) =>
            contentWindow?.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose())
          }
        />
      </div>
    </Dialog>
  )
}

function draftOf(values: CampaignValues, signatures: number, version: number): CampaignPreview {
  const { sheetTab: _, baseCount, ...texts } = values
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
    },
    signatures,
  }
}
