// Image fields: one sends the file with its form, the other uploads it at once and sends its URL with the form.
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useRef, useState } from 'react'
import { adminMessages } from '#contract/admin/messages.ts'
import { errorMessage } from '#web/admin/api/client.ts'
import { sendImage } from '#web/admin/api/upload.ts'
import { ImageDrop, useObjectUrl } from '#web/admin/ui/image-drop.tsx'
import { Progress } from '#web/admin/ui/progress.tsx'
import { ImageProblem, resizeImage } from '#web/admin/ui/resize-image.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

interface ImageFieldProps {
  form: FieldState
  name: string
  label: string
  required?: boolean
  hint?: string
}

interface SentImageFieldProps extends ImageFieldProps {
  /** The stored image, displayed until another is chosen. */
  current?: string
  /** The chosen file is being reduced; the form must not be sent before that is done. */
  preparing: boolean
  onPreparing(isPreparing: boolean): void
}

/** Sends the chosen file with the form. */
export function ImageField({ current, preparing, onPreparing, ...field }: SentImageFieldProps) {
  const { name } = field
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef<File>(undefined)
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useProblem(field.form, name)
  const chosenUrl = useObjectUrl(file)

  function reset(message = ''): void {
    latest.current = undefined
    if (input.current) input.current.value = ''
    setFile(undefined)
    setProblem(message)
    onPreparing(false)
  }

  async function choose(next: File): Promise<void> {
    reset()
    latest.current = next
    onPreparing(true)
    try {
      const resized = await resizeImage(next)
      // Another file was chosen in the meantime.
      if (latest.current !== next) return
      setInputFile(input.current, resized)
      setFile(resized)
      onPreparing(false)
      dispatchInput(input.current)
    } catch (error) {
      if (latest.current === next) reset(imageErrorText(error))
    }
  }

  return (
    <Frame {...field} problem={problem}>
      {(inputProps) => (
        <ImageDrop
          {...inputProps}
          input={input}
          name={name}
          previewUrl={chosenUrl ?? current}
          onFile={(next) => void choose(next)}
        >
          <p role="status">{preparing && adminMessages.image.preparing}</p>
          {file && (
            <button type="button" className="link" onClick={() => reset()}>
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
  /** Counts the uploads in progress; the form must not be sent before they end. */
  countUploads: Dispatch<SetStateAction<number>>
  /** Another way to choose an image that is stored already. */
  children?(choose: (imageUrl: string) => void): ReactNode
}

/** Uploads the file when it is chosen. The form field holds the URL of the image, or is empty. */
export function UploadedImageField({ disabled = false, countUploads, children, ...field }: UploadedImageFieldProps) {
  const { form, name } = field
  const input = useRef<HTMLInputElement>(null)
  const value = useRef<HTMLInputElement>(null)
  const uploadController = useRef<AbortController>(undefined)
  const [imageUrl, setImageUrl] = useState(form.initial(name))
  const [file, setFile] = useState<File>()
  const [fraction, setFraction] = useState<number>()
  const [problem, setProblem] = useProblem(form, name)
  const chosenUrl = useObjectUrl(file)
  useEffect(() => () => uploadController.current?.abort(), [])

  const isUploading = fraction !== undefined
  useEffect(() => {
    if (!isUploading) return
    countUploads((count) => count + 1)
    return () => countUploads((count) => count - 1)
  }, [isUploading, countUploads])

  // In an effect, so that input handlers find the new URL in the form.
  const renderedUrl = useRef(imageUrl)
  useEffect(() => {
    if (renderedUrl.current === imageUrl) return
    renderedUrl.current = imageUrl
    dispatchInput(value.current)
  }, [imageUrl])

  function stop(message = ''): void {
    uploadController.current?.abort()
    if (input.current) input.current.value = ''
    setFile(undefined)
    setFraction(undefined)
    setProblem(message)
  }

  async function upload(next: File): Promise<void> {
    stop()
    const controller = new AbortController()
    uploadController.current = controller
    setFraction(0)
    try {
      const resized = await resizeImage(next)
      if (controller.signal.aborted) return
      setFile(resized)
      const { imagemUrl } = await sendImage(resized, { onProgress: setFraction, signal: controller.signal })
      setImageUrl(imagemUrl)
      stop()
    } catch (error) {
      // After a cancellation the user has already moved on: no error.
      if (!controller.signal.aborted) stop(imageErrorText(error))
    }
  }

  return (
    <Frame {...field} problem={problem}>
      {(inputProps) => (
        <>
          <input ref={value} type="hidden" name={name} value={imageUrl} />
          <ImageDrop
            {...inputProps}
            input={input}
            disabled={disabled || isUploading}
            previewUrl={chosenUrl ?? (imageUrl || undefined)}
            onFile={(next) => void upload(next)}
          >
            {!isUploading && (
              <div className="image-drop-actions">
                {imageUrl && (
                  <button type="button" className="link" onClick={() => setImageUrl('')}>
                    Tirar a imagem
                  </button>
                )}
                {children?.(setImageUrl)}
              </div>
            )}
          </ImageDrop>
          {fraction !== undefined && <Progress fraction={fraction} onCancel={() => stop()} />}
        </>
      )}
    </Frame>
  )
}

interface FrameProps extends ImageFieldProps {
  problem: string
  children(inputProps: {
    id: string
    required?: boolean
    'aria-invalid'?: true
    'aria-describedby'?: string
  }): ReactNode
}

/** The error found in the browser; otherwise the error of the form, unless it is about an earlier file. */
function useProblem({ errors }: FieldState, name: string): [problem: string, set: (message: string) => void] {
  const formError = errors[name] ?? ''
  const [local, setLocal] = useState({ message: '', outdated: '' })
  useEffect(() => {
    // If the next save gives the same error, it is about the new file.
    if (!formError) setLocal(({ message }) => ({ message, outdated: '' }))
  }, [formError])
  const current = local.message || (formError === local.outdated ? '' : formError)
  return [current, (message) => setLocal({ message, outdated: formError })]
}

const imageErrorText = (error: unknown) =>
  error instanceof ImageProblem ? error.message : errorMessage(error, adminMessages.image.interrupted)

function setInputFile(input: HTMLInputElement | null, file: File): void {
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

/** Changes by script fire no `input` event, so the form would not notice them. */
function dispatchInput(input: HTMLInputElement | null): void {
  input?.dispatchEvent(new Event('input', { bubbles: true }))
}
