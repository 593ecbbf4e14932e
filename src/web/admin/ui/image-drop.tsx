// Image input: chosen or dropped, with a preview before it is sent.
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { imageLimits } from '#contract/admin/images.ts'
import './image-drop.css'

/** HEIC also by extension: not every system knows its MIME type. */
const accepted = [...imageLimits.types, 'image/heic', 'image/heif', '.heic', '.heif'].join()

interface ImageDropProps extends Omit<ComponentProps<'input'>, 'type' | 'accept' | 'onChange'> {
  input: RefObject<HTMLInputElement | null>
  /** URL of a stored image, or of the chosen file. */
  previewUrl: string | undefined
  onFile(file: File): void
  children?: ReactNode
}

export function ImageDrop({ input, previewUrl, onFile, children, ...attributes }: ImageDropProps) {
  const [isDragOver, setDragOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the input inside is accessible
    <div
      className="image-drop"
      data-over={isDragOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDragOver(false)
        const [file] = event.dataTransfer.files
        if (!file || attributes.disabled) return
        // The input gets the file as if it had been chosen there, so that the form sends it.
        if (input.current) input.current.files = event.dataTransfer.files
        onFile(file)
      }}
    >
      {previewUrl && <img src={previewUrl} alt="Prévia da imagem" />}
      <div>
        <input
          {...attributes}
          ref={input}
          type="file"
          accept={accepted}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) onFile(file)
          }}
        />
        <p className="hint">Escolha ou arraste para cá. JPEG, PNG, WebP ou HEIC, até 20 MB.</p>
        {children}
      </div>
    </div>
  )
}

/** An object URL of the file, for a preview. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return
    const objectUrl = URL.createObjectURL(file)
    setUrl(objectUrl)
    return () => {
      URL.revokeObjectURL(objectUrl)
      setUrl(undefined)
    }
  }, [file])
  return url
}
