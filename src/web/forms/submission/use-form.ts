// A public form: works without JavaScript before hydration, retries while the server is busy, and can be kept offline.
import { useEffect, useState } from 'react'
import type { Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { messages } from '#contract/messages.ts'
import type { ThanksAudience } from '#contract/page.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { type ApiFailure, call, fetchFromBrowser } from '#web/api/client.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { checkedBoxes, editedFields, type FormValues, valuesOf } from '#web/forms/submission/form-values.ts'
import { keepWhenHidden, type OfflineStorage } from '#web/forms/submission/keep-when-hidden.ts'
import { pageOrigin } from '#web/forms/submission/page-origin.ts'
import { rememberThanks, storedThanks } from '#web/forms/submission/thank-you-state.ts'
import { type FormRequest, isBusy, type Submission, useSubmission } from '#web/forms/submission/use-submission.ts'

export interface Form extends Submission {
  startAgain(): void
  /** The kept request was refused: returns its values for correction. */
  reopen(refusal: { message: string; errors: Record<string, string> }): void
  /** The audience of the thank-you view that the page was opened with. */
  thanked: ThanksAudience | undefined
  attributes: Submission['attributes'] & { method: 'post'; action: string }
}

interface FormOptions<E extends Endpoint> extends OfflineStorage {
  endpoint: E
  params?: PathParams
  /** Id of the form on the page: without JavaScript the reply page opens there. */
  anchor: string
  /** Fields with several values. */
  lists?: readonly string[]
  /** Normalises the values before they are validated and sent. */
  prepare?(values: FormValues): FormValues
  /** Message for a refusal that has none. */
  failed: string
  onSent(reply: ReplyOf<E>, values: FormValues): void
  /** For messages outside the form. */
  onFailed?(text: string, code?: RefusalCode): void
}

const retryDelaysSeconds = [3, 6, 12]

export function useForm<E extends Endpoint>(options: FormOptions<E>): Form {
  const { endpoint, lists = [], prepare = (values) => values, failed, onFailed, keep } = options
  const { form: returned, thanked: sent } = usePageContext()
  const [thanked, setThanked] = useState(sent)
  const form = useSubmission<E>({
    ...options,
    start: { ...(sent && { step: 'sent' }), ...returned },
    read: (element) => prepare({ ...valuesOf(element, lists), ...checkedBoxes(element), origem: pageOrigin() }),
    refuse(values, element) {
      if (!values.honeypot) return
      // The browser of a real user may have filled in the hidden field: it is cleared, so that the user can try again.
      element.honeypot.value = ''
      onFailed?.(messages.petition.honeypot)
      return messages.petition.honeypot
    },
    send: (request) => keepWhenHidden(request, options, sendWithRetries(request)),
    connection: messages.form.connection,
    onFailed: (error) => onFailed?.(failed, (error as Partial<ApiFailure>).refusal?.code),
  })
  const { dispatch, attributes } = form

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    const remembered = thanked ?? storedThanks()
    const element = attributes.ref.current
    // Another person may have begun to use the form.
    if (!remembered || editedFields(element).length > 0 || element?.contains(document.activeElement)) return
    rememberThanks(remembered)
    setThanked(remembered)
    dispatch({ step: 'sent' })
  }, [])

  /** Forms that can be kept are retried automatically while the server is busy. */
  async function sendWithRetries(request: FormRequest): Promise<ReplyOf<E>> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call(fetchFromBrowser, { ...endpoint, path: request.path }, request)
      } catch (error) {
        const delaySeconds = retryDelaysSeconds[attempt]
        if (!keep || !delaySeconds || !isBusy(error)) throw error
        dispatch({ step: 'sending', message: messages.form.busy })
        // Random delay, so that clients refused at the same time do not retry at the same time.
        await new Promise((resolve) => setTimeout(resolve, delaySeconds * (750 + Math.random() * 500)))
      }
    }
  }

  return {
    ...form,
    thanked,
    reopen: ({ message, errors }) =>
      dispatch({
        step: 'editing',
        errors,
        message: message || failed,
        values: form.kept?.body as FormValues,
        focus: { onFirst: true },
      }),
    startAgain() {
      if (storedThanks()) rememberThanks(undefined)
      setThanked(undefined)
      dispatch({ step: 'editing', values: undefined, focus: { onFirst: true } })
    },
    // Relative to the address of the page, so that a plain POST keeps the origin in its query.
    attributes: { ...attributes, method: 'post', action: `#${options.anchor}` },
  }
}
