// One form over one endpoint of the contract: checks before sending, keeps what was typed, points at what is wrong.
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Endpoint, errorsByField, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { Thanked } from '#contract/page.ts'
import { ApiFailure, call, fetchFromBrowser, mayPass, newRequestId } from '#web/api/client.ts'
import { useVisit } from '#web/api/visit.ts'
import { begunIn, type FormValues, marksOf, valuesOf } from '#web/forms/form-values.ts'
import { type Keeping, type KeptRequest, keepIfLeft } from '#web/forms/keep-if-left.ts'
import { firstWrong, focusFirst, pointAt } from '#web/forms/pointing.ts'
import { rememberThanks, thanksHere } from '#web/forms/thanks-here.ts'

/** `kept`: it could not leave the phone, where it waits to be sent. */
export type FormStep = 'editing' | 'sending' | 'kept' | 'sent'

export interface Form {
  step: FormStep
  /** First error of each wrong field, by name. */
  errors: Record<string, string>
  /** A sentence about the whole form. */
  problem: string
  /** What a returned form starts with. */
  initial(name: string): string
  /** Whether a returned form had this option among the chosen. */
  chosen(name: string, option: string): boolean
  startAgain(): void
  /** What was kept is on its way again, was sent, or comes back with what is wrong with it. */
  resume(kept: KeptRequest): void
  finish(): void
  giveBack(refusal: { message: string; errors: Record<string, string> }): void
  /** To whom the thanks speak that this page came with. */
  thanked: Thanked | undefined
  /** The request that waits on the phone. */
  kept: KeptRequest | undefined
  attributes: {
    ref: React.RefObject<HTMLFormElement | null>
    method: 'post'
    action: string
    onSubmit(event: FormEvent<HTMLFormElement>): void
    onInput(event: FormEvent<HTMLFormElement>): void
  }
}

interface FormOptions<E extends Endpoint> extends Keeping {
  endpoint: E
  params?: PathParams
  /** Where on the page the form is: without JavaScript the answer opens there. */
  anchor: string
  /** Fields of which several can be chosen. */
  lists?: readonly string[]
  /** Tidies what people type before it is checked and sent. */
  prepare?(values: FormValues): FormValues
  /** What is said when a refusal says nothing itself. */
  failed: string
  onSent(reply: ReplyOf<E>, values: FormValues): void
  /** For what is said outside the form as well. */
  onFailed?(sentence: string): void
}

const pausesInSeconds = [3, 6, 12]
const isBusy = (error: unknown) => error instanceof ApiFailure && mayPass(error.statusCode, error.refusal.success)

const asTyped = (values: FormValues) => values

