// A place for an image: chosen or dropped, and shown before anything is sent.
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { imageLimits } from '#contract/admin/images.ts'
import './image-drop.css'

/** HEIC is named by its ending too: not every system knows its type. */
const accepted = [...imageLimits.types, 'image/heic', 'image/heif', '.heic', '.heif'].join()

interface ImageDropProps extends Omit<ComponentProps<'input'>, 'type' | 'accept' | 'onChange'> {
  input: RefObject<HTMLInputElement | null>
  /** Address of the image to show, if there is one: one that is kept, or the chosen file's own. */
  shown: string | undefined
  onFile(file: File): void
  children?: ReactNode
}

export function ImageDrop({ input, shown, onFile, children, ...attributes }: ImageDropProps) {
  const [over, setOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the field inside is the first
    <div
      className="image-drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (!file || attributes.disabled) return
        // The field holds it as if it had been chosen there, so that its form sends it.
        if (input.current) input.current.files = event.dataTransfer.files
        onFile(file)
      }}
    >
      {shown && <img src={shown} alt="Prévia da imagem" />}
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

/** An address under which the page itself can show the file. */
export function useFileAddress(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(undefined)
    }
  }, [file])
  return address
}
