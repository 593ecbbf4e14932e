// Fields for an image: one that sends the file with its form, and one that sends it at once and leaves its address in the form.
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { sentenceOf } from '#web/admin/api.ts'
import { fitImage, ImageProblem } from '#web/admin/ui/fit-image.ts'
import { ImageDrop, useFileAddress } from '#web/admin/ui/image-drop.tsx'
import { Progress } from '#web/admin/ui/progress.tsx'
import { sendImage } from '#web/admin/upload.ts'
import type { FieldState } from '#web/forms/field.tsx'

interface ImageFieldProps {
  form: FieldState
  name: string
  label: string
  required?: boolean
  hint?: string
}

interface SentImageFieldProps extends ImageFieldProps {
  /** Shown until another is chosen: the image that is there already. */
  current?: string
  /** The chosen file is being reduced: the form is not to be sent before that is done. */
  preparing: boolean
  onPreparing(isPreparing: boolean): void
}

/** The chosen file travels with the form. */
export function ImageField({ current, preparing, onPreparing, ...field }: SentImageFieldProps) {
  const { name } = field
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef<File>(undefined)
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useProblem(field.form, name)
  const chosen = useFileAddress(file)

  function forget(sentence = ''): void {
    latest.current = undefined
    if (input.current) input.current.value = ''
    setFile(undefined)
    setProblem(sentence)
    onPreparing(false)
  }

  async function choose(next: File): Promise<void> {
    forget()
    latest.current = next
    onPreparing(true)
    try {
      const fitting = await fitImage(next)
      // Another was chosen meanwhile.
      if (latest.current !== next) return
      putFile(input.current, fitting)
      setFile(fitting)
      onPreparing(false)
      noteInput(input.current)
    } catch (error) {
      if (latest.current === next) forget(problemOf(error))
    }
  }

  return (
    <Frame {...field} problem={problem}>
      {(tied) => (
        <ImageDrop {...tied} input={input} name={name} shown={chosen ?? current} onFile={(next) => void choose(next)}>
          <p role="status">{preparing && adminMessages.image.preparing}</p>
          {file && (
            <button type="button" className="link" onClick={() => forget()}>
              Desfazer a escolha
            </button>
          )}
        </ImageDrop>
      )}
    </Frame>
  )
}

interface UploadedImageFieldProps extends ImageFieldProps {
  disabled?: boolean
  /** How many images of the form are on their way: it is not to be sent before they are there. */
  countUploads: Dispatch<SetStateAction<number>>
}

/** The file is sent when it is chosen; the form holds the address of the image, or nothing. */
export function UploadedImageField({ disabled = false, countUploads, ...field }: UploadedImageFieldProps) {
  const { form, name } = field
  const input = useRef<HTMLInputElement>(null)
  const value = useRef<HTMLInputElement>(null)
  const sending = useRef<AbortController>(undefined)
  const [address, setAddress] = useState(form.initial(name))
  const [file, setFile] = useState<File>()
  const [part, setPart] = useState<number>()
  const [problem, setProblem] = useProblem(form, name)
  const chosen = useFileAddress(file)
  useEffect(() => () => sending.current?.abort(), [])

  const isUploading = part !== undefined
  useEffect(() => {
    if (!isUploading) return
    countUploads((count) => count + 1)
    return () => countUploads((count) => count - 1)
  }, [isUploading, countUploads])

  // After it was drawn, so that whoever reads the form then finds the new address.
  const drawn = useRef(address)
  useEffect(() => {
    if (drawn.current === address) return
    drawn.current = address
    noteInput(value.current)
  }, [address])

  function stop(sentence = ''): void {
    sending.current?.abort()
    if (input.current) input.current.value = ''
    setFile(undefined)
    setPart(undefined)
    setProblem(sentence)
  }

  async function upload(next: File): Promise<void> {
    stop()
    const own = new AbortController()
    sending.current = own
    setPart(0)
    try {
      const fitting = await fitImage(next)
      if (own.signal.aborted) return
      setFile(fitting)
      const { imagemUrl } = await sendImage(fitting, { onProgress: setPart, signal: own.signal })
      setAddress(imagemUrl)
      stop()
    } catch (error) {
      // Called off by who has gone on to something else already.
      if (!own.signal.aborted) stop(problemOf(error))
    }
  }

  return (
    <Frame {...field} problem={problem}>
      {(tied) => (
        <>
          <input ref={value} type="hidden" name={name} value={address} />
          <ImageDrop
            {...tied}
            input={input}
            disabled={disabled || isUploading}
            shown={chosen ?? (address || undefined)}
            onFile={(next) => void upload(next)}
          >
            {address && !isUploading && (
              <button type="button" className="link" onClick={() => setAddress('')}>
                Tirar a imagem
              </button>
            )}
          </ImageDrop>
          {part !== undefined && <Progress part={part} onCancel={() => stop()} />}
        </>
      )}
    </Frame>
  )
}

interface FrameProps extends ImageFieldProps {
  problem: string
  children(tied: { id: string; required?: boolean; 'aria-invalid'?: true; 'aria-describedby'?: string }): ReactNode
}

/** What was found here, until something else is chosen; else what the form says about what was chosen last. */
function useProblem({ errors }: FieldState, name: string): [problem: string, set: (sentence: string) => void] {
  const said = errors[name] ?? ''
  const [found, setFound] = useState({ sentence: '', answered: '' })
  useEffect(() => {
    // Said again after the next save, it is about the next choice.
    if (!said) setFound(({ sentence }) => ({ sentence, answered: '' }))
  }, [said])
  const current = found.sentence || (said === found.answered ? '' : said)
  return [current, (sentence) => setFound({ sentence, answered: said })]
}

const problemOf = (error: unknown) =>
  error instanceof ImageProblem ? error.message : sentenceOf(error, adminMessages.image.interrupted)

function putFile(input: HTMLInputElement | null, file: File): void {
  const transfer = new DataTransfer()
  transfer.items.add(file)
  if (input) input.files = transfer.files
}

function Frame({ name, label, required, hint, problem: error, children }: FrameProps) {
  const described = [error && `${name}-erro`, hint && `${name}-dica`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {required && <span aria-hidden="true"> *</span>}
      </label>
      {children({
        id: name,
        ...(required && { required }),
        ...(error && { 'aria-invalid': true }),
        ...(described && { 'aria-describedby': described }),
      })}
      {hint && (
        <p className="hint" id={`${name}-dica`}>
          {hint}
        </p>
      )}
      <div role="alert">
        {error && (
          <p className="error" id={`${name}-erro`}>
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

/** Forms notice what is typed; what is dropped or arrives from the server must be said. */
function noteInput(input: HTMLInputElement | null): void {
  input?.dispatchEvent(new Event('input', { bubbles: true }))
}
