// A form of the admin area for one endpoint: validates before sending, and keeps a draft until it is sent.
import { useRef, useState } from 'react'
import type { Endpoint, PathParams, ReplyOf } from '#contract/endpoint.ts'
import { callAdmin, connectionError } from '#web/admin/api/client.ts'
import { type FormTexts, textsOf, useDraftAutosave, useStoredDraft } from '#web/admin/ui/drafts.ts'
import { ApiFailure } from '#web/api/client.ts'
import { type FormValues, valuesOf } from '#web/forms/submission/form-values.ts'
import { type Submission, useSubmission } from '#web/forms/submission/use-submission.ts'

interface AdminForm extends Submission {
  /** The fields were filled from a draft, after the session had ended or the browser had discarded the tab. */
  restored: boolean
}

interface AdminFormOptions<E extends Endpoint> {
  endpoint: E
  /** Distinguishes the drafts of several forms on one page. A form without a name keeps no draft. */
  name?: string
  params?: PathParams
  initial?: FormTexts
  /** The initial values already differ from the stored ones. */
  startsTouched?: boolean
  /** Converts the field values to the body of the endpoint. */
  prepare?(values: FormValues): FormValues
  /** Replaces the default request, which sends JSON. */
  send?(values: FormValues): Promise<ReplyOf<E>>
  failed: string
  connection?: string
  /** `later`: the current field values, if the user typed during the request. */
  onSent(reply: ReplyOf<E>, values: FormValues, later: FormTexts | undefined): void
  /** For refusals that need more than an error text. */
  onRefused?(failure: ApiFailure): void
}

export function useAdminForm<E extends Endpoint>(options: AdminFormOptions<E>): AdminForm {
  const { endpoint, params, initial, prepare = (values) => values, failed } = options
  const draft = useStoredDraft(options.name)
  const [touched, setTouched] = useState(draft.restored !== undefined || options.startsTouched === true)
  const edits = useRef(0)
  const editsSent = useRef(0)
  const form = useSubmission<E>({
    endpoint,
    values: draft.restored ?? initial,
    read: (element) => prepare(valuesOf(element, [])),
    async send({ body }) {
      editsSent.current = edits.current
      return options.send ? options.send(body) : callAdmin(endpoint, { body, ...(params && { params }) })
    },
    failed,
    focusesFieldsOnly: true,
    connection: options.connection ?? connectionError,
    onSent(reply, values) {
      const editedMeanwhile = edits.current !== editsSent.current
      setTouched(editedMeanwhile)
      if (!editedMeanwhile) discardDraft()
      options.onSent(reply, values, editedMeanwhile && ref.current ? textsOf(ref.current) : undefined)
    },
    onFailed(error) {
      if (error instanceof ApiFailure) options.onRefused?.(error)
    },
  })
  const { ref, onSubmit, onInput } = form.attributes
  const discardDraft = useDraftAutosave(draft, { element: ref, touched })

  return {
    ...form,
    restored: draft.restored !== undefined,
    attributes: {
      ...form.attributes,
      onSubmit(event) {
        // React events bubble through portals: a form in a dialog must not submit the form of the page.
        event.stopPropagation()
        onSubmit(event)
      },
      onInput(event) {
        edits.current += 1
        setTouched(true)
        onInput(event)
      },
    },
  }
}
