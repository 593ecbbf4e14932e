// One form of the admin area over one endpoint: checks before sending, keeps what was typed through an ended session.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { type Endpoint, errorsByField, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { lastOneIn, onExpiry } from '#web/admin/session/session.ts'
import { ApiFailure } from '#web/api/client.ts'
import type { FieldState } from '#web/forms/field.tsx'
import { type FormValues, focusFirst, valuesOf } from '#web/forms/use-form.ts'

export type FormTexts = Record<string, string | string[]>

export interface AdminForm extends FieldState {
  step: 'editing' | 'sending' | 'sent'
  problem: string
  /** What was typed before the session ended is here again. */
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
  const { pathname } = useLocation()
  const { name } = options
  const [draft] = useState(() => readDraft(pathname, name))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [step, setStep] = useState<AdminForm['step']>('editing')
  const [touched, setTouched] = useState(draft !== undefined || options.startsTouched === true)

  const edits = useRef(0)

  // Not while it is read: React may throw a drawing away and begin anew, and the draft would be gone with the first.
  useEffect(() => {
    if (name && draft) sessionStorage.removeItem(draftKey(pathname, name))
  }, [pathname, name, draft])

  useEffect(() => {
    if (!name) return
    return onExpiry(() => {
      if (element.current && touched) keepDraft(pathname, name, textsOf(element.current, lists))
    })
  }, [pathname, name, touched, lists])

  const starting = draft ?? initial

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
    try {
      const call = () => callAdmin(endpoint, { body: values, ...(params && { params }) })
      const reply = await (options.send?.(values) ?? call())
      setStep('sent')
      const wentOn = edits.current !== editsSent
      setTouched(wentOn)
      options.onSent(reply, values, wentOn && element.current ? textsOf(element.current, lists) : undefined)
    } catch (error) {
      const refusal = error instanceof ApiFailure ? error : undefined
      refuse(refusal?.refusal.errors ?? {}, sentenceOf(error, failed, connection))
      if (refusal) options.onRefused?.(refusal)
    }
  }

  return {
    step,
    errors,
    problem,
    touched,
    restored: draft !== undefined,
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

/** One who takes another's place at the same screen does not find what that one has typed. */
const draftKey = (pathname: string, name: string) => `rascunho de ${lastOneIn()} ${pathname} ${name}`

/** For a form that is opened next, and finds it. */
export function keepDraft(pathname: string, name: string, values: FormTexts): void {
  sessionStorage.setItem(draftKey(pathname, name), JSON.stringify(values))
}

/** Files and passwords are not kept. */
function textsOf(form: HTMLFormElement, lists: readonly string[]): FormTexts {
  const secret = new Set(Array.from(form.querySelectorAll<HTMLInputElement>('[type=password]'), ({ name }) => name))
  const entries = Object.entries(valuesOf(form, lists)).filter(
    ([name, value]) => !secret.has(name) && (typeof value === 'string' || Array.isArray(value)),
  )
  return Object.fromEntries(entries) as FormTexts
}

function readDraft(pathname: string, name: string | undefined): FormTexts | undefined {
  const kept = name && sessionStorage.getItem(draftKey(pathname, name))
  return kept ? (JSON.parse(kept) as FormTexts) : undefined
}
