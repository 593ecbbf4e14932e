// A place for an image: chosen or dropped, looked at before anything is sent, refused at once with a sentence.
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { imageLimits } from '#contract/admin/images.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import './image-drop.css'

const { image: sentences } = adminMessages

/** What can be told from the file alone; the server looks closer. */
export function problemOf({ type, size }: File): string | undefined {
  if (!(imageLimits.types as readonly string[]).includes(type)) return sentences.format
  return size > imageLimits.bytes ? sentences.tooLarge : undefined
}

function problemOfSize({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): string | undefined {
  const { side, pixels } = imageLimits
  return width > side || height > side || width * height > pixels ? sentences.pixels : undefined
}

interface ImageDropProps extends Omit<ComponentProps<'input'>, 'type' | 'accept' | 'onChange'> {
  input: RefObject<HTMLInputElement | null>
  /** Address of the image to show, if there is one: one that is kept, or the chosen file's own. */
  shown: string | undefined
  onFile(file: File): void
  /** The chosen file turned out to be no image, or too large a one. */
  onProblem(sentence: string): void
  children?: ReactNode
}

export function ImageDrop({ input, shown, onFile, onProblem, children, ...attributes }: ImageDropProps) {
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
      {shown && (
        <img
          src={shown}
          alt="Prévia da imagem"
          onLoad={({ currentTarget }) => {
            const problem = problemOfSize(currentTarget)
            if (problem) onProblem(problem)
          }}
          onError={() => onProblem(sentences.broken)}
        />
      )}
      <div>
        <input
          {...attributes}
          ref={input}
          type="file"
          accept={imageLimits.types.join()}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file) onFile(file)
          }}
        />
        <p className="hint">Escolha ou arraste para cá. JPEG, PNG ou WebP, até 5 MB.</p>
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
