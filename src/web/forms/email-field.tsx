// The e-mail address, with a question when its domain looks like a slip. Nothing is changed unless somebody says so.
import { useRef, useState } from 'react'
import { afterLeaving } from '#web/forms/after-leaving.ts'
import { TextField } from '#web/forms/field.tsx'
import { putInto } from '#web/forms/put-into.ts'
import type { Form } from '#web/forms/use-form.ts'

// Known by the time that the field is left. Whoever cannot load it is not asked.
const typos = () => import('#web/forms/email-typos.ts').catch(() => undefined)

export function EmailField({ form, label }: { form: Form; label: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [probable, setProbable] = useState<string>()

  async function ask(typed: string): Promise<void> {
    const known = await typos()
    // On a slow network it may be another address by now.
    if (field.current?.value === typed) setProbable(known?.probableAddress(typed))
  }

  return (
    <TextField
      ref={field}
      form={form}
      name="email"
      label={label}
      required
      type="email"
      inputMode="email"
      autoComplete="email"
      onFocus={typos}
      onInput={() => setProbable(undefined)}
      onBlur={({ currentTarget }) => afterLeaving(() => ask(currentTarget.value))}
    >
      <div role="status">
        {probable && (
          <button className="question" type="button" onClick={() => field.current && putInto(field.current, probable)}>
            Você quis dizer <strong>{probable}</strong>?
          </button>
        )}
      </div>
    </TextField>
  )
}
