// The city: free text, with suggestions that arrive when the field is first used. Without them it is a plain field.
import { lazy, Suspense, useState } from 'react'
import { type FieldState, TextField } from '#web/forms/field.tsx'
import { useAlive } from '#web/ui/use-alive.ts'

// Whoever cannot load them types the name.
const none: typeof import('#web/forms/city-suggestions.tsx') = { default: () => null }
const CitySuggestions = lazy(() => import('#web/forms/city-suggestions.tsx').catch(() => none))

interface CityFieldProps {
  form: FieldState
  label: string
  required?: boolean
}

export function CityField({ form, label, required = true }: CityFieldProps) {
  const alive = useAlive()
  const [used, setUsed] = useState<HTMLInputElement>()
  return (
    <TextField
      form={form}
      name="cidade"
      label={label}
      required={required}
      autoComplete="address-level2"
      {...(alive && { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': false })}
      onFocus={({ currentTarget }) => setUsed(currentTarget)}
      onKeyDown={({ currentTarget }) => setUsed(currentTarget)}
    >
      {used && (
        <Suspense>
          <CitySuggestions input={used} />
        </Suspense>
      )}
    </TextField>
  )
}
