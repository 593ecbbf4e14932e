import { useRef } from 'react'
import { foldAccents } from '#contract/fold-text.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import { setInputValue } from '#web/forms/fields/set-input-value.ts'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

export function CategoryField({ form, categories }: { form: FieldState; categories: string[] }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <TextField form={form} name="categoria" label="Categoria" maxLength={50} required autoComplete="off" ref={field}>
      {categories.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: screen readers would read a legend as another question
        <div className="in-use" role="group" aria-label="Categorias em uso">
          {categories.map((category) => (
            <button
              key={category}
              type="button"
              className="button small"
              onClick={() => field.current && setInputValue(field.current, category)}
            >
              {category}
            </button>
          ))}
        </div>
      )}
    </TextField>
  )
}

/** Categories that differ only in capitals or accents are the same: returns the spelling in use. */
export function spellingInUse(category: string, categories: string[]): string {
  const folded = foldAccents(category).trim()
  return categories.find((existing) => foldAccents(existing).trim() === folded) ?? category
}
