import type { Submission } from '#web/forms/submission/use-submission.ts'

/** One message: the one about the whole form, else the first field error. */
export function FormBanner({
  form,
  order,
}: {
  form: Pick<Submission, 'errors' | 'message'>
  order: readonly string[]
}) {
  const invalid = order.find((name) => form.errors[name])
  const text = form.message || (invalid && form.errors[invalid])
  return (
    <div className="problems" role="alert">
      {text && <p tabIndex={-1}>{text}</p>}
    </div>
  )
}
