// E-mail field that suggests a correction of probable typos in the domain. Only the user can apply it.
import { useRef, useState } from 'react'
import { afterBlur } from '#web/forms/fields/after-blur.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import { setInputValue } from '#web/forms/fields/set-input-value.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

// Loaded on focus, to be ready on blur. If loading fails, nothing is suggested.
const loadTypos = () => import('#web/forms/fields/email-typos.ts').catch(() => undefined)

export function EmailField({ form, label }: { form: FieldState; label: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [suggestion, setSuggestion] = useState<string>()

  async function suggest(typed: string): Promise<void> {
    const module = await loadTypos()
    // On a slow network the address may have changed meanwhile.
    if (field.current?.value === typed) setSuggestion(module?.probableAddress(typed))
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
      onFocus={loadTypos}
      onInput={() => setSuggestion(undefined)}
      onBlur={({ currentTarget }) => afterBlur(() => suggest(currentTarget.value))}
    >
      <div role="status">
        {suggestion && (
          <button
            className="question"
            type="button"
            onClick={() => field.current && setInputValue(field.current, suggestion)}
          >
            Você quis dizer <strong>{suggestion}</strong>?
          </button>
        )}
      </div>
    </TextField>
  )
}
