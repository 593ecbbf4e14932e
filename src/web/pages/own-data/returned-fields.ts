import type { ReturnedForm } from '#contract/page.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

/** The fields of a plain form: what was sent if it was refused, else what is stored. */
export function returnedFields(form: ReturnedForm | undefined, stored: Record<string, string> = {}): FieldState {
  return {
    errors: form?.errors ?? {},
    initial: (name) => {
      const value = form?.values[name] ?? stored[name] ?? ''
      return typeof value === 'string' ? value : ''
    },
    chosen: () => false,
  }
}
