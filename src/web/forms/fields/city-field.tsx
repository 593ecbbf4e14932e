import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { ListboxAttributes } from '#web/forms/fields/city-suggestions.tsx'
import { TextField } from '#web/forms/fields/field.tsx'
import { useHydrated } from '#web/ui/use-hydrated.ts'

// Without suggestions the user types the whole name.
const none: typeof import('#web/forms/fields/city-suggestions.tsx') = { default: () => null }
const CitySuggestions = lazy(() => import('#web/forms/fields/city-suggestions.tsx').catch(() => none))

type CityFieldProps = Omit<ComponentProps<typeof TextField>, 'name'>

/** Free text with suggestions, which are loaded when the field is first used. If that fails, it is a plain field. */
export function CityField(props: CityFieldProps) {
  const hydrated = useHydrated()
  const [input, setInput] = useState<HTMLInputElement>()
  const [listbox, setListbox] = useState<ListboxAttributes>({ 'aria-expanded': false })
  return (
    <TextField
      required
      {...props}
      name="cidade"
      autoComplete="address-level2"
      {...(hydrated && { role: 'combobox', 'aria-autocomplete': 'list', ...listbox })}
      onFocus={({ currentTarget }) => setInput(currentTarget)}
      onKeyDown={({ currentTarget }) => setInput(currentTarget)}
    >
      {input && (
        <Suspense>
          <CitySuggestions input={input} onChange={setListbox} />
        </Suspense>
      )}
    </TextField>
  )
}
