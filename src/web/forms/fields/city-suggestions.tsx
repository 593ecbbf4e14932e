// Listbox of the combobox whose input is in city-field.tsx: matching cities of the state, from the first letter on.
import { type AriaAttributes, type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { cities } from '#web/api/cities.ts'
import { useStore } from '#web/api/store.ts'
import { matchingCities } from '#web/forms/fields/matching-cities.ts'
import { setInputValue } from '#web/forms/fields/set-input-value.ts'
import { adoptStyles } from '#web/ui/adopt-styles.ts'
import styles from './city-suggestions.css?inline'

adoptStyles(styles)

const listId = 'cidade-sugestoes'
const optionId = (index: number) => `${listId}-${index}`
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/** Attributes of the input that describe the listbox. */
export type ListboxAttributes = Pick<AriaAttributes, 'aria-expanded' | 'aria-controls' | 'aria-activedescendant'>

interface CitySuggestionsProps {
  input: HTMLInputElement
  onChange(attributes: ListboxAttributes): void
}

export default function CitySuggestions({ input, onChange }: CitySuggestionsProps): ReactNode {
  const store = useStore()
  const [suggestions, setSuggestions] = useState<string[]>([])
  const [active, setActive] = useState(-1)
  const open = suggestions.length > 0

  function show(names: string[]): void {
    setSuggestions(names)
    setActive(-1)
  }

  async function suggest(): Promise<void> {
    // Autofill of the whole form changes the input without focus and must cause no request.
    const hasFocus = () => document.activeElement === input
    const uf = new FormData(input.form ?? undefined).get('estado')
    if (!uf || !hasFocus()) return
    const query = cities(String(uf))
    const cached = store.peek(query)
    const { data } = cached?.data ? cached : await store.read(query)
    if (hasFocus()) show(matchingCities(data?.municipios ?? [], input.value))
  }

  function choose(name = ''): void {
    setInputValue(input, name)
    show([])
  }

  function handleKey(event: KeyboardEvent): void {
    const step = steps[event.key]
    if (!open) return
    // The arrow keys cycle through the options and one position without an option.
    if (step) setActive(((active + 1 + step + suggestions.length + 1) % (suggestions.length + 1)) - 1)
    else if (event.key === 'Escape') show([])
    else if (event.key === 'Enter' && active >= 0) choose(suggestions[active])
    else return
    event.preventDefault()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the input had the focus before
  useEffect(() => void suggest(), [])

  // A layout effect: a key pressed right after the list appears must already control it.
  useLayoutEffect(() => {
    const controller = new AbortController()
    const options = { signal: controller.signal }
    input.addEventListener('focus', suggest, options)
    input.addEventListener('click', suggest, options)
    input.addEventListener('input', suggest, options)
    input.addEventListener('keydown', handleKey, options)
    input.addEventListener('blur', () => show([]), options)
    return () => controller.abort()
  })

  useLayoutEffect(
    () =>
      onChange({
        'aria-expanded': open,
        'aria-controls': open ? listId : '',
        'aria-activedescendant': active < 0 ? '' : optionId(active),
      }),
    [onChange, open, active],
  )

  return (
    <>
      {open && (
        <div className="suggestions" id={listId} role="listbox" aria-label="Cidades sugeridas">
          {suggestions.map((name, index) => (
            <button
              key={name}
              id={optionId(index)}
              type="button"
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              // Pressing an option must not move the focus out of the input.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(name)}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <span className="hidden" role="status">
        {open && (suggestions.length === 1 ? '1 cidade sugerida' : `${suggestions.length} cidades sugeridas`)}
      </span>
    </>
  )
}