export function useForm<E extends Endpoint>(options: FormOptions<E>): Form {
  const { endpoint, params, anchor, lists = [], prepare = asTyped, failed, onSent, onFailed } = options
  const { keep, markSent, drop } = options
  const { path, form: returned, ...visit } = useVisit()
  const [thanked, setThanked] = useState(visit.thanked)
  const [step, setStep] = useState<FormStep>(thanked ? 'sent' : 'editing')
  const [errors, setErrors] = useState<Record<string, string>>(returned?.errors ?? {})
  const [problem, setProblem] = useState(returned?.message ?? '')
  const element = useRef<HTMLFormElement>(null)
  const requestId = useRef('')
  const lastSaid = useRef('')
  const pointing = useRef(false)
  const [initialValues, setInitialValues] = useState(returned?.values ?? {})
  const [round, setRound] = useState(0)
  const [kept, setKept] = useState<KeptRequest>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes alive
  useEffect(() => {
    const remembered = thanked ?? thanksHere()
    const form = element.current
    // Somebody else may be writing by now, or about to.
    if (!remembered || begunIn(form).length > 0 || form?.contains(document.activeElement)) return
    rememberThanks(remembered)
    setThanked(remembered)
    setStep('sent')
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the form is there again, at what is wrong in it or at its beginning
  useLayoutEffect(() => {
    if (round === 0) return
    if (Object.keys(errors).length > 0) focusFirst(element.current, errors)
    else (element.current?.elements[0] as HTMLElement | undefined)?.focus()
  }, [round])

  // The browser's own messages help while there is no JavaScript; after that ours are better.
  // What is wrong is pointed at once the summary is drawn, which pushes the fields down; where no field is wrong, what is said instead:
  // the button that was pressed may be far below it. In the same breath: a moment later somebody may be typing or pressing again.
  useLayoutEffect(() => {
    if (element.current) element.current.noValidate = true
    if (pointing.current) pointAt(firstWrong(element.current, errors) ?? element.current?.querySelector('.problems p'))
    pointing.current = false
  })

  const read = (form: HTMLFormElement) => prepare({ ...valuesOf(form, lists), ...marksOf(form, lists) })

  function check(values: FormValues): Record<string, string> {
    return errorsByField(endpoint.body?.safeParse(values).error?.issues ?? [])
  }

  function refuse(found: Record<string, string>, sentence = ''): void {
    setErrors(found)
    setProblem(sentence)
    pointing.current = true
  }

  /** A person whose browser filled the hidden field can try again: it is emptied for them. */
  function refuseRobot(form: HTMLFormElement): void {
    const hidden = form.elements.namedItem('honeypot')
    if (hidden instanceof HTMLInputElement) hidden.value = ''
    refuse({}, messages.petition.honeypot)
    onFailed?.(messages.petition.honeypot)
  }

  async function send(values: FormValues): Promise<void> {
    // What was corrected after an answer was lost is another request: the server keeps the first of those that are the same.
    const said = JSON.stringify(values)
    if (said !== lastSaid.current) requestId.current = newRequestId()
    lastSaid.current = said
    setStep('sending')
    setErrors({})
    setProblem('')
    const settle = keepIfLeft(requestOf(values), keep)
    try {
      const reply = await patientCall(values)
      await settle(markSent)
      lastSaid.current = ''
      setInitialValues({})
      setStep('sent')
      onSent(reply, values)
    } catch (error) {
      await settle(drop)
      if ((!(error instanceof ApiFailure) || isBusy(error)) && (await keepForLater(values))) return
      setStep('editing')
      const refusal = error instanceof ApiFailure ? error.refusal : undefined
      refuse(refusal?.errors ?? {}, refusal ? refusal.message || failed : messages.form.connection)
      onFailed?.(failed)
    }
  }

  /** What can wait is tried again by itself while the server has too much to do. */
  async function patientCall(values: FormValues): Promise<ReplyOf<E>> {
    for (let tries = 0; ; tries++) {
      try {
        const options = { body: values, requestId: requestId.current, ...(params && { params }) }
        return await call(fetchFromBrowser, endpoint, options)
      } catch (error) {
        const pause = pausesInSeconds[tries]
        if (!keep || !pause || !isBusy(error)) throw error
        setProblem(messages.form.busy)
        // Those who were sent away together come back one by one.
        await new Promise((resolve) => setTimeout(resolve, pause * (750 + Math.random() * 500)))
      }
    }
  }

  const requestOf = (values: FormValues): KeptRequest => ({
    requestId: requestId.current,
    path: fillPath(endpoint.path, params),
    body: values,
  })

  async function keepForLater(values: FormValues): Promise<boolean> {
    const request = requestOf(values)
    try {
      if (!keep) return false
      await keep(request)
      resume(request)
      return true
    } catch {
      // No storage, as in some private windows: the form stays as it is.
      return false
    }
  }

  function resume(request: KeptRequest): void {
    lastSaid.current = ''
    setKept(request)
    setStep('kept')
  }

  return {
    step,
    kept,
    thanked,
    resume,
    finish: () => setStep('sent'),
    giveBack({ message, errors: wrong }) {
      setInitialValues(kept?.body as typeof initialValues)
      setStep('editing')
      setErrors(wrong)
      setProblem(message || failed)
      setRound(round + 1)
    },
    errors,
    problem,
    initial: (name) => String([initialValues[name] ?? ''].flat()[0] ?? ''),
    chosen: (name, option) => [initialValues[name] ?? []].flat().includes(option),
    startAgain() {
      if (thanksHere()) rememberThanks(undefined)
      setThanked(undefined)
      setInitialValues({})
      setStep('editing')
      setErrors({})
      setProblem('')
      setRound(round + 1)
    },
    attributes: {
      ref: element,
      method: 'post',
      action: `${path}#${anchor}`,
      onSubmit(event) {
        event.preventDefault()
        if (step === 'sending') return
        const values = read(event.currentTarget)
        const found = check(values)
        if (values.honeypot) refuseRobot(event.currentTarget)
        else if (Object.keys(found).length > 0) refuse(found)
        else void send(values)
      },
      onInput(event) {
        // Fields are not scolded while they are first filled in; one that was wrong is told at once that it is right.
        const { name } = event.target as HTMLInputElement
        if (!(name in errors)) return
        const { [name]: still } = check(read(event.currentTarget))
        setProblem('')
        setErrors(({ [name]: _, ...others }) => (still ? { ...others, [name]: still } : others))
      },
    },
  }
}
