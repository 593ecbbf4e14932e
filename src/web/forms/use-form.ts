// One form over one endpoint of the contract: checks before sending, keeps what was typed, points at what is wrong.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Endpoint, errorsByField, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import { ApiFailure, call, fetchFromBrowser, newRequestId } from '#web/api/client.ts'
import { useVisit } from '#web/api/visit.ts'

export type FormStep = 'editing' | 'sending' | 'sent'

export interface Form {
  step: FormStep
  /** First error of each wrong field, by name. */
  errors: Record<string, string>
  /** A sentence about the whole form. */
  problem: string
  /** What a returned form starts with. */
  initial(name: string): string
  startAgain(): void
  attributes: {
    ref: React.RefObject<HTMLFormElement | null>
    method: 'post'
    action: string
    onSubmit(event: FormEvent<HTMLFormElement>): void
    onInput(event: FormEvent<HTMLFormElement>): void
  }
}

interface FormOptions<E extends Endpoint> {
  endpoint: E
  params?: PathParams
  onSent(reply: ReplyOf<E>): void
  onFailed(sentence: string): void
}

export function useForm<E extends Endpoint>({ endpoint, params, onSent, onFailed }: FormOptions<E>): Form {
  const { path, form: returned, thanked } = useVisit()
  const [step, setStep] = useState<FormStep>(thanked ? 'sent' : 'editing')
  const [errors, setErrors] = useState<Record<string, string>>(returned?.errors ?? {})
  const [problem, setProblem] = useState(returned?.message ?? '')
  const element = useRef<HTMLFormElement>(null)
  const requestId = useRef('')
  const [initialValues, setInitialValues] = useState(returned?.values ?? {})
  const [round, setRound] = useState(0)

  useEffect(() => {
    if (round > 0) (element.current?.elements[0] as HTMLElement | undefined)?.focus()
  }, [round])

  // The browser's own messages help while there is no JavaScript; after that ours are better.
  useEffect(() => {
    if (element.current) element.current.noValidate = true
  })

  function check(values: Record<string, unknown>): Record<string, string> {
    return errorsByField(endpoint.body?.safeParse(values).error?.issues ?? [])
  }

  function refuse(found: Record<string, string>): void {
    setErrors(found)
    setProblem('')
    focusFirst(element.current, found)
  }

  /** A person whose browser filled the hidden field can try again: it is emptied for them. */
  function refuseRobot(form: HTMLFormElement): void {
    const hidden = form.elements.namedItem('honeypot')
    if (hidden instanceof HTMLInputElement) hidden.value = ''
    setProblem(messages.petition.honeypot)
    onFailed(messages.petition.honeypot)
  }

  async function send(values: Record<string, unknown>): Promise<void> {
    requestId.current ||= newRequestId()
    setStep('sending')
    setErrors({})
    setProblem('')
    try {
      const reply = await call(fetchFromBrowser, endpoint, {
        body: values,
        requestId: requestId.current,
        ...(params && { params }),
      })
      requestId.current = ''
      setInitialValues({})
      setStep('sent')
      onSent(reply)
    } catch (error) {
      setStep('editing')
      const refusal = error instanceof ApiFailure ? error.refusal : undefined
      const found = refusal?.errors ?? {}
      if (Object.keys(found).length > 0) refuse(found)
      else setProblem(refusal ? (refusal.message ?? messages.petition.failed) : messages.form.connection)
      onFailed(messages.petition.failed)
    }
  }

  return {
    step,
    errors,
    problem,
    initial: (name) => [initialValues[name] ?? ''].flat()[0] ?? '',
    startAgain() {
      setStep('editing')
      setRound(round + 1)
    },
    attributes: {
      ref: element,
      method: 'post',
      // Without JavaScript the answer opens where the form is.
      action: `${path}#assinar`,
      onSubmit(event) {
        event.preventDefault()
        if (step === 'sending') return
        const values = valuesOf(event.currentTarget)
        const found = check(values)
        if (values.honeypot) refuseRobot(event.currentTarget)
        else if (Object.keys(found).length > 0) refuse(found)
        else void send(values)
      },
      onInput(event) {
        // Fields are not scolded while they are first filled in; one that was wrong is told at once that it is right.
        const { name } = event.target as HTMLInputElement
        if (!(name in errors)) return
        const { [name]: still } = check(valuesOf(event.currentTarget))
        setErrors(({ [name]: _, ...others }) => (still ? { ...others, [name]: still } : others))
      },
    },
  }
}

function valuesOf(form: HTMLFormElement): Record<string, unknown> {
  return Object.fromEntries(new FormData(form))
}

function focusFirst(form: HTMLFormElement | null, errors: Record<string, string>): void {
  const wrong = Array.from(form?.elements ?? []).find((field) => (field as HTMLInputElement).name in errors)
  ;(wrong as HTMLElement | undefined)?.focus()
}
