// The form of one content, new or edited: its fields, its image on the way, and what is said when two people edit it.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { editContent, type ManagedContent, publishContent } from '#contract/admin/contents.ts'
import { adminMessages } from '#contract/admin/messages.ts'
import { CategoryField, knownSpelling } from '#web/admin/contents/category-field.tsx'
import { told } from '#web/admin/contents/contents-query.ts'
import type { FormTexts } from '#web/admin/ui/drafts.ts'
import { ImageField } from '#web/admin/ui/image-field.tsx'
import { Progress } from '#web/admin/ui/progress.tsx'
import { useAdminForm } from '#web/admin/ui/use-admin-form.ts'
import { uploadAdmin } from '#web/admin/upload.ts'
import { ApiFailure } from '#web/api/client.ts'
import { FormBanner, LongTextField, TextField } from '#web/forms/field.tsx'
import type { FormValues } from '#web/forms/form-values.ts'

const { contents: sentences, session } = adminMessages
const order = ['titulo', 'categoria', 'descricao', 'ordem', 'imagem']

interface ContentFormProps {
  /** Absent for a new one. */
  content: ManagedContent | undefined
  categories: string[]
  /** Where a new one goes: behind all others. */
  lastPlace: number
  onTouch(): void
  /** `later`: what was typed while it was being saved, and is not. */
  onSaved(content: ManagedContent, later: FormTexts | undefined): void
  onClose(): void
  /** What is listed may have changed. */
  askAgain(): Promise<void>
  /** Brings the content as it is now, or nothing if it was removed. Fails without a network. */
  readAgain(): Promise<ManagedContent | undefined>
  /** Starts over with what is saved, if that is still there. */
  onDiscard(): Promise<boolean>
}

export function ContentForm({
  content,
  categories,
  lastPlace,
  onTouch,
  onSaved,
  onClose,
  askAgain,
  readAgain,
  onDiscard,
}: ContentFormProps) {
  const [part, setPart] = useState<number>()
  const [preparing, setPreparing] = useState(false)
  const [conflict, setConflict] = useState(false)
  const [unread, setUnread] = useState(false)
  const sending = useRef<AbortController>(undefined)
  const version = useRef<HTMLInputElement>(null)
  useEffect(() => () => sending.current?.abort(), [])

  async function send(values: FormValues) {
    const form = formDataOf(values)
    // The server asks for it in the same order: the fields first.
    if (!content && !form.has('imagem')) throw missingImage()
    const own = new AbortController()
    sending.current = own
    setConflict(false)
    setUnread(false)
    setPart(form.has('imagem') ? 0 : undefined)
    const options = { form, onProgress: setPart, signal: own.signal }
    try {
      if (!content) return await uploadAdmin(publishContent, options)
      return await uploadAdmin(editContent, { ...options, params: { id: String(content.id) } })
    } finally {
      setPart(undefined)
      // It may have arrived all the same.
      if (own.signal.aborted) void askAgain()
    }
  }

  const form = useAdminForm<typeof publishContent | typeof editContent>({
    endpoint: content ? editContent : publishContent,
    name: draftName(content),
    initial: content ? textsOf(content) : { ordem: String(lastPlace) },
    prepare: (values) => ({ ...values, categoria: knownSpelling(String(values.categoria ?? ''), categories) }),
    send,
    failed: sentences.saveFailed,
    connection: sentences.connection,
    onSent({ message, content }, _, later) {
      told(message)
      onSaved(content, later)
    },
    onRefused: ({ statusCode }) => setConflict(statusCode === 409),
  })
  // What came back from before a login was typed as well.
  useEffect(() => {
    if (form.restored) onTouch()
  }, [form.restored, onTouch])
  const calledOff = sending.current?.signal.aborted === true
  const problem = calledOff ? '' : form.problem

  // The button that was pressed is far below what is said about it.
  const said = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (problem) said.current?.scrollIntoView({ block: 'center' })
  }, [problem])

  // One that was removed meanwhile is sent as it is: the refusal says so, and what was typed stays.
  const sendAgain = () => version.current?.form?.requestSubmit()
  async function overwrite(): Promise<void> {
    const now = await readAgain()
    if (now && version.current) version.current.value = now.updatedAt
    sendAgain()
  }
  async function discard(): Promise<void> {
    if (!(await onDiscard())) sendAgain()
  }
  /** What is saved cannot be known without a network: then nothing is sent, and what was typed stays. */
  async function decide(deed: () => Promise<void>): Promise<void> {
    setUnread(false)
    try {
      await deed()
    } catch {
      setUnread(true)
    }
  }

  const marked = { ...form, errors: briefly(form.errors) }
  return (
    <form
      {...form.attributes}
      onInput={(event) => {
        form.attributes.onInput(event)
        onTouch()
      }}
    >
      {form.restored && <p className="notice">{session.draftBack}</p>}
      <div ref={said}>
        <FormBanner form={{ errors: form.errors, problem }} order={order} />
        {conflict && (
          <>
            <div className="actions two-versions">
              <button type="button" className="button small" onClick={() => void decide(discard)}>
                Descartar o meu e ver o que está salvo
              </button>
              <button type="button" className="button small" onClick={() => void decide(overwrite)}>
                Salvar o meu por cima
              </button>
            </div>
            <p role="alert" className="error">
              {unread && sentences.connection}
            </p>
          </>
        )}
      </div>
      <TextField form={marked} name="titulo" label="Título" maxLength={200} required />
      <CategoryField form={marked} categories={categories} />
      <LongTextField form={marked} name="descricao" label="Descrição" maxLength={2_000} required />
      <TextField
        form={marked}
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
      {content && <input ref={version} type="hidden" name="updatedAt" defaultValue={form.initial('updatedAt')} />}
      {part !== undefined && <Progress part={part} onCancel={() => sending.current?.abort()} />}
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
  return new ApiFailure(400, { message: sentences.image, errors: { imagem: sentences.image } })
}

function formDataOf(values: FormValues): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    if (!(value instanceof File)) form.set(name, String(value))
    else if (value.size > 0) form.set(name, value)
  }
  return form
}

const textsOf = ({ titulo, categoria, descricao, ordem, updatedAt }: ManagedContent) => ({
  titulo,
  categoria,
  descricao,
  ordem: String(ordem),
  updatedAt,
})

/** One sentence on top says it for all; beside each field a word is enough. */
function briefly(errors: Record<string, string>): Record<string, string> {
  const brief = Object.entries(errors).map(([name, sentence]) => [
    name,
    sentence === sentences.required ? 'Campo obrigatório' : sentence,
  ])
  return Object.fromEntries(brief)
}
