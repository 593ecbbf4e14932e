// The category of a content: free text, with those in use one press away.
import { useRef } from 'react'
import { type FieldState, TextField } from '#web/forms/field.tsx'
import { putInto } from '#web/forms/put-into.ts'

export function CategoryField({ form, categories }: { form: FieldState; categories: string[] }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <TextField form={form} name="categoria" label="Categoria" maxLength={50} required autoComplete="off" ref={field}>
      {categories.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset with its legend would be read as another question
        <div className="in-use" role="group" aria-label="Categorias em uso">
          {categories.map((category) => (
            <button
              key={category}
              type="button"
              className="button small"
              onClick={() => field.current && putInto(field.current, category)}
            >
              {category}
            </button>
          ))}
        </div>
      )}
    </TextField>
  )
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()

/** What differs in capitals or accents alone is the same category, spelled as it is in use. */
export function knownSpelling(category: string, categories: string[]): string {
  return categories.find((known) => plain(known) === plain(category)) ?? category
}
