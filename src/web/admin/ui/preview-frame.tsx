// Preview of a public page in phone and desktop size. The frame renders it from a message.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { previewPath, previewReady } from '#contract/admin/campaigns.ts'
import './preview-frame.css'

const screens = {
  phone: { name: 'Celular', width: 375, height: 720 },
  desktop: { name: 'Computador', width: 1280, height: 800 },
} as const
export type ScreenSize = keyof typeof screens

interface ScreenChoiceProps {
  screen: ScreenSize
  onChoose(screen: ScreenSize): void
}

export function ScreenChoice({ screen, onChoose }: ScreenChoiceProps) {
  return (
    <fieldset className="screens">
      <legend className="hidden">Tamanho da tela</legend>
      {Object.entries(screens).map(([key, { name }]) => (
        <label key={key} className="check">
          <input type="radio" name="tela" checked={key === screen} onChange={() => onChoose(key as ScreenSize)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The width of an element, for the ref that is returned with it. Zero until it is measured. */
export function useAvailableWidth<E extends HTMLElement>() {
  const container = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    if (container.current) observer.observe(container.current)
    return () => observer.disconnect()
  }, [])
  return [container, width] as const
}

interface ScaledProps {
  screen: ScreenSize
  children(scale: number): ReactNode
}

/** Shows a screen in its real width, scaled down to the available one. */
function Scaled({ screen, children }: ScaledProps) {
  const [container, availableWidth] = useAvailableWidth<HTMLDivElement>()
  const { width, height } = screens[screen]
  const scale = availableWidth ? Math.min(1, availableWidth / width) : 1

  return (
    <div className="preview-place" ref={container} style={{ height: height * scale }}>
      {children(scale)}
    </div>
  )
}

interface PreviewFrameProps {
  title: string
  screen: ScreenSize
  /** What the frame shows. */
  message: unknown
  onClose(): void
}

export function PreviewFrame({ title, screen, message, onClose }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const { width, height } = screens[screen]

  useEffect(() => {
    const sendPreview = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin || data !== previewReady) return
      frame.current?.contentWindow?.postMessage(message, location.origin)
    }
    addEventListener('message', sendPreview)
    return () => removeEventListener('message', sendPreview)
  }, [message])

  return (
    <Scaled screen={screen}>
      {(scale) => (
        <iframe
          ref={frame}
          title={title}
          src={previewPath}
          width={width}
          height={height}
          style={{ transform: `scale(${scale})` }}
          // Key events inside the frame do not reach the dialog, so Esc is handled here.
          onLoad={({ currentTarget: { contentWindow } }) =>
            contentWindow?.addEventListener('keydown', ({ key }) => key === 'Escape' && onClose())
          }
        />
      )}
    </Scaled>
  )
}
