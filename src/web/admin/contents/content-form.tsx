// The form of a content, new or edited: fields, image upload and edit conflicts.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { editContent, type ManagedContent, publishContent } from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { uploadAdmin } from '#web/admin/api/upload.ts'
import { CategoryField, spellingInUse } from '#web/admin/contents/category-field.tsx'
import { showSuccess } from '#web/admin/contents/contents-query.ts'
import { PetitionField } from '#web/admin/contents/petition-field.tsx'
import type { FormTexts } from '#web/admin/ui/drafts.ts'
import { ImageField } from '#web/admin/ui/image-field.tsx'
import { Progress } from '#web/admin/ui/progress.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { ApiFailure } from '#web/api/client.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import { FormBanner } from '#web/forms/fields/form-banner.tsx'
import { LongTextField } from '#web/forms/fields/long-text-field.tsx'
import type { FormValues } from '#web/forms/submission/form-values.ts'

const { contents: texts, session } = adminMessages
const fieldOrder = ['titulo', 'categoria', 'descricao', 'campaignId', 'ordem', 'imagem']

interface ContentFormProps {
  /** Absent for a new content. */
  content: ManagedContent | undefined
  categories: string[]
  /** Position of a new content: after all others. */
  newPosition: number
  onTouch(): void
  /** `later`: input typed during the request, which is not saved. */
  onSaved(content: ManagedContent, later: FormTexts | undefined): void
  onClose(): void
  /** Refetches the list, which may have changed. */
  refresh(): Promise<void>
  /** Resolves to the stored content, or to nothing if it was deleted. Rejects without a network. */
  reload(): Promise<ManagedContent | undefined>
  /** Starts again with the stored content. Resolves to false if it was deleted. */
  onDiscard(): Promise<boolean>
}

export function ContentForm({
  content,
  categories,
  newPosition,
  onTouch,
  onSaved,
  onClose,
  refresh,
  reload,
  onDiscard,
}: ContentFormProps) {
  const [fraction, setFraction] = useState<number>()
  const [preparing, setPreparing] = useState(false)
  const [conflict, setConflict] = useState(false)
  const [reloadFailed, setReloadFailed] = useState(false)
  const uploadController = useRef<AbortController>(undefined)
  useEffect(() => () => uploadController.current?.abort(), [])

  async function send(values: FormValues) {
    const form = formDataOf(values)
    // Checked after the fields, as on the server.
    if (!content && !form.has('imagem')) throw missingImage()
    const controller = new AbortController()
    uploadController.current = controller
    setConflict(false)
    setReloadFailed(false)
    setFraction(form.has('imagem') ? 0 : undefined)
    const options = { form, onProgress: setFraction, signal: controller.signal }
    try {
      if (!content) return await uploadAdmin(publishContent, options)
      return await uploadAdmin(editContent, { ...options, params: { id: String(content.id) } })
    } finally {
      setFraction(undefined)
      // The server may have processed a cancelled request.
      if (controller.signal.aborted) void refresh()
    }
  }

  const form = useAdminForm<typeof publishContent | typeof editContent>({
    endpoint: content ? editContent : publishContent,
    name: draftName(content),
    initial: content ? textsOf(content) : { ordem: String(newPosition) },
    prepare: (values) => ({ ...values, categoria: spellingInUse(String(values.categoria ?? ''), categories) }),
    send,
    failed: texts.saveFailed,
    connection: texts.connection,
    onSent({ message, content }, _, later) {
      showSuccess(message)
      onSaved(content, later)
    },
    onRefused: ({ statusCode }) => setConflict(statusCode === 409),
  })
  // A restored draft is unsaved input too.
  useEffect(() => {
    if (form.restored) onTouch()
  }, [form.restored, onTouch])
  const wasCancelled = uploadController.current?.signal.aborted === true
  const message = wasCancelled ? '' : form.message

  // The pressed button is far below the message.
  const banner = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (message) banner.current?.scrollIntoView({ block: 'center' })
  }, [message])

  const [version, setVersion] = useState(form.initial('updatedAt'))
  // A deleted content is sent unchanged: the refusal says so, and the input stays.
  const resubmit = () => form.attributes.ref.current?.requestSubmit()
  async function overwrite(): Promise<void> {
    const stored = await reload()
    // Rendered at once, because the form is read when it is submitted.
    if (stored) flushSync(() => setVersion(stored.updatedAt))
    resubmit()
  }
  async function discard(): Promise<void> {
    if (!(await onDiscard())) resubmit()
  }
  /** Without a network the stored version is unknown: nothing is sent, and the input stays. */
  async function tryResolve(resolve: () => Promise<void>): Promise<void> {
    setReloadFailed(false)
    try {
      await resolve()
    } catch {
      setReloadFailed(true)
    }
  }

  const fieldForm = { ...form, errors: shortenErrors(form.errors) }
  return (
    <form
      {...form.attributes}
      onInput={(event) => {
        form.attributes.onInput(event)
        onTouch()
      }}
    >
      {form.restored && <p className="notice">{session.draftBack}</p>}
      <div ref={banner}>
        <FormBanner form={{ errors: form.errors, message }} order={fieldOrder} />
        {conflict && (
          <>
            <div className="actions two-versions">
              <button type="button" className="button small" onClick={() => void tryResolve(discard)}>
                Descartar o meu e ver o que está salvo
              </button>
              <button type="button" className="button small" onClick={() => void tryResolve(overwrite)}>
                Salvar o meu por cima
              </button>
            </div>
            <p role="alert" className="error">
              {reloadFailed && texts.connection}
            </p>
          </>
        )}
      </div>
      <TextField form={fieldForm} name="titulo" label="Título" maxLength={200} required />
      <CategoryField form={fieldForm} categories={categories} />
      <LongTextField form={fieldForm} name="descricao" label="Descrição" maxLength={2_000} required />
      <PetitionField form={fieldForm} />
      <TextField
        form={fieldForm}
        name="ordem"
        label="Ordem"
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
        hint="Os de menor número aparecem primeiro."
      />
      <ImageField
        form={form}
        name="imagem"
        label="Imagem"
        required={!content}
        preparing={preparing}
        onPreparing={setPreparing}
        {...(content && { current: content.imagemUrl, hint: 'Sem outra imagem, fica a que está.' })}
      />
      {content && <input type="hidden" name="updatedAt" value={version} />}
      {fraction !== undefined && <Progress fraction={fraction} onCancel={() => uploadController.current?.abort()} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Cancelar
        </button>
        <button type="submit" className="button button-yellow" disabled={form.step === 'sending' || preparing}>
          {form.step === 'sending' ? 'Salvando...' : 'Salvar'}
        </button>
      </div>
    </form>
  )
}

export const draftName = (content?: ManagedContent) => (content ? `conteudo ${content.id}` : 'conteudo')

function missingImage(): ApiFailure {
  return new ApiFailure(400, { message: texts.image, errors: { imagem: texts.image } })
}

function formDataOf(values: FormValues): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof File)) form.set(name, String(value))
    else if (value.size > 0) form.set(name, value)
  }
  return form
}

const textsOf = ({ titulo, categoria, descricao, ordem, campaignId, updatedAt }: ManagedContent) => ({
  titulo,
  categoria,
  descricao,
  ordem: String(ordem),
  campaignId: String(campaignId ?? ''),
  updatedAt,
})

/** The banner has the full text, so a short one is enough at each field. */
function shortenErrors(errors: Record<string, string>): Record<string, string> {
  const shortened = Object.entries(errors).map(([name, text]) => [
    name,
    text === texts.required ? 'Campo obrigatório' : text,
  ])
  return Object.fromEntries(shortened)
}
