// One form of the admin area over one endpoint: checks before sending, and keeps what was typed until it is sent.
import { type FormEvent, useRef, useState } from 'react'
import { type Endpoint, errorsByField, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { type FormTexts, textsOf, useFoundDraft, useKeptDraft } from '#web/admin/ui/drafts.ts'
import { ApiFailure } from '#web/api/client.ts'
import type { FieldState } from '#web/forms/field.tsx'
import { type FormValues, valuesOf } from '#web/forms/form-values.ts'
import { focusFirst } from '#web/forms/pointing.ts'

export interface AdminForm extends FieldState {
  step: 'editing' | 'sending' | 'sent'
  problem: string
  /** What was typed before the session ended, or the tab was dropped, is here again. */
  restored: boolean
  /** Something was typed and not sent yet. */
  touched: boolean
  attributes: {
    ref: React.RefObject<HTMLFormElement | null>
    noValidate: true
    onSubmit(event: FormEvent<HTMLFormElement>): void
    onInput(event?: FormEvent<HTMLFormElement>): void
  }
}

interface AdminFormOptions<E extends Endpoint> {
  endpoint: E
  /** Tells the drafts of several forms on one page apart. A form without a name keeps none. */
  name?: string
  params?: PathParams
  initial?: FormTexts
  /** What it starts with is already not what is stored. */
  startsTouched?: boolean
  /** Fields of which several can be chosen. */
  lists?: readonly string[]
  /** Makes of what is in the fields what the endpoint takes. */
  prepare?(values: FormValues): FormValues
  /** Sends in another way than as JSON. */
  send?(values: FormValues): Promise<ReplyOf<E>>
  failed: string
  connection?: string
  /** `later`: what is in the fields now, if somebody went on typing while it was sent. */
  onSent(reply: ReplyOf<E>, values: FormValues, later: FormTexts | undefined): void
  /** For refusals that need more than a sentence. */
  onRefused?(failure: ApiFailure): void
}

export function useAdminForm<E extends Endpoint>(options: AdminFormOptions<E>): AdminForm {
  const { endpoint, params, initial = {}, lists = [], prepare = (values) => values, failed, connection } = options
  const element = useRef<HTMLFormElement>(null)
  const draft = useFoundDraft(options.name)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [step, setStep] = useState<AdminForm['step']>('editing')
  const [touched, setTouched] = useState(draft.found !== undefined || options.startsTouched === true)
  const forgetDraft = useKeptDraft(draft, { element, lists, touched })

  const edits = useRef(0)

  const starting = draft.found ?? initial

  function check(values: FormValues): Record<string, string> {
    return errorsByField(endpoint.body?.safeParse(values).error?.issues ?? [])
  }

  function refuse(found: Record<string, string>, sentence = ''): void {
    setStep('editing')
    setErrors(found)
    setProblem(sentence)
    focusFirst(element.current, found)
  }

  async function send(values: FormValues): Promise<void> {
    const editsSent = edits.current
    setStep('sending')
    setErrors({})
    setProblem('')
    let reply: ReplyOf<E>
    try {
      const call = () => callAdmin(endpoint, { body: values, ...(params && { params }) })
      reply = await (options.send?.(values) ?? call())
    } catch (error) {
      const refusal = error instanceof ApiFailure ? error : undefined
      refuse(refusal?.refusal.errors ?? {}, sentenceOf(error, failed, connection))
      if (refusal) options.onRefused?.(refusal)
      return
    }
    // Whatever goes wrong from here on, it is stored.
    setStep('sent')
    const wentOn = edits.current !== editsSent
    setTouched(wentOn)
    if (!wentOn) forgetDraft()
    options.onSent(reply, values, wentOn && element.current ? textsOf(element.current, lists) : undefined)
  }

  return {
    step,
    errors,
    problem,
    touched,
    restored: draft.found !== undefined,
    initial: (name) => [starting[name] ?? ''].flat()[0] ?? '',
    chosen: (name, option) => [starting[name] ?? []].flat().includes(option),
    attributes: {
      ref: element,
      noValidate: true,
      onSubmit(event) {
        event.preventDefault()
        // A form in a dialog of a form's page is not the page's.
        event.stopPropagation()
        if (step === 'sending') return
        const values = prepare(valuesOf(event.currentTarget, lists))
        const found = check(values)
        if (Object.keys(found).length > 0) refuse(found)
        else void send(values)
      },
      onInput(event) {
        edits.current += 1
        setTouched(true)
        // One that was wrong is told at once that it is right.
        const name = (event?.target as HTMLInputElement | undefined)?.name ?? ''
        if (!event || !(name in errors)) return
        const { [name]: still } = check(prepare(valuesOf(event.currentTarget, lists)))
        setProblem('')
        setErrors(({ [name]: _, ...others }) => (still ? { ...others, [name]: still } : others))
      },
    },
  }
}
