// State and submission of one form, shared by the public forms and those of the admin area.
import { type FormEvent, type RefObject, useLayoutEffect, useReducer, useRef } from 'react'
import { type Endpoint, errorsByField, fillPath, type PathParams, type ReplyOf } from '#contract/endpoint.ts'
import { ApiFailure, isRetryable, newRequestId } from '#web/api/client.ts'
import type { FormValues } from '#web/forms/submission/form-values.ts'
import type { KeptRequest, OfflineStorage } from '#web/forms/submission/keep-when-hidden.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'

type Errors = Record<string, string>

interface State {
  /** `kept`: could not be sent, and waits on the device. */
  step: 'editing' | 'sending' | 'kept' | 'sent'
  /** First error of each invalid field, by name. */
  errors: Errors
  /** A message about the whole form. */
  message: string
  /** Initial values that replace those of the options, in a form that was returned for correction. */
  values?: FormValues | undefined
  /** The request that waits on the device. */
  kept?: KeptRequest
  /** Each new object moves the focus: to the first invalid field, else to the first field or to the message. */
  focus?: { onFirst?: boolean }
}

type Action =
  | {
      step: 'editing'
      errors?: Errors
      message?: string
      values?: FormValues | undefined
      focus: Required<State>['focus']
    }
  | { step: 'sending'; message?: string }
  | { step: 'kept'; kept: KeptRequest }
  | { step: 'sent' }
  /** An invalid field has changed. */
  | { field: string; error: string | undefined }

const noMessages = { errors: {}, message: '' }

/** Every step begins without the messages of the former one. */
function reduce(state: State, action: Action): State {
  if ('step' in action) return { ...state, ...noMessages, ...action }
  const { [action.field]: _, ...errors } = state.errors
  if (action.error) errors[action.field] = action.error
  return { ...state, errors, message: '' }
}

/** A request with the same id as an earlier one is a retry: the server stores it once. */
export interface FormRequest extends KeptRequest {
  body: FormValues
}

export const isBusy = (error: unknown) =>
  error instanceof ApiFailure && isRetryable(error.statusCode, error.refusal.success)

interface SubmissionOptions<E extends Endpoint> {
  endpoint: E
  params?: PathParams | undefined
  /** State at the first render. */
  start?: Partial<State>
  /** Initial values of the fields. */
  values?: FormValues | undefined
  /** The values to validate and send. */
  read(form: HTMLFormElement): FormValues
  send(request: FormRequest): Promise<ReplyOf<E>>
  /** Refuses the values as a whole: returns the message. */
  refuse?(values: FormValues, form: HTMLFormElement): string | undefined
  /** Stores a request that could not be sent. */
  keep?: OfflineStorage['keep']
  /** Message for a refusal that has none. */
  failed: string
  /** Message for a missing reply. */
  connection: string
  /** The message does not get the focus. */
  focusesFieldsOnly?: boolean
  onSent(reply: ReplyOf<E>, values: FormValues): void
  onFailed?(error: unknown): void
}

/** The part of a form that its fields need. */
export interface FieldState {
  errors: Errors
  /** Initial value of a field. */
  initial(name: string): string
  /** Whether an option is chosen initially. */
  chosen(name: string, option: string): boolean
}

export interface Submission extends FieldState, Pick<State, 'step' | 'message' | 'kept'> {
  dispatch(action: Action): void
  /** Shows a stored request as waiting. */
  resume(kept: KeptRequest): void
  attributes: {
    ref: RefObject<HTMLFormElement | null>
    noValidate: boolean
    onSubmit(event: FormEvent<HTMLFormElement>): void
    onInput(event: FormEvent<HTMLFormElement>): void
  }
}

export function useSubmission<E extends Endpoint>(options: SubmissionOptions<E>): Submission {
  const { endpoint, read } = options
  const [state, dispatch] = useReducer(reduce, { step: 'editing', ...noMessages, ...options.start })
  const { step, errors, focus, values = options.values } = state
  const ref = useRef<HTMLFormElement>(null)
  const last = useRef<FormRequest>(undefined)

  // The focus moves after the error summary is rendered, because the summary moves the fields down. Without an invalid
  // field it moves to the message, which may be far above the pressed button. A layout effect, because a moment later
  // the user may type or press again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request to move the focus
  useLayoutEffect(() => {
    const form = ref.current
    if (!form || !focus) return
    const invalid = firstInvalidField(form, errors)
    if (!invalid && focus.onFirst) (form.elements[0] as HTMLElement).focus()
    else focusAndScroll(invalid ?? (options.focusesFieldsOnly ? null : form.querySelector('.problems p')))
  }, [focus])

  const check = (entered: FormValues) => errorsByField(endpoint.body?.safeParse(entered).error?.issues ?? [])
  const refuse = (fieldErrors: Errors, message = '') =>
    dispatch({ step: 'editing', errors: fieldErrors, message, focus: {} })

  function resume(kept: KeptRequest): void {
    last.current = undefined
    dispatch({ step: 'kept', kept })
  }

  async function submit(body: FormValues): Promise<void> {
    // Changed values need a new request id: of several requests with the same id the server stores only the first.
    const isRetry = JSON.stringify(body) === JSON.stringify(last.current?.body)
    const requestId = (isRetry && last.current?.requestId) || newRequestId()
    const request = { requestId, path: fillPath(endpoint.path, options.params), body }
    last.current = request
    dispatch({ step: 'sending' })
    let reply: ReplyOf<E>
    try {
      reply = await options.send(request)
    } catch (error) {
      const refusal = error instanceof ApiFailure ? error.refusal : undefined
      const keeping = !refusal || isBusy(error) ? options.keep?.(request) : undefined
      // Without storage, as in some private windows, the form stays open.
      if (await keeping?.then(() => true).catch(() => false)) return resume(request)
      refuse(refusal?.errors ?? {}, refusal ? refusal.message || options.failed : options.connection)
      return options.onFailed?.(error)
    }
    // From here on the data is stored, even if something below fails.
    last.current = undefined
    dispatch({ step: 'sent' })
    options.onSent(reply, body)
  }

  return {
    ...state,
    dispatch,
    resume,
    initial: (name) => String([values?.[name]].flat()[0] ?? ''),
    chosen: (name, option) => [values?.[name]].flat().includes(option),
    attributes: {
      ref,
      // The browser's own validation messages are for pages without JavaScript; ours are better.
      noValidate: useHydrated(),
      onSubmit(event) {
        event.preventDefault()
        if (step === 'sending') return
        const entered = read(event.currentTarget)
        const fieldErrors = check(entered)
        const message = options.refuse?.(entered, event.currentTarget)
        if (message) refuse({}, message)
        else if (Object.keys(fieldErrors).length > 0) refuse(fieldErrors)
        else void submit(entered)
      },
      onInput(event) {
        // A field is not validated while it is first filled in. An invalid field is validated again at every input.
        const { name } = event.target as HTMLInputElement
        if (name in errors) dispatch({ field: name, error: check(read(event.currentTarget))[name] })
      },
    },
  }
}

function firstInvalidField(form: HTMLFormElement, errors: Errors): HTMLElement | undefined {
  return ([...form.elements] as HTMLInputElement[]).find(({ name }) => name in errors)
}

function focusAndScroll(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
  // Without smooth scrolling: during it, a user who presses again would miss the target.
  element?.scrollIntoView({ block: 'center', behavior: 'instant' })
}
